/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that compute each element of the output from one element of each input: broadcasting, mixed types and
 * order in memory are done here, the operator itself is a loop over a run. */
#ifndef RUNTIME_KERNELS_ELEMENTWISE_H
#define RUNTIME_KERNELS_ELEMENTWISE_H

#include "runtime/kernels/element.h"

/* out[k] from a[k], b[k], c[k] (those that the operator has) for n <= RUN elements; out may be a. */
typedef void run_function(union number *out, const union number *a, const union number *b, const union number *c,
			  unsigned n, const void *parameters);

/* An input: a tensor, or a plain number when `tensor` is NULL. */
struct operand {
	const struct tensor *tensor;
	const struct value *number;
};

struct elementwise {
	run_function *integers, *doubles; /* loops on either; NULL: the operator does not compute with those */
	const void *parameters;           /* for the loops */
	struct operand in[3];
	unsigned inputs;
	unsigned compute;                 /* enum dtype of the computation */
	unsigned result;                  /* enum dtype of what the loop gives: `compute`, or bool for comparisons */
};

/* The operand that an argument is: a tensor or a number. */
struct operand operand_of(const struct value *v);

/* Type in which PyTorch computes with all operands. */
enum dtype operands_promote(const struct operand *in, unsigned inputs);

/* Resizes the output to the broadcast shape of the inputs and computes it. */
bool elementwise_run(struct kernel_context *c, const struct elementwise *e, struct tensor *out);

#endif
