/* SPDX-License-Identifier: Apache-2.0 */
/* Feature maps as host memory; see fm.h. */
#include "npu/kernels/fm.h"

#include "npu/view.h"

bool npu_fm_box(const struct npu_fm *fm, const u8 *const tile[NPU_TILES], unsigned t,
		struct npu_fm_box *b)
{
	u32 h, w;

	if (!npu_tile_size(fm, t, &h, &w) || !tile[t])
		return false;
	struct npu_range r = npu_tile_range(fm, h, w);
	b->first = (uintptr_t)tile[t] + (uintptr_t)r.first;
	b->end = (uintptr_t)tile[t] + (uintptr_t)r.end;
	return true;
}

bool npu_fm_same(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		 const struct npu_fm *b, const u8 *const b_tile[NPU_TILES])
{
	if (a->tiled || b->tiled || a_tile[0] != b_tile[0] || a->bytes != b->bytes ||
	    a->format != b->format || a->height != b->height || a->width != b->width ||
	    a->depth != b->depth)
		return false;
	return (a->height == 1 || a->stride_y == b->stride_y) &&
	       (a->width == 1 || a->stride_x == b->stride_x) &&
	       (a->depth <= 16 || npu_fm_stride_group(a) == npu_fm_stride_group(b));
}

void npu_fm_dim_insert(struct npu_fm_dim *dim, unsigned *dims, i64 stride, size_t n)
{
	unsigned at = *dims;
	struct npu_fm_dim d = { (u64)(stride < 0 ? -stride : stride), n };

	if (n <= 1)
		return;
	for (; at && dim[at - 1].stride > d.stride; at--)
		dim[at] = dim[at - 1];
	dim[at] = d;
	(*dims)++;
}

bool npu_fm_dims_apart(const struct npu_fm_dim *dim, unsigned dims, u64 bytes)
{
	u64 reach = bytes;

	for (unsigned i = 0; i < dims; i++) {
		if (dim[i].stride < reach)
			return false;
		reach += dim[i].stride * (dim[i].n - 1);
	}
	return true;
}

/* Dimensions of a map that lies in one tile. */
static unsigned dims_of(const struct npu_fm *fm, struct npu_fm_dim dim[4])
{
	unsigned dims = 0;
	bool bricks = fm->format != NPU_NHWC;

	npu_fm_dim_insert(dim, &dims, fm->bytes, bricks && fm->depth > 16 ? 16 : fm->depth);
	if (bricks)
		npu_fm_dim_insert(dim, &dims, fm->stride_c, (fm->depth + 15) / 16);
	npu_fm_dim_insert(dim, &dims, fm->stride_x, fm->width);
	npu_fm_dim_insert(dim, &dims, fm->stride_y, fm->height);
	return dims;
}

static bool strides_apart(const struct npu_fm *fm)
{
	struct npu_fm_dim dim[4];
	const unsigned dims = dims_of(fm, dim);

	return npu_fm_dims_apart(dim, dims, fm->bytes);
}

struct lattice {
	uintptr_t first;
	u64 bytes; /* of an element */
	struct npu_fm_dim dim[4];
	unsigned dims;
};

/* How many bytes behind the first one, or behind it and some periods, its elements lie. */
static u64 reach_of(const struct lattice *l, u64 period)
{
	u64 reach = l->bytes;

	for (unsigned i = 0; i < l->dims; i++)
		if (l->dim[i].stride % period)
			reach += l->dim[i].stride * (l->dim[i].n - 1);
	return reach;
}

static bool apart_in(const struct lattice *a, const struct lattice *b, u64 period)
{
	const u64 from_a = (b->first - a->first) % period;

	return from_a >= reach_of(a, period) && reach_of(b, period) <= period - from_a;
}

/* As columns of one map, or groups of its channels, are: they lie at different places of each row, or pixel. `a` begins below `b`. */
static bool interleaved(const struct npu_fm *a, uintptr_t a_first, const struct npu_fm *b, uintptr_t b_first)
{
	struct lattice low = { .first = a_first, .bytes = a->bytes }, high = { .first = b_first, .bytes = b->bytes };

	low.dims = dims_of(a, low.dim);
	high.dims = dims_of(b, high.dim);
	for (unsigned i = 0; i < low.dims; i++)
		if (low.dim[i].stride && apart_in(&low, &high, low.dim[i].stride))
			return true;
	return false;
}

static bool tiles_overlap(const struct npu_fm *a, const struct npu_fm_box *x, const struct npu_fm *b, const struct npu_fm_box *y)
{
	if (x->first >= y->end || y->first >= x->end)
		return false;
	if (a->tiled || b->tiled || x->first == y->first)
		return true;
	return x->first < y->first ? !interleaved(a, x->first, b, y->first) : !interleaved(b, y->first, a, x->first);
}

bool npu_fm_overlap(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		    const struct npu_fm *b, const u8 *const b_tile[NPU_TILES])
{
	for (unsigned i = 0; i < npu_tiles_of(a); i++) {
		struct npu_fm_box x, y;
		if (!npu_fm_box(a, a_tile, i, &x))
			continue;
		for (unsigned j = 0; j < npu_tiles_of(b); j++)
			if (npu_fm_box(b, b_tile, j, &y) && tiles_overlap(a, &x, b, &y))
				return true;
	}
	return false;
}

bool npu_fm_disjoint(const struct npu_fm *fm, const u8 *const tile[NPU_TILES])
{
	struct npu_fm_box box[NPU_TILES];
	unsigned n = 0;

	if (!strides_apart(fm))
		return false;
	for (unsigned t = 0; fm->tiled && t < NPU_TILES; t++) {
		if (!npu_fm_box(fm, tile, t, &box[n]))
			continue;
		for (unsigned i = 0; i < n; i++)
			if (box[i].first < box[n].end && box[n].first < box[i].end)
				return false;
		n++;
	}
	return true;
}

u64 npu_fm_magnitude(const struct npu_fm *fm)
{
	if (fm->bytes > sizeof(u32))
		return NPU_FM_WIDE;
	unsigned bits = 8u * fm->bytes;
	i64 lo = fm->is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
	i64 hi = fm->is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
	i64 below = fm->zero_point - lo, above = hi - fm->zero_point;

	below = below < 0 ? -below : below;
	above = above < 0 ? -above : above;
	return (u64)(below > above ? below : above);
}
