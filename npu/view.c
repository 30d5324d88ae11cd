/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of an operation to host pointers.
 *
 * Each tile of a feature map reaches a box of elements, hence one range of bytes around its
 * base; when the range is memory, no element access needs a check any more. */
#include "npu/view.h"

/* Bytes relative to a tile's base: from first, up to but without end. */
struct range {
	i64 first, end;
};

static void grow(struct range *r, i64 stride, u32 count)
{
	i64 reach = stride * (i64)(count - 1);
	if (reach < 0)
		r->first += reach;
	else
		r->end += reach;
}

static struct range range_of(const struct npu_fm *fm, u32 h, u32 w)
{
	struct range r = { 0, 0 };

	if (fm->format == NPU_NHWC) {
		r.end = (i64)fm->depth * fm->bytes;
		grow(&r, fm->stride_x, w);
	} else {
		u32 groups = (fm->depth + 15) / 16;
		u32 rest = fm->depth - 16 * (groups - 1); /* channels of the last group */
		i64 last = (i64)(groups - 1) * fm->stride_c;
		i64 row = (i64)(w - 1) * 16 * fm->bytes;
		i64 full = groups > 1 ? (i64)16 * fm->bytes : 0;

		r.first = last < 0 ? last : 0;
		r.end = last + (i64)rest * fm->bytes;
		if (full > r.end)
			r.end = full;
		if (groups > 2 && last - fm->stride_c + full > r.end)
			r.end = last - fm->stride_c + full;
		r.end += row;
	}
	grow(&r, fm->stride_y, h);
	return r;
}

static u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

/* Elements that lie in tile t; false when there are none. */
static bool tile_size(const struct npu_fm *fm, unsigned t, u32 *h, u32 *w)
{
	u32 above = t & 1 ? fm->height1 : fm->height0;

	*w = t & 1 ? (fm->width > fm->width0 ? fm->width - fm->width0 : 0)
		   : min_u32(fm->width, fm->width0);
	*h = t & 2 ? (fm->height > above ? fm->height - above : 0) : min_u32(fm->height, above);
	return *h && *w && fm->depth;
}

static bool map_fm(const struct npu_fm *fm, const struct npu_memory *m, bool write,
		   u8 *tiles[NPU_TILES], struct npu_bus_fault *fault)
{
	if (!fm->used)
		return true;
	for (unsigned t = 0; t < NPU_TILES; t++) {
		u32 h, w;
		if (!tile_size(fm, t, &h, &w))
			continue;
		struct range r = range_of(fm, h, w);
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

static bool map_streams(const struct npu_op *op, const struct npu_memory *m,
			struct npu_view *view, struct npu_bus_fault *fault)
{
	for (unsigned k = 0; k < op->cores; k++) {
		fault->what = "weights";
		fault->channel = NPU_CHANNEL_WEIGHTS;
		if (!map_bytes(&op->weights[k], op->weight_region, m, &view->weights[k], fault))
			return false;
		fault->what = "scales";
		fault->channel = NPU_CHANNEL_SCALES;
		if (!map_bytes(&op->scales[k], op->scale_region, m, &view->scales[k], fault))
			return false;
	}
	return true;
}

static struct range dma_target(const struct npu_dma *d)
{
	struct range r = { 0, (i64)d->length };

	if (d->rows && d->planes) {
		grow(&r, d->dst_row_stride, d->rows);
		grow(&r, d->dst_plane_stride, d->planes);
	}
	return r;
}

static bool map_dma(const struct npu_dma *d, const struct npu_memory *m,
		    const struct npu_internal *internal, struct npu_view *view,
		    struct npu_bus_fault *fault)
{
	u64 bytes = d->length * d->rows * d->planes;
	struct range to = dma_target(d);

	if (bytes == 0)
		return true;
	*fault = (struct npu_bus_fault){ .what = "DMA source", .first = d->src,
		.last = d->src + bytes - 1, .region = d->src_region, .channel = NPU_CHANNEL_DMA_READ };
	view->dma_src = d->src_internal ? internal->bytes + d->src
					: m->span(m->ctx, d->src, bytes, false);
	if (!view->dma_src)
		return false;
	u64 first = d->dst + (u64)to.first, size = (u64)(to.end - to.first);
	*fault = (struct npu_bus_fault){ .what = "DMA destination", .first = first,
		.last = first + size - 1, .region = d->dst_region, .channel = NPU_CHANNEL_DMA_WRITE };
	u8 *dst = d->dst_internal ? internal->bytes + d->dst : m->span(m->ctx, first, size, true);
	if (!dst)
		return false;
	view->dma_dst = d->dst_internal ? dst : dst - to.first;
	return true;
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
	return map_fm(&op->ofm, m, true, view->ofm, fault);
}

void npu_view_wrote(const struct npu_op *op, const struct npu_memory *m)
{
	if (!m->wrote)
		return;
	if (op->kind == NPU_DMA) {
		struct range to = dma_target(&op->dma);
		if (!op->dma.dst_internal && op->dma.rows && op->dma.planes)
			m->wrote(m->ctx, op->dma.dst + (u64)to.first, (u64)(to.end - to.first));
		return;
	}
	for (unsigned t = 0; t < NPU_TILES; t++) {
		u32 h, w;
		if (!tile_size(&op->ofm, t, &h, &w))
			continue;
		struct range r = range_of(&op->ofm, h, w);
		m->wrote(m->ctx, op->ofm.base[t] + (u64)r.first, (u64)(r.end - r.first));
	}
}
