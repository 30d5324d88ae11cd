/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one number that libm has not, or not in C11: computed in double, integers become float32. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The number whose error function is x: a first guess (S. Winitzki, 2008: right to 0.002), then Halley's steps. Beyond one
 * half they go by erfc, which keeps its digits there. */
static double inverse_erf(double x)
{
	const double size = fabs(x), rest = 1 - size;
	double l, t, w;

	if (!(size < 1))
		return size == 1 ? copysign(INFINITY, x) : NAN;
	l = log(rest * (1 + size));
	t = 2 / (PI * 0.147) + l / 2;
	w = sqrt(sqrt(t * t - l / 0.147) - t);
	for (unsigned k = 0; k < 3; k++) {
		const double off = size > 0.5 ? rest - erfc(w) : erf(w) - size;
		const double step = off * sqrt(PI) / 2 * exp(w * w);

		w -= step / (1 + w * step);
	}
	return copysign(w, x);
}

/* The derivative of lgamma: moved up to where its asymptotic series holds, from below 0 by reflection. */
static double digamma_of(double x)
{
	double result = 0, y;

	if (x == 0)
		return copysign(INFINITY, -x);
	if (x < 0) {
		if (x == floor(x))
			return NAN;
		result = -PI / tan(PI * (x - floor(x)));
		x = 1 - x;
	}
	for (; x < 12; x++)
		result -= 1 / x;
	y = 1 / (x * x);
	return result + log(x) - 0.5 / x -
	       y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760 - y / 12))))));
}

/* The modified Bessel function of the first kind, order 0: its power series, all terms of which are positive. */
static double bessel_i0(double x)
{
	const double quarter = x * x / 4;
	double sum = 1, term = 1;

	for (double k = 1; isfinite(sum) && term > sum * 1e-18; k++) {
		term *= quarter / (k * k);
		sum += term;
	}
	return sum;
}

#define REAL(name, expression) \
	LOOP(name##_doubles, d, d, expression) \
	bool kernel_##name(struct kernel_context *c, struct value *const *args) \
	{ \
		struct elementwise e = { .doubles = name##_doubles, .in = { operand_of(args[0]) }, .inputs = 1 }; \
\
		e.compute = e.result = real_type(args[0]->as.tensor->type); \
		return elementwise_run(c, &e, args[1]->as.tensor); \
	}

REAL(erfinv, inverse_erf(x))
REAL(lgamma, lgamma(x))
REAL(digamma, digamma_of(x))
REAL(i0, bessel_i0(x))
