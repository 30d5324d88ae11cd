/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of an operation to host pointers.
 *
 * Each tile of a feature map reaches a box of elements, hence one range of bytes around its
 * base; when the range is memory, no element access needs a check any more. */
#include "npu/view.h"
#include "npu/integer.h"

#define ADDRESS_SPACE ((i64)1 << 40) /* of U85's registers, the widest */

bool npu_tile_part(const struct npu_fm *fm, unsigned t, u32 *h, u32 *w)
{
	u32 above = t & 1 ? fm->height1 : fm->height0;

	if (fm->stacked) {
		u32 first = t == 0 ? 0 : t == 1 ? fm->height0 : fm->height1;
		u32 end = t == 0 ? fm->height0 : t == 1 ? fm->height1 : UINT32_MAX;
		end = min_u32(end, fm->height);
		*w = t < 3 ? fm->width : 0;
		*h = end > first ? end - first : 0;
		return *h && *w && fm->depth;
	}
	*w = t & 1 ? (fm->width > fm->width0 ? fm->width - fm->width0 : 0)
		   : min_u32(fm->width, fm->width0);
	*h = t & 2 ? (fm->height > above ? fm->height - above : 0) : min_u32(fm->height, above);
	return *h && *w && fm->depth;
}

static bool map_fm(const struct npu_fm *fm, const struct npu_memory *m, bool write,
		   u8 *tiles[NPU_TILES], struct npu_bus_fault *fault)
{
	for (unsigned t = 0; t < npu_tiles_of(fm); t++) {
		u32 h, w;
		if (!npu_tile_size(fm, t, &h, &w))
			continue;
		struct npu_range r = npu_tile_range(fm, h, w);
		u64 first = fm->base[t] + (u64)r.first, size = (u64)(r.end - r.first);
		u8 *host = m->span(m->ctx, first, size, write);
		if (!host) {
			fault->first = first;
			fault->last = first + size - 1;
			fault->region = fm->region;
			return false;
		}
		tiles[t] = host - r.first;
	}
	return true;
}

static bool map_ifm(const struct npu_fm *fm, const struct npu_memory *m, const char *what,
		    const u8 *tiles[NPU_TILES], struct npu_bus_fault *fault)
{
	u8 *writable[NPU_TILES] = { NULL };

	fault->what = what;
	fault->channel = NPU_CHANNEL_IFM;
	if (!map_fm(fm, m, false, writable, fault))
		return false;
	for (unsigned t = 0; t < NPU_TILES; t++)
		tiles[t] = writable[t];
	return true;
}

static bool map_bytes(const struct npu_bytes *b, u8 region, const struct npu_memory *m,
		      const u8 **host, struct npu_bus_fault *fault)
{
	if (b->length == 0)
		return true;
	*host = m->span(m->ctx, b->addr, b->length, false);
	fault->first = b->addr;
	fault->last = b->addr + b->length - 1;
	fault->region = region;
	return *host != NULL;
}

/* Bytes that never change from the stream's first one on. */
static u64 constant_from(const struct npu_memory *m, const struct npu_bytes *b)
{
	return b->length && m->constant ? m->constant(m->ctx, b->addr) : 0;
}

static bool map_streams(const struct npu_op *op, const struct npu_memory *m,
			struct npu_view *view, struct npu_bus_fault *fault)
{
	for (unsigned k = 0; k < op->cores; k++) {
		fault->what = "weights";
		fault->channel = NPU_CHANNEL_WEIGHTS;
		if (!map_bytes(&op->weights[k], op->weight_region, m, &view->weights[k], fault))
			return false;
		view->constant[k] = constant_from(m, &op->weights[k]);
		fault->what = "scales";
		fault->channel = NPU_CHANNEL_SCALES;
		if (!map_bytes(&op->scales[k], op->scale_region, m, &view->scales[k], fault))
			return false;
		view->constant_scales[k] = constant_from(m, &op->scales[k]);
	}
	return true;
}

