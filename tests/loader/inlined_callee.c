/* SPDX-License-Identifier: Apache-2.0 */
int callee(int x)
{
	__asm volatile(".global here\nhere:\tnop" : "+r"(x));
	return x;
}
