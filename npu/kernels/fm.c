/* SPDX-License-Identifier: Apache-2.0 */
/* Feature maps as host memory; see fm.h. */
#include "npu/kernels/fm.h"

struct box {
	uintptr_t first, end;
};

static void reach(i64 *lo, i64 *hi, i64 stride, u32 count)
{
	i64 r = stride * (i64)(count - 1);
	if (r < 0)
		*lo += r;
	else
		*hi += r;
}

/* Bytes that tile t may reach; false when no element lies in it. */
static bool box_of(const struct npu_fm *fm, const u8 *const tile[NPU_TILES], unsigned t,
		   struct box *b)
{
	u32 above = t & 1 ? fm->height1 : fm->height0;
	u32 w = t & 1 ? (fm->width > fm->width0 ? fm->width - fm->width0 : 0)
		      : fm->width < fm->width0 ? fm->width : fm->width0;
	u32 h = t & 2 ? (fm->height > above ? fm->height - above : 0)
		      : fm->height < above ? fm->height : above;
	i64 lo = 0, hi = 16 * (i64)fm->bytes;

	if (!w || !h || !fm->depth || !tile[t])
		return false;
	reach(&lo, &hi, fm->stride_y, h);
	reach(&lo, &hi, npu_fm_stride_x(fm), w);
	reach(&lo, &hi, npu_fm_stride_group(fm), (fm->depth + 15) / 16);
	b->first = (uintptr_t)tile[t] + (uintptr_t)lo;
	b->end = (uintptr_t)tile[t] + (uintptr_t)hi;
	return true;
}

bool npu_fm_overlap(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		    const struct npu_fm *b, const u8 *const b_tile[NPU_TILES])
{
	for (unsigned i = 0; i < NPU_TILES; i++) {
		struct box x, y;
		if (!a->used || !box_of(a, a_tile, i, &x))
			continue;
		for (unsigned j = 0; j < NPU_TILES; j++)
			if (b->used && box_of(b, b_tile, j, &y) && x.first < y.end && y.first < x.end)
				return true;
	}
	return false;
}

bool npu_fm_same(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		 const struct npu_fm *b, const u8 *const b_tile[NPU_TILES])
{
	if (a->tiled || b->tiled || a_tile[0] != b_tile[0] || a->bytes != b->bytes ||
	    a->format != b->format || a->height != b->height || a->width != b->width ||
	    a->depth != b->depth)
		return false;
	return (a->height == 1 || a->stride_y == b->stride_y) &&
	       (a->width == 1 || npu_fm_stride_x(a) == npu_fm_stride_x(b)) &&
	       (a->depth <= 16 || npu_fm_stride_group(a) == npu_fm_stride_group(b));
}
