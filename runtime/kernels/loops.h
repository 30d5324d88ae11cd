/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of elementwise operators, made from one expression each, and the types they compute in. */
#ifndef RUNTIME_KERNELS_LOOPS_H
#define RUNTIME_KERNELS_LOOPS_H

#include "runtime/kernels/elementwise.h"

/* LOOP(name, member of the result, member of the operands, expression in x, y, z, p): `p` are the parameters. */
#define LOOP(name, to, from, expression) \
	static void name(union number *out, const union number *a, const union number *b, const union number *c, \
			 unsigned n, const void *p) \
	{ \
		(void)b, (void)c, (void)p; \
		for (unsigned k = 0; k < n; k++) { \
			const __typeof__(a->from) x = a[k].from, y = b[k].from, z = c[k].from; \
			(void)x, (void)y, (void)z; \
			out[k].to = (expression); \
		} \
	}

/* float32 for all that is no floating-point type: what PyTorch makes of integers where the result is real. */
static inline unsigned real_type(unsigned type)
{
	return dtype_is_float(type) ? type : DTYPE_FLOAT32;
}

/* Integers wrap at 64 bits. */
static inline int64_t add_wrapping(int64_t x, int64_t y)
{
	return (int64_t)((uint64_t)x + (uint64_t)y);
}

static inline int64_t subtract_wrapping(int64_t x, int64_t y)
{
	return (int64_t)((uint64_t)x - (uint64_t)y);
}

static inline int64_t multiply_wrapping(int64_t x, int64_t y)
{
	return (int64_t)((uint64_t)x * (uint64_t)y);
}

#endif
