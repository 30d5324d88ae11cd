/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of an operation: how many there are of each size. Private to npu/timing/.
 *
 * The OFM is cut into blocks of block_h x block_w x block_d; those at the lower, right and deep
 * edge may be smaller. So there are at most 2 x 2 x 2 kinds of block, each of which is costed
 * once and multiplied by its count. */
#ifndef NPU_TIMING_GEOMETRY_H
#define NPU_TIMING_GEOMETRY_H

#include "npu/config.h"
#include "npu/op.h"

struct block {
	u32 h, w, d;          /* OFM elements */
	u32 ifm_h, ifm_w;     /* IFM elements under it, inside the map, before upscaling */
	u64 count;            /* blocks of this kind */
	u64 positions;        /* of them, with another position in height and width */
};

struct blocks {
	struct block kind[8];
	unsigned kinds;
	u64 count;
};

struct ublock { u32 h, w, d; };

void blocks_of(const struct npu_op *op, struct blocks *out);

/* Arrangement of the MAC array for this operation: U55/U65 with 2-high ublocks use 1x4 for
 * one-line maps of even width. */
struct ublock ublock_of(const struct npu_config *config, const struct npu_op *op);

static inline u64 div_up(u64 a, u64 b)
{
	return (a + b - 1) / b;
}

static inline u64 round_up_to(u64 a, u64 b)
{
	return div_up(a, b) * b;
}

static inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* Operations that read the whole IFM depth for every OFM block. */
static inline bool sums_over_depth(const struct npu_op *op)
{
	return op->kind == NPU_CONV || (op->kind == NPU_POOL && op->mode == NPU_POOL_REDUCE_SUM);
}

#endif
