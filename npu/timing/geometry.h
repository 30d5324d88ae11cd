/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of an operation: how many there are of each size. Private to npu/timing/.
 *
 * The OFM is cut into blocks of block_h x block_w x block_d; those at the lower, right and deep
 * edge may be smaller. So there are at most 2 x 2 x 2 kinds of block, each of which is costed
 * once and multiplied by its count. */
#ifndef NPU_TIMING_GEOMETRY_H
#define NPU_TIMING_GEOMETRY_H

#include "npu/config.h"
#include "npu/integer.h"
#include "npu/op.h"

struct block {
	u32 h, w, d;          /* OFM elements */
	u64 count;            /* blocks of this kind */
};

struct blocks {
	struct block kind[8]; /* the first is the largest */
	unsigned kinds;
	u64 count;
	u64 rows, columns, slices; /* blocks along each axis */
};

struct ublock { u32 h, w, d; };

/* How the OFM falls into blocks of the size that the command stream gives. */
void blocks_of(const struct npu_op *op, struct blocks *out);

/* Kernels above 8x8 taps are worked off in pieces, each of which reads its own window. */
enum { SUB_KERNEL = 8 };
struct taps { u32 first, count; };

struct sub_kernels {
	u64 taps[4], count[4]; /* taps of a piece, and how many such pieces there are */
	unsigned kinds;
};

/* Both axes of the kernel cut every SUB_KERNEL taps. */
void sub_kernels_of(const struct npu_op *op, struct sub_kernels *out);

/* Rows (or columns) of a map that all blocks along the axis read together: windows overlap, padding is not
 * read, a broadcast map has one row for every block. `taps`: the piece of the kernel along the axis. */
u64 rows_read(const struct npu_op *op, const struct npu_fm *map, struct taps taps);
u64 columns_read(const struct npu_op *op, const struct npu_fm *map, struct taps taps);

/* Arrangement of the MAC array for this operation. U55 and U65: that of the configuration, but 1x4 instead of
 * 2x2 for one-line maps of even width. U85: as the command stream says. */
struct ublock ublock_of(const struct npu_config *config, const struct npu_op *op);

/* Channels of an IFM block, as the compilers choose blocks (Vela 5.2): an operation that does not sum over the depth reads what the OFM block
 * needs. */
u32 ifm_block_depth(const struct npu_config *config, const struct npu_op *op);

/* Operations that read the whole IFM depth for every OFM block. */
static inline bool sums_over_depth(const struct npu_op *op)
{
	return op->kind == NPU_CONV || (op->kind == NPU_POOL && op->mode == NPU_POOL_REDUCE_SUM);
}

/* Elements of the IFM window that a run of `n` OFM elements needs, padding included. */
static inline u64 window_of(u64 n, u64 stride, u64 taps, u64 dilation)
{
	return (n - 1) * max_u64(stride, 1) + (max_u64(taps, 1) - 1) * max_u64(dilation, 1) + 1;
}

#endif
