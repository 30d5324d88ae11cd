/* SPDX-License-Identifier: Apache-2.0 */
/* Working state of a depthwise convolution; all arrays lie in temporary memory. */
#ifndef RUNTIME_KERNELS_CORTEX_M_DEPTHWISE_H
#define RUNTIME_KERNELS_CORTEX_M_DEPTHWISE_H

#include "runtime/kernels/cortex_m/window.h"

struct depthwise {
	const struct convolution *v;
	int32_t taps;                            /* positions of the window */
	int32_t *initial, *multipliers, *shifts; /* per channel */
	const int8_t **inputs;                   /* per tap, of the present pixel */
	int8_t *zeros;                           /* zero points of all channels */
	bool pairs_fit;                          /* one input per output channel, and no weight is -128 */
};

/* Computes the output, in the order N, H, W, C. */
bool depthwise_convolve(struct kernel_context *c, const struct convolution *v, const int8_t *in, int8_t *out);

#endif
