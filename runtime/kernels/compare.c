/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, logic on truth values, and logic on bits; tensors or a tensor and a number. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>

static bool compute(struct kernel_context *c, const struct elementwise *loops, struct value *const *args, bool truth)
{
	struct elementwise e = *loops;

	for (unsigned k = 0; k < e.inputs; k++)
		e.in[k] = operand_of(args[k]);
	e.compute = operands_promote(e.in, e.inputs);
	e.result = truth ? DTYPE_BOOL : e.compute;
	return elementwise_run(c, &e, args[e.inputs]->as.tensor);
}

#define TRUTH(name, count, expression) \
	LOOP(name##_integers, i, i, expression) \
	LOOP(name##_doubles, i, d, expression) \
	bool kernel_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		return compute(c, &(struct elementwise){ .integers = name##_integers, .doubles = name##_doubles, \
							.inputs = count }, args, true); \
	}

TRUTH(eq, 2, x == y)
TRUTH(ne, 2, x != y)
TRUTH(lt, 2, x < y)
TRUTH(le, 2, x <= y)
TRUTH(gt, 2, x > y)
TRUTH(ge, 2, x >= y)
TRUTH(logical_and, 2, x != 0 && y != 0)
TRUTH(logical_or, 2, x != 0 || y != 0)
TRUTH(logical_xor, 2, (x != 0) != (y != 0))
TRUTH(logical_not, 1, x == 0)
TRUTH(isnan, 1, x != x)
TRUTH(isinf, 1, x != 0 && x - x != 0 && x == x)

/* A zero may have a sign, too. */
static bool has_sign(double x)
{
	return signbit(x) != 0;
}

LOOP(signbit_integers, i, i, x < 0)
LOOP(signbit_doubles, i, d, has_sign(x))

bool kernel_signbit(struct kernel_context *c, struct value *const *args)
{
	return compute(c, &(struct elementwise){ .integers = signbit_integers, .doubles = signbit_doubles, .inputs = 1 }, args, true);
}

#define BITS(name, count, expression) \
	LOOP(name##_integers, i, i, expression) \
	bool kernel_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		return compute(c, &(struct elementwise){ .integers = name##_integers, .inputs = count }, args, false); \
	}

static int64_t shift_left(int64_t x, int64_t y)
{
	return y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y);
}

static int64_t shift_right(int64_t x, int64_t y)
{
	return x >> (y < 0 || y > 63 ? 63 : y);
}

BITS(bitwise_and, 2, x & y)
BITS(bitwise_or, 2, x | y)
BITS(bitwise_xor, 2, x ^ y)
BITS(bitwise_left_shift, 2, shift_left(x, y))
BITS(bitwise_right_shift, 2, shift_right(x, y))
LOOP(bitwise_not_integers, i, i, ~x)

bool kernel_bitwise_not(struct kernel_context *c, struct value *const *args)
{
	if (args[0]->as.tensor->type == DTYPE_BOOL)
		return kernel_logical_not(c, args);
	return compute(c, &(struct elementwise){ .integers = bitwise_not_integers, .inputs = 1 }, args, false);
}
