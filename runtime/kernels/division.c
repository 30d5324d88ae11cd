/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients, remainders and powers. Integers divided by zero are refused. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>
#include <string.h>

/* The loops' parameters. */
struct division {
	bool *by_zero;
	unsigned type; /* of the computation: quotients are rounded to it before they are cut off */
};

static int64_t divide_trunc(int64_t x, int64_t y, const struct division *p)
{
	if (!y)
		*p->by_zero = true;
	return !y ? 0 : y == -1 ? subtract_wrapping(0, x) : x / y;
}

static int64_t divide_floor(int64_t x, int64_t y, const struct division *p)
{
	const int64_t q = divide_trunc(x, y, p);

	return y && y != -1 && x % y && (x < 0) != (y < 0) ? q - 1 : q;
}

static int64_t modulo_trunc(int64_t x, int64_t y, const struct division *p)
{
	if (!y)
		*p->by_zero = true;
	return !y || y == -1 ? 0 : x % y;
}

static int64_t modulo_floor(int64_t x, int64_t y, const struct division *p)
{
	const int64_t r = modulo_trunc(x, y, p);

	return r && (r < 0) != (y < 0) ? r + y : r;
}

static double rounded(double x, const struct division *p)
{
	return rounded_to(x, p->type == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32);
}

static double real_floor(double x, double y, const struct division *p)
{
	if (y == 0)
		return rounded(x / y, p);

	const double mod = fmod(x, y);
	const double q = rounded((rounded(x - mod, p)) / y, p) - (mod != 0 && (y < 0) != (mod < 0));

	if (q == 0)
		return copysign(0.0, x / y);
	return q - floor(q) > 0.5 ? floor(q) + 1 : floor(q);
}

static double real_remainder(double x, double y)
{
	const double mod = fmod(x, y);

	return mod != 0 && (y < 0) != (mod < 0) ? mod + y : mod;
}

static int64_t power(int64_t x, int64_t y)
{
	int64_t r = 1;

	if (y < 0)
		return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
	for (; y; y >>= 1, x = multiply_wrapping(x, x))
		if (y & 1)
			r = multiply_wrapping(r, x);
	return r;
}

LOOP(div_doubles, d, d, x / y)
LOOP(trunc_integers, i, i, divide_trunc(x, y, p))
LOOP(trunc_doubles, d, d, trunc(rounded(x / y, p)))
LOOP(floor_integers, i, i, divide_floor(x, y, p))
LOOP(floor_doubles, d, d, real_floor(x, y, p))
LOOP(fmod_integers, i, i, modulo_trunc(x, y, p))
LOOP(fmod_doubles, d, d, fmod(x, y))
LOOP(remainder_integers, i, i, modulo_floor(x, y, p))
LOOP(remainder_doubles, d, d, real_remainder(x, y))
LOOP(pow_integers, i, i, power(x, y))
LOOP(pow_doubles, d, d, pow(x, y))
LOOP(atan2_doubles, d, d, atan2(x, y))

static bool compute(struct kernel_context *c, struct value *const *args, struct value *out, run_function *integers,
		    run_function *doubles)
{
	bool by_zero = false;
	struct elementwise e = {
		.integers = integers, .doubles = doubles, .in = { operand_of(args[0]), operand_of(args[1]) }, .inputs = 2,
	};
	const unsigned type = operands_promote(e.in, 2);
	struct division p;

	e.compute = e.result = integers ? type : real_type(type);
	p = (struct division){ &by_zero, e.compute };
	e.parameters = &p;
	if (!elementwise_run(c, &e, out->as.tensor))
		return false;
	return !by_zero || kernel_fail(c, "an integer is divided by zero");
}

bool kernel_div(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], NULL, div_doubles);
}

bool kernel_div_mode(struct kernel_context *c, struct value *const *args)
{
	if (value_is_none(args[2]))
		return compute(c, args, args[3], NULL, div_doubles);
	if (!strcmp(args[2]->as.text, "trunc"))
		return compute(c, args, args[3], trunc_integers, trunc_doubles);
	if (!strcmp(args[2]->as.text, "floor"))
		return compute(c, args, args[3], floor_integers, floor_doubles);
	return kernel_fail(c, "rounding mode %s is neither trunc nor floor", args[2]->as.text);
}

bool kernel_floor_divide(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], floor_integers, floor_doubles);
}

bool kernel_fmod(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], fmod_integers, fmod_doubles);
}

bool kernel_remainder(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], remainder_integers, remainder_doubles);
}

bool kernel_pow(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], pow_integers, pow_doubles);
}

bool kernel_atan2(struct kernel_context *c, struct value *const *args)
{
	return compute(c, args, args[2], NULL, atan2_doubles);
}
