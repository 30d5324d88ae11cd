/* SPDX-License-Identifier: Apache-2.0 */
/* Activation functions with parameters, clamping, and the choice between two tensors. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/loops.h"

#include <math.h>
#include <string.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_2_BY_PI 0.79788456080286535588

/* The loops' parameters: up to three numbers. */
#define P(k) (((const double *)p)[k])

LOOP(gelu_doubles, d, d, 0.5 * x * (1 + erf(x * SQRT_HALF)))
LOOP(gelu_tanh_doubles, d, d, 0.5 * x * (1 + tanh(SQRT_2_BY_PI * (x + 0.044715 * x * x * x))))
LOOP(leaky_relu_doubles, d, d, x > 0 ? x : x * P(0))
LOOP(elu_doubles, d, d, x <= 0 ? expm1(x * P(2)) * P(0) * P(1) : x * P(1))
LOOP(logit_doubles, d, d, log(x / (1 - x)))
LOOP(logit_eps_doubles, d, d, x < P(0) ? log(P(0) / (1 - P(0))) : x > 1 - P(0) ? log((1 - P(0)) / P(0)) : log(x / (1 - x)))

/* A function of one tensor with numbers as parameters; of real numbers only. */
static bool real(struct kernel_context *c, struct value *const *args, struct value *out, run_function *doubles,
		 const double *parameters)
{
	struct elementwise e = {
		.doubles = doubles, .parameters = parameters, .in = { operand_of(args[0]) }, .inputs = 1,
		.compute = args[0]->as.tensor->type, .result = args[0]->as.tensor->type,
	};

	return elementwise_run(c, &e, out->as.tensor);
}

bool kernel_gelu(struct kernel_context *c, struct value *const *args)
{
	const bool by_tanh = !strcmp(args[1]->as.text, "tanh");

	if (!by_tanh && strcmp(args[1]->as.text, "none"))
		return kernel_fail(c, "approximation %s is neither none nor tanh", args[1]->as.text);
	return real(c, args, args[2], by_tanh ? gelu_tanh_doubles : gelu_doubles, NULL);
}

bool kernel_leaky_relu(struct kernel_context *c, struct value *const *args)
{
	return real(c, args, args[2], leaky_relu_doubles, (double[]){ value_as_double(args[1]) });
}

bool kernel_elu(struct kernel_context *c, struct value *const *args)
{
	const double p[] = { value_as_double(args[1]), value_as_double(args[2]), value_as_double(args[3]) };

	return real(c, args, args[4], elu_doubles, p);
}

bool kernel_logit(struct kernel_context *c, struct value *const *args)
{
	struct elementwise e = { .doubles = logit_doubles, .in = { operand_of(args[0]) }, .inputs = 1 };
	double eps;

	if (!value_is_none(args[1])) {
		eps = value_as_double(args[1]);
		e.doubles = logit_eps_doubles;
		e.parameters = &eps;
	}
	e.compute = e.result = real_type(args[0]->as.tensor->type);
	return elementwise_run(c, &e, args[2]->as.tensor);
}

LOOP(at_least_integers, i, i, x < y ? y : x)
LOOP(at_least_doubles, d, d, isnan(x) || isnan(y) ? x + y : x < y ? y : x)
LOOP(at_most_integers, i, i, x > y ? y : x)
LOOP(at_most_doubles, d, d, isnan(x) || isnan(y) ? x + y : x > y ? y : x)
LOOP(between_integers, i, i, x < y ? (y > z ? z : y) : x > z ? z : x)
LOOP(between_doubles, d, d, isnan(x) || isnan(y) || isnan(z) ? x + y + z : x < y ? (y > z ? z : y) : x > z ? z : x)
LOOP(copy_integers, i, i, x)
LOOP(copy_doubles, d, d, x)

/* clamp(self, low, high, out): either bound may be missing; numbers or tensors. */
bool kernel_clamp(struct kernel_context *c, struct value *const *args)
{
	const bool low = !value_is_none(args[1]), high = !value_is_none(args[2]);
	struct elementwise e = { .in = { operand_of(args[0]), operand_of(args[low ? 1 : 2]), operand_of(args[2]) } };

	e.inputs = 1 + low + high;
	e.integers = low && high ? between_integers : low ? at_least_integers : high ? at_most_integers : copy_integers;
	e.doubles = low && high ? between_doubles : low ? at_least_doubles : high ? at_most_doubles : copy_doubles;
	e.compute = e.result = operands_promote(e.in, e.inputs);
	return elementwise_run(c, &e, args[3]->as.tensor);
}

/* hardtanh(self, low, high, out) keeps the type of self. */
bool kernel_hardtanh(struct kernel_context *c, struct value *const *args)
{
	struct elementwise e = {
		.integers = between_integers, .doubles = between_doubles,
		.in = { operand_of(args[0]), operand_of(args[1]), operand_of(args[2]) }, .inputs = 3,
	};

	e.compute = e.result = args[0]->as.tensor->type;
	return elementwise_run(c, &e, args[3]->as.tensor);
}

LOOP(where_integers, i, i, x ? y : z)
LOOP(where_doubles, d, d, x != 0 ? y : z)

/* where(condition, self, other, out) */
bool kernel_where(struct kernel_context *c, struct value *const *args)
{
	const unsigned condition = args[0]->as.tensor->type;
	struct elementwise e = {
		.integers = where_integers, .doubles = where_doubles,
		.in = { operand_of(args[0]), operand_of(args[1]), operand_of(args[2]) }, .inputs = 3,
	};

	if (condition != DTYPE_BOOL && condition != DTYPE_UINT8)
		return kernel_fail(c, "condition of type %s is not supported", dtype_name(condition));
	e.compute = e.result = operands_promote(e.in + 1, 2);
	return elementwise_run(c, &e, args[3]->as.tensor);
}


/* masked_fill(self, mask, value, out) keeps the type of self. */
bool kernel_masked_fill(struct kernel_context *c, struct value *const *args)
{
	struct elementwise e = {
		.integers = where_integers, .doubles = where_doubles,
		.in = { operand_of(args[1]), operand_of(args[2]), operand_of(args[0]) }, .inputs = 3,
	};

	if (args[1]->as.tensor->type != DTYPE_BOOL)
		return kernel_fail(c, "mask of type %s is not bool", dtype_name(args[1]->as.tensor->type));
	e.compute = e.result = args[0]->as.tensor->type;
	return elementwise_run(c, &e, args[3]->as.tensor);
}
