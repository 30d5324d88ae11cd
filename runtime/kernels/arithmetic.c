/* SPDX-License-Identifier: Apache-2.0 */
/* Sum, difference, product, larger and smaller of two and the like; tensors or a tensor and a number. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>

struct scaled {
	int64_t i;
	double d;
};

#define ALPHA ((const struct scaled *)p)
LOOP(add_integers, i, i, add_wrapping(x, multiply_wrapping(ALPHA->i, y)))
LOOP(add_doubles, d, d, x + ALPHA->d * y)
LOOP(sub_integers, i, i, subtract_wrapping(x, multiply_wrapping(ALPHA->i, y)))
LOOP(sub_doubles, d, d, x - ALPHA->d * y)
LOOP(mul_integers, i, i, multiply_wrapping(x, y))
LOOP(mul_doubles, d, d, x * y)
LOOP(maximum_integers, i, i, x > y ? x : y)
LOOP(maximum_doubles, d, d, isnan(x) || x > y ? x : y)
LOOP(minimum_integers, i, i, x < y ? x : y)
LOOP(minimum_doubles, d, d, isnan(x) || x < y ? x : y)
LOOP(fmax_doubles, d, d, isnan(y) || x > y ? x : y)
LOOP(fmin_doubles, d, d, isnan(y) || x < y ? x : y)
LOOP(copysign_doubles, d, d, copysign(x, y))
LOOP(hypot_doubles, d, d, hypot(x, y))

static bool compute(struct kernel_context *c, const struct value *a, const struct value *b, struct value *out,
		    run_function *integers, run_function *doubles, const struct value *alpha)
{
	struct elementwise e = { .integers = integers, .doubles = doubles, .in = { operand_of(a), operand_of(b) }, .inputs = 2 };
	struct scaled scale;

	e.compute = e.result = operands_promote(e.in, 2);
	if (alpha) {
		if (alpha->kind == VALUE_DOUBLE && !dtype_is_float(e.compute))
			return kernel_fail(c, "alpha is a floating-point number, the inputs are integers");
		scale.i = value_as_int(alpha);
		scale.d = rounded_to(value_as_double(alpha), e.compute == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
		e.parameters = &scale;
	}
	return elementwise_run(c, &e, out->as.tensor);
}

bool kernel_add(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[3], add_integers, add_doubles, args[2]);
}

bool kernel_sub(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[3], sub_integers, sub_doubles, args[2]);
}

bool kernel_rsub(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[1], args[0], args[3], sub_integers, sub_doubles, args[2]);
}

bool kernel_mul(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], mul_integers, mul_doubles, NULL);
}

bool kernel_maximum(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], maximum_integers, maximum_doubles, NULL);
}

bool kernel_minimum(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], minimum_integers, minimum_doubles, NULL);
}

/* Larger and smaller of two, and the other one where one is NaN. */
bool kernel_fmax(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], maximum_integers, fmax_doubles, NULL);
}

bool kernel_fmin(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], minimum_integers, fmin_doubles, NULL);
}

/* copysign(self, other, out): of integers, float32. */
bool kernel_copysign(struct kernel_context *c, struct value *const *args)
{
	struct elementwise e = { .doubles = copysign_doubles, .in = { operand_of(args[0]), operand_of(args[1]) }, .inputs = 2 };

	e.compute = e.result = real_type(operands_promote(e.in, 2));
	return elementwise_run(c, &e, args[2]->as.tensor);
}

bool kernel_hypot(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], NULL, hypot_doubles, NULL);
}

/* The largest number that divides both; that of 0 and a number is the number. */
static int64_t divisor_of(int64_t x, int64_t y)
{
	uint64_t a = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, b = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;

	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return (int64_t)a;
}

static int64_t multiple_of(int64_t x, int64_t y)
{
	const int64_t divisor = divisor_of(x, y);
	const int64_t product = divisor ? multiply_wrapping(x / divisor, y) : 0;

	return product < 0 ? subtract_wrapping(0, product) : product;
}

LOOP(gcd_integers, i, i, divisor_of(x, y))
LOOP(lcm_integers, i, i, multiple_of(x, y))

bool kernel_gcd(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], gcd_integers, NULL, NULL);
}

bool kernel_lcm(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args[0], args[1], args[2], lcm_integers, NULL, NULL);
}
