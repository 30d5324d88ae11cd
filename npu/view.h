/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of an operation to host pointers, with every byte checked. */
#ifndef NPU_VIEW_H
#define NPU_VIEW_H

#include "npu/npu.h"
#include "npu/op.h"

/* Numbers of the STATUS.faulting_channel field. */
enum npu_channel {
	NPU_CHANNEL_COMMAND = 0,
	NPU_CHANNEL_IFM = 1,
	NPU_CHANNEL_WEIGHTS = 2,
	NPU_CHANNEL_SCALES = 3,
	NPU_CHANNEL_DMA_READ = 4,
	NPU_CHANNEL_OFM = 8,
	NPU_CHANNEL_DMA_WRITE = 9,
};

/* A range of bytes that is not memory. */
struct npu_bus_fault {
	const char *what; /* "IFM", "weights", ... */
	u64 first, last;
	u8 region;
	u8 channel; /* enum npu_channel */
};

/* SHRAM behind the internal side of a DMA and the tables. */
struct npu_internal {
	u8 *bytes;
	u32 size;
	u32 lut_base;
};

/* False: `fault` says what could not be reached. SHRAM ranges are checked by the caller. */
bool npu_view_map(const struct npu_op *op, const struct npu_memory *m,
		  const struct npu_internal *internal, struct npu_view *view,
		  struct npu_bus_fault *fault);

/* Tells the owner of the memory which bytes the operation wrote. */
void npu_view_wrote(const struct npu_op *op, const struct npu_memory *m);

/* Tile of (y, x) of a feature map; both become coordinates within the tile. */
static inline unsigned npu_tile_of(const struct npu_fm *fm, u32 *y, u32 *x)
{
	unsigned right = *x >= fm->width0;
	u32 height = right ? fm->height1 : fm->height0;
	unsigned below = *y >= height;

	if (right)
		*x -= fm->width0;
	if (below)
		*y -= height;
	return right + 2 * below;
}

/* Offset of an element from the first one of its tile, bytes. */
static inline i64 npu_offset_of(const struct npu_fm *fm, u32 y, u32 x, u32 c)
{
	if (fm->format == NPU_NHWC)
		return (i64)y * fm->stride_y + (i64)x * fm->stride_x + (i64)c * fm->bytes;
	return (i64)y * fm->stride_y + (i64)(c / 16) * fm->stride_c +
	       ((i64)x * 16 + c % 16) * fm->bytes;
}

#endif