/* Rows a side of the copy reaches: all that may be, within the address space, where the indices are not known; else from the
 * smallest to the largest index. */
static void index_range(const struct npu_dma *d, const u8 *index, i64 row_stride, i64 *first, i64 *last)
{
	if (!index) {
		const i64 step = row_stride < 0 ? -row_stride : row_stride, most = step ? ADDRESS_SPACE / step : 0;
		*first = 0;
		*last = d->index_max < most ? d->index_max : most;
		return;
	}
	*first = INT64_MAX;
	*last = 0;
	for (u32 plane = 0; plane < d->planes; plane++)
		for (u32 row = 0; row < d->rows; row++) {
			i64 i = npu_dma_index(d, index, plane, row);
			*first = i < *first ? i : *first;
			*last = i > *last ? i : *last;
		}
}

static struct npu_range dma_range(const struct npu_dma *d, const u8 *index, bool source)
{
	bool indexed = d->index_mode == (source ? NPU_INDEX_GATHER : NPU_INDEX_SCATTER);
	i64 row_stride = source ? d->src_row_stride : d->dst_row_stride;
	i64 plane_stride = source ? d->src_plane_stride : d->dst_plane_stride;
	struct npu_range r = { 0, (i64)d->length };

	if (indexed) {
		i64 first, last;
		index_range(d, index, row_stride, &first, &last);
		r.first += first * row_stride;
		r.end += first * row_stride;
		npu_range_grow(&r, row_stride, (u32)(last - first + 1));
	} else {
		npu_range_grow(&r, row_stride, d->rows);
	}
	npu_range_grow(&r, plane_stride, d->planes);
	return r;
}

/* One side of a copy; pointer to its row 0 of plane 0. */
static u8 *map_side(const struct npu_dma *d, const struct npu_memory *m,
		    const struct npu_internal *internal, const u8 *index, bool source,
		    struct npu_bus_fault *fault)
{
	struct npu_range r = dma_range(d, index, source);
	u64 at = source ? d->src : d->dst;
	u64 first = at + (u64)r.first, size = (u64)(r.end - r.first);

	*fault = (struct npu_bus_fault){
		.what = source ? "DMA source" : "DMA destination", .first = first,
		.last = first + size - 1, .region = source ? d->src_region : d->dst_region,
		.channel = source ? NPU_CHANNEL_DMA_READ : NPU_CHANNEL_DMA_WRITE,
	};
	if (source ? d->src_internal : d->dst_internal) {
		bool fits = first <= internal->size && size <= internal->size - first;
		return fits ? internal->bytes + at : NULL;
	}
	u8 *host = m->span(m->ctx, first, size, !source);
	return host ? host - r.first : NULL;
}

static bool map_dma(const struct npu_dma *d, const struct npu_memory *m,
		    const struct npu_internal *internal, struct npu_view *view,
		    struct npu_bus_fault *fault)
{
	if (d->length == 0 || d->rows == 0 || d->planes == 0)
		return true;
	if (d->index_mode) {
		struct npu_range r = { 0, (i64)d->rows * 4 };
		npu_range_grow(&r, d->index_plane_stride, d->planes);
		u64 first = d->index + (u64)r.first, size = (u64)(r.end - r.first);
		*fault = (struct npu_bus_fault){ .what = "DMA indices", .first = first,
			.last = first + size - 1, .region = d->index_region, .channel = NPU_CHANNEL_DMA_READ };
		const u8 *host = m->span(m->ctx, first, size, false);
		if (!host)
			return false;
		view->dma_index = host - r.first;
	}
	view->dma_src = map_side(d, m, internal, view->dma_index, true, fault);
	if (!view->dma_src)
		return false;
	view->dma_dst = map_side(d, m, internal, view->dma_index, false, fault);
	return view->dma_dst != NULL;
}

