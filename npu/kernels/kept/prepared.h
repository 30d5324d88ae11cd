/* SPDX-License-Identifier: Apache-2.0 */
/* Per-channel constants of convolutions and depthwises, kept beside the weights they belong to.
 *
 * Found again by the operation's scaling and the bytes of its scale stream, which are compared
 * with a kept copy as those of the weights are (packed.h). */
#ifndef NPU_KERNELS_PREPARED_H
#define NPU_KERNELS_PREPARED_H

#include "npu/kernels/conv/channels.h"

/* npu_channels_read(), and `pad` times each channel's sum of weights taken off its start value:
 * u8 panels hold element - zero point + pad. `split`: high bytes of split words hold 128 more, sums begin with the bias's bytes.
 * Arrays of *c are not to be changed. */
bool npu_prepare_channels(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
			  struct npu_packed *weights, u32 pad, bool split, struct npu_channels *c);

/* Whether the records that *p was made of are those that the view shows. */
bool npu_prepared_same(const struct npu_prepared *p, const struct npu_view *view);

#endif
