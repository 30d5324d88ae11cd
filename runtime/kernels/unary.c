/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one number. The real ones make float32 of integers, the others keep the type. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>

static bool compute(struct kernel_context *c, struct value *const *args, run_function *integers, run_function *doubles)
{
	const unsigned type = args[0]->as.tensor->type;
	struct elementwise e = { .integers = integers, .doubles = doubles, .in = { operand_of(args[0]) }, .inputs = 1 };

	e.compute = e.result = integers ? type : real_type(type);
	return elementwise_run(c, &e, args[1]->as.tensor);
}

#define REAL(name, expression) \
	LOOP(name##_doubles, d, d, expression) \
	bool kernel_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		return compute(c, args, NULL, name##_doubles); \
	}

#define KEEP(name, of_integer, of_double) \
	LOOP(name##_integers, i, i, of_integer) \
	LOOP(name##_doubles, d, d, of_double) \
	bool kernel_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		return compute(c, args, name##_integers, name##_doubles); \
	}

REAL(acos, acos(x))
REAL(acosh, acosh(x))
REAL(asin, asin(x))
REAL(asinh, asinh(x))
REAL(atan, atan(x))
REAL(atanh, atanh(x))
REAL(cos, cos(x))
REAL(cosh, cosh(x))
REAL(erf, erf(x))
REAL(erfc, erfc(x))
REAL(exp, exp(x))
REAL(exp2, exp2(x))
REAL(expm1, expm1(x))
REAL(log, log(x))
REAL(log10, log10(x))
REAL(log1p, log1p(x))
REAL(log2, log2(x))
REAL(reciprocal, 1 / x)
REAL(rsqrt, 1 / sqrt(x))
REAL(sigmoid, 1 / (1 + exp(-x)))
REAL(sin, sin(x))
REAL(sinh, sinh(x))
REAL(sqrt, sqrt(x))
REAL(tan, tan(x))
REAL(tanh, tanh(x))

KEEP(abs, x < 0 ? subtract_wrapping(0, x) : x, fabs(x))
KEEP(neg, subtract_wrapping(0, x), -x)
KEEP(sign, (x > 0) - (x < 0), isnan(x) ? x : (x > 0) - (x < 0))
KEEP(ceil, x, ceil(x))
KEEP(floor, x, floor(x))
KEEP(trunc, x, trunc(x))
KEEP(round, x, nearbyint(x))
KEEP(relu, x < 0 ? 0 : x, x < 0 ? 0 : x)
