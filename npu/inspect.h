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
/* Makes fm describe the array that npu_inspect_map() wrote of it. */
void npu_inspect_plain(struct npu_fm *fm);

enum npu_inspected {
	NPU_INSPECT_OK,
	NPU_INSPECT_NONE,    /* the operation has no accumulator: elementwise, resize, DMA, pool without a window */
	NPU_INSPECT_CHAINED, /* U85: an operand, of any operation, came through a chain buffer, which is not in memory */
	NPU_INSPECT_KEPT,    /* U85: it started from what the operation before left in the accumulators */
	NPU_INSPECT_FAILED,  /* the weight or scale stream is damaged, or memory short */
};

/* The accumulator behind element (y, x, c) of the OFM as it is stored, before scaling: sum of products and bias; of a pool the sum of the
 * window (also of an average pool) or what it chose. */
enum npu_inspected npu_inspect_accumulator(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view, u32 y, u32 x,
					   u32 c, i64 *out);

#endif
