/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that convolutions of the cortex_m dialect share. */
#ifndef RUNTIME_KERNELS_CORTEX_M_WINDOW_H
#define RUNTIME_KERNELS_CORTEX_M_WINDOW_H

#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/cortex_m/dot.h"

struct convolution {
	struct nhwc in, out;
	struct pair kernel, stride, padding, dilation, output_padding;
	int32_t multiplier;       /* depth multiplier */
	int32_t groups;           /* of channels that do not see each other */
	int32_t in_offset;        /* added to each input: padding is -in_offset */
	const int8_t *weights;
	const int32_t *bias;      /* or NULL */
	struct scaling scaling;
};

/* Reads stride, padding and dilation from args[0..2], of the sizes that a corrupt program could ask for only those that
 * keep the arithmetic of positions within 32 bits. */
bool convolution_windows(struct kernel_context *c, struct convolution *v, struct value *const *args);

/* Height and width of the output of a window that moves over the input; 0: the window does not fit. */
void convolution_set_extent(struct convolution *v);

/* Reads the tensors input and weight from args[0..1] and the windows from windows[0..2]. *weight gets the weight's sizes
 * in the order of its dimensions; they mean: n outputs (or 1), c height, h width, w inputs (or outputs). */
bool convolution_begin(struct kernel_context *c, struct convolution *v, struct value *const *args,
		       struct value *const *windows, struct nhwc *weight);

/* Computes a convolution between tensors in the order N, H, W, C. */
typedef bool convolution_function(struct kernel_context *c, const struct convolution *v, const int8_t *in, int8_t *out);

/* When all sizes are known: reads in_offset, output offset, multipliers, shifts, activation_min, activation_max from
 * scaling[0..5] and the bias from args[2], resizes the output and computes it. */
bool convolution_finish(struct kernel_context *c, struct convolution *v, struct value *const *args,
			struct value *const *scaling, struct tensor *out, convolution_function *compute);

#endif
