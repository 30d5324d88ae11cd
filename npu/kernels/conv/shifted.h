/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwises of few channels: the elements of a row, whatever their channels, are a line, of which vectors have as many as they hold. A tap is the line some
 * pixels further, and its weights are those of all channels again and again. Convolutions of few channels, to few, have a line for each input, and sums for
 * each output, whose weights are the same for all pixels. */
#ifndef NPU_KERNELS_SHIFTED_H
#define NPU_KERNELS_SHIFTED_H

#include "npu/kernels/private.h"

/* Contract of npu_kernels_execute(). */
bool npu_fast_depthwise_shifted(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
/* The same for convolutions; levels that multiply bytes have better ways. */
bool npu_fast_conv_shifted(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