bool npu_view_map(const struct npu_op *op, const struct npu_memory *m,
		  const struct npu_internal *internal, struct npu_view *view,
		  struct npu_bus_fault *fault)
{
	*view = (struct npu_view){ .lut = internal->bytes + internal->lut_base };
	if (op->kind == NPU_DMA)
		return map_dma(&op->dma, m, internal, view, fault);
	if (!map_ifm(&op->ifm, m, "IFM", view->ifm, fault) ||
	    !map_ifm(&op->ifm2, m, "IFM2", view->ifm2, fault) ||
	    !map_streams(op, m, view, fault))
		return false;
	fault->what = "OFM";
	fault->channel = NPU_CHANNEL_OFM;
	return map_fm(npu_stored(op), m, true, view->ofm, fault);
}

unsigned npu_view_written(const struct npu_op *op, const struct npu_view *view, struct npu_written w[NPU_TILES])
{
	const struct npu_fm *ofm = npu_stored(op);
	unsigned n = 0;

	if (op->kind == NPU_DMA) {
		const struct npu_dma *d = &op->dma;
		if (d->dst_internal || !view->dma_dst)
			return 0;
		struct npu_range r = dma_range(d, view->dma_index, false);
		w[0] = (struct npu_written){ d->dst + (u64)r.first, (u64)(r.end - r.first) };
		return 1;
	}
	for (unsigned t = 0; t < npu_tiles_of(ofm); t++) {
		u32 height, width;
		if (!npu_tile_size(ofm, t, &height, &width))
			continue;
		struct npu_range r = npu_tile_range(ofm, height, width);
		w[n++] = (struct npu_written){ ofm->base[t] + (u64)r.first, (u64)(r.end - r.first) };
	}
	return n;
}

static void touch_map(const struct npu_fm *fm, bool written, struct npu_touched *t, unsigned *n)
{
	for (unsigned k = 0; k < npu_tiles_of(fm); k++) {
		u32 height, width;
		if (!npu_tile_size(fm, k, &height, &width))
			continue;
		struct npu_range r = npu_tile_range(fm, height, width);
		t[(*n)++] = (struct npu_touched){ fm->base[k] + (u64)r.first, (u64)(r.end - r.first), fm->region, written };
	}
}

static void touch_bytes(const struct npu_bytes *b, u8 region, struct npu_touched *t, unsigned *n)
{
	if (b->length)
		t[(*n)++] = (struct npu_touched){ b->addr, b->length, region, false };
}

static void touch_side(const struct npu_dma *d, bool source, struct npu_touched *t, unsigned *n)
{
	if (source ? d->src_internal : d->dst_internal)
		return;
	struct npu_range r = dma_range(d, NULL, source);
	t[(*n)++] = (struct npu_touched){ (source ? d->src : d->dst) + (u64)r.first, (u64)(r.end - r.first),
					  source ? d->src_region : d->dst_region, !source };
}

static void touch_dma(const struct npu_dma *d, struct npu_touched *t, unsigned *n)
{
	if (d->length == 0 || d->rows == 0 || d->planes == 0)
		return;
	touch_side(d, true, t, n);
	if (d->index_mode) {
		struct npu_range r = { 0, (i64)d->rows * 4 };
		npu_range_grow(&r, d->index_plane_stride, d->planes);
		t[(*n)++] = (struct npu_touched){ d->index + (u64)r.first, (u64)(r.end - r.first), d->index_region, false };
	}
	touch_side(d, false, t, n);
}

unsigned npu_view_touched(const struct npu_op *op, struct npu_touched t[NPU_TOUCHED])
{
	unsigned n = 0;

	if (op->kind == NPU_DMA) {
		touch_dma(&op->dma, t, &n);
		return n;
	}
	touch_map(&op->ifm, false, t, &n);
	touch_map(&op->ifm2, false, t, &n);
	for (unsigned k = 0; k < op->cores; k++) {
		touch_bytes(&op->weights[k], op->weight_region, t, &n);
		touch_bytes(&op->scales[k], op->scale_region, t, &n);
	}
	touch_map(npu_stored(op), true, t, &n);
	return n;
}
