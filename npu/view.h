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
	u32 size;     /* bytes */
	u32 lut_base; /* offset of the lookup tables */
};

/* Fills the view of an operation out of memory, internal memory included. False: `fault` says what could not be
 * reached. */
bool npu_view_map(const struct npu_op *op, const struct npu_memory *m,
		  const struct npu_internal *internal, struct npu_view *view,
		  struct npu_bus_fault *fault);

/* Memory that an operation wrote. */
struct npu_written {
	u64 first, bytes; /* bus address */
};

/* Ranges that all bytes written lie in; returns how many. */
unsigned npu_view_written(const struct npu_op *op, const struct npu_view *view, struct npu_written w[NPU_TILES]);

/* Bytes that an operation reads or writes on the bus, as one range around all of them. */
struct npu_touched {
	u64 first, bytes; /* bus address */
	u8 region;
	bool written;
};

enum { NPU_TOUCHED = 3 * NPU_TILES + 2 * NPU_MAX_CORES }; /* more than any operation has */

/* All that an operation touches but its commands; returns how many. Where indices choose rows: all that they could choose. */
unsigned npu_view_touched(const struct npu_op *op, struct npu_touched t[NPU_TOUCHED]);

/* Row that an index names; indices beyond the limits are taken to them (undocumented). */
static inline i64 npu_dma_index(const struct npu_dma *d, const u8 *index, u32 plane, u32 row)
{
	const u8 *p = index + (i64)plane * d->index_plane_stride + (i64)row * 4;
	i32 i = (i32)(p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24);

	return i < 0 ? 0 : (u32)i > d->index_max ? (i64)d->index_max : i;
}

/* Bytes relative to a tile's base: from first, up to but without end. */
struct npu_range {
	i64 first, end;
};

/* So many steps of `stride` bytes more. */
static inline void npu_range_grow(struct npu_range *r, i64 stride, u32 count)
{
	i64 reach = stride * (i64)(count - 1);
	if (reach < 0)
		r->first += reach;
	else
		r->end += reach;
}

/* What h x w elements of a tile reach. */
static inline struct npu_range npu_tile_range(const struct npu_fm *fm, u32 h, u32 w)
{
	struct npu_range r = { 0, 0 };

	if (fm->format == NPU_NHWC) {
		r.end = (i64)fm->depth * fm->bytes;
	} else {
		u32 groups = (fm->depth + 15) / 16;
		u32 rest = fm->depth - 16 * (groups - 1); /* channels of the last group */
		i64 last = (i64)(groups - 1) * fm->stride_c;
		i64 full = groups > 1 ? (i64)16 * fm->bytes : 0;

		r.first = last < 0 ? last : 0;
		r.end = last + (i64)rest * fm->bytes;
		if (full > r.end)
			r.end = full;
		if (groups > 2 && last - fm->stride_c + full > r.end)
			r.end = last - fm->stride_c + full;
	}
	npu_range_grow(&r, fm->stride_x, w);
	npu_range_grow(&r, fm->stride_y, h);
	return r;
}

/* Of a map that is tiled. */
bool npu_tile_part(const struct npu_fm *fm, unsigned t, u32 *h, u32 *w);

/* Rows and columns of a map that lie in tile t; false when there are none. */
static inline bool npu_tile_size(const struct npu_fm *fm, unsigned t, u32 *h, u32 *w)
{
	if (fm->tiled)
		return npu_tile_part(fm, t, h, w);
	*h = fm->height;
	*w = fm->width;
	return t == 0 && *h && *w && fm->depth;
}

/* Tiles that may have elements: the first ones. */
static inline unsigned npu_tiles_of(const struct npu_fm *fm)
{
	return !fm->used ? 0 : fm->tiled ? NPU_TILES : 1;
}

/* Tile of (y, x) of a feature map; both become coordinates within the tile. */
static inline unsigned npu_tile_of(const struct npu_fm *fm, u32 *y, u32 *x)
{
	if (fm->stacked) {
		unsigned t = *y >= fm->height1 ? 2 : *y >= fm->height0 ? 1 : 0;
		*y -= t == 2 ? fm->height1 : t == 1 ? fm->height0 : 0;
		return t;
	}
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
	return (i64)y * fm->stride_y + (i64)(c / 16) * fm->stride_c + (i64)x * fm->stride_x +
	       (i64)(c % 16) * fm->bytes;
}

#endif
