/* SPDX-License-Identifier: Apache-2.0 */
/* With inlined_callee.c: two functions inlined one in the other. */
int callee(int x);

static inline __attribute__((always_inline)) int between(int x)
{
	return callee(x) + 1;
}

__attribute__((used, noinline)) int outermost(int x)
{
	return between(x) * 2;
}
