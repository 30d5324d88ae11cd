/* SPDX-License-Identifier: Apache-2.0 */
/* Operators whose input and output have the shape N, H, W, C: in memory they are what the operators of the shape N, C, H, W
 * have in the order channels-last. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/kernels.h"

#include <string.h>

enum { RANK = 4, MOST_ARGUMENTS = 17 };

/* A tensor of N, H, W, C as N, C, H, W. */
struct turned {
	struct tensor tensor;
	struct value value;
	int32_t sizes[RANK], strides[RANK];
	uint8_t order[RANK];
};

/* The dimension of N, H, W, C that is each of N, C, H, W, and the other way round. */
static const uint8_t turn[RANK] = { 0, 3, 1, 2 }, turned_back[RANK] = { 0, 2, 3, 1 };

static bool turn_tensor(struct kernel_context *c, struct tensor *t, const char *what, struct turned *to)
{
	if (t->rank != RANK)
		return kernel_fail(c, "%s has %u dimensions, not 4", what, t->rank);
	to->tensor = *t;
	to->tensor.sizes = to->sizes;
	to->tensor.strides = to->strides;
	to->tensor.order = to->order;
	for (unsigned d = 0; d < RANK; d++) {
		to->sizes[d] = t->sizes[turn[d]];
		to->order[d] = turned_back[t->order[d]];
	}
	tensor_set_strides(&to->tensor);
	to->value = (struct value){ .kind = VALUE_TENSOR, .as.tensor = &to->tensor };
	return true;
}

/* Runs the operator on N, C, H, W; args[0] is the input and args[count - 1] the output. */
static bool run_turned(struct kernel_context *c, struct value *const *args, unsigned count, kernel_function *run)
{
	struct tensor *out = args[count - 1]->as.tensor;
	struct value *turned[MOST_ARGUMENTS];
	struct turned from, to;

	if (!turn_tensor(c, args[0]->as.tensor, "input", &from) || !turn_tensor(c, out, "output", &to))
		return false;
	memcpy(turned, args, count * sizeof *args);
	turned[0] = &from.value;
	turned[count - 1] = &to.value;
	return run(c, turned) &&
	       kernel_resize(c, out, (int32_t[]){ to.sizes[0], to.sizes[2], to.sizes[3], to.sizes[1] }, RANK);
}

/* Arguments as those of the operator of the same name without `_nhwc`. */
#define TURNED(name, count) \
	bool kernel_cortex_m_##name##_nhwc(struct kernel_context *c, struct value *const *args) \
	{ \
		return run_turned(c, args, count, kernel_cortex_m_##name); \
	}

TURNED(convolve, 14)
TURNED(depthwise, 15)
TURNED(transpose_convolve, 16)
TURNED(max_pool, 11)

bool kernel_cortex_m_average_pool_nhwc(struct kernel_context *c, struct value *const *args)
{
	return run_turned(c, args, 10, kernel_cortex_m_average_pool_ceil);
}
