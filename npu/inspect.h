/* SPDX-License-Identifier: Apache-2.0 */
/* Looks into an operation: its tensors in plain order, its weights decoded, the accumulator behind a result. Nothing here
 * is fast; everything comes from the generic executors. */
#ifndef NPU_INSPECT_H
#define NPU_INSPECT_H

#include "npu/npu.h"

/* The elements of a map in y, x, c order as they are stored, fm->bytes each, into out. `tiles`: of the view. */
void npu_inspect_map(const struct npu_fm *fm, const u8 *const tiles[NPU_TILES], u8 *out);
/* Weights of a CONV or DEPTHWISE without their zero point, [OFM depth][kernel_h][kernel_w][IFM depth; depthwise: 1], to be freed.
 * NULL: the stream is damaged, or memory short. */
i16 *npu_inspect_weights(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view);
/* The accumulator of OFM element (y, x, c), bias included; false where the operation has none, or one that is not modelled
 * here (U85's operations, pools, elementwise). */
bool npu_inspect_accumulator(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view, u32 y, u32 x, u32 c,
			     i64 *out);

#endif
