/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and returns: Ackermann and Fibonacci without help from the optimiser. */
#include "bench.h"

__attribute__((noinline, optimize("O1"))) static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline, optimize("O1"))) static unsigned ackermann(unsigned m, unsigned n)
{
	if (!m)
		return n + 1;
	return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}

unsigned bench(void)
{
	unsigned sum = fibonacci(32);
	for (int i = 0; i < 6; i++)
		sum += ackermann(3, 7);
	return sum;
}
