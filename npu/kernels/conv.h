/* SPDX-License-Identifier: Apache-2.0 */
/* What convolution and depthwise share. */
#ifndef NPU_KERNELS_CONV_H
#define NPU_KERNELS_CONV_H

#include "npu/kernels/channels.h"

/* True when element - zero point of the IFM fits int16. */
bool npu_types_fit(const struct npu_op *op);
/* True when the IFM is 8-bit and its zero point is one of its values. */
bool npu_flip_fits(const struct npu_op *op);
/* All but `row`. */
void npu_gather_init(struct npu_gather *g, const struct npu_op *op, const struct npu_view *view);
/* Then: padding of u8 panels, which hold element - zero point + pad. */
u32 npu_flip_pad(const struct npu_op *op);

#endif
