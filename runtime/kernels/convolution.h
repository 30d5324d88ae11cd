/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of convolutions of one, two and three dimensions, in groups and transposed. Missing dimensions in space count as
 * one of size 1. */
#ifndef RUNTIME_KERNELS_CONVOLUTION_H
#define RUNTIME_KERNELS_CONVOLUTION_H

#include "runtime/core/kernel.h"

#define SPACE 3

/* A dimension in space. */
struct axis {
	int32_t in, out, kernel, stride, padding, dilation, output_padding;
	int32_t in_stride, out_stride, kernel_stride; /* in elements */
};

struct convolution {
	const struct tensor *in, *weight, *bias, *out;
	struct axis axes[SPACE];
	bool transposed;
	int32_t groups, inputs, outputs; /* channels per group */
};

/* Reads stride, padding, dilation, transposed, output_padding and groups from windows[0..5]. sizes[0..rank) get the
 * output's. False after kernel_fail. */
bool convolution_read(struct kernel_context *c, struct convolution *v, const struct tensor *in, const struct tensor *weight,
		       struct value *const *windows, int32_t *sizes);

/* The output, when it has the sizes of convolution_read(). */
void convolution_set_output(struct convolution *v, const struct tensor *out);

/* The input behind a tap of the window of an output, or -1. */
int32_t convolution_input_behind(const struct axis *a, bool transposed, int32_t out, int32_t tap);

#endif
