/* SPDX-License-Identifier: Apache-2.0 */
/* See unread.h. */
#include "npu/unread.h"

#include "npu/gang.h"
#include "npu/kernels/fm.h"

/* Bytes of a copy: `rest` has not been touched by any operation since, `counting` must be there before one does. */
struct bytes {
	struct npu_unread_ranges rest, counting;
};

static void add(struct npu_unread_ranges *r, uintptr_t first, uintptr_t end)
{
	if (first >= end)
		return;
	if (r->n == NPU_UNREAD_RANGES) {
		r->full = true;
		return;
	}
	r->of[r->n].first = first;
	r->of[r->n++].end = end;
}

/* `over`: all of it is written, and none of it read. */
static void touch(struct bytes *b, uintptr_t first, uintptr_t end, bool over)
{
	const struct npu_unread_ranges before = b->rest;

	b->rest.n = 0;
	for (unsigned i = 0; i < before.n; i++) {
		const uintptr_t from = before.of[i].first, to = before.of[i].end;
		const uintptr_t a = first < from ? from : first < to ? first : to, z = end > to ? to : end > a ? end : a;
		add(&b->rest, from, a);
		add(&b->rest, z, to);
		if (!over)
			add(&b->counting, a, z);
	}
}

/* Whether elements fill the box around a tile's, if none shares a byte with another. */
static bool fills(const struct npu_fm *fm, unsigned t, const struct npu_fm_box *box)
{
	u32 h, w;

	return npu_tile_size(fm, t, &h, &w) && (fm->format == NPU_NHWC || fm->depth % 16 == 0) &&
	       (u64)h * w * fm->depth * fm->bytes == box->end - box->first;
}

static void touch_map(struct bytes *b, const struct npu_fm *fm, const u8 *const tile[NPU_TILES], bool written)
{
	struct npu_fm_box box;

	for (unsigned t = 0; t < npu_tiles_of(fm); t++)
		if (npu_fm_box(fm, tile, t, &box))
			touch(b, box.first, box.end, written && fills(fm, t, &box));
}

static void touch_bytes(struct bytes *b, const u8 *first, u64 bytes, bool over)
{
	if (first)
		touch(b, (uintptr_t)first, (uintptr_t)first + bytes, over);
}

static bool in_one_piece(const struct npu_dma *d)
{
	return d->rows == 1 && d->planes == 1 && !d->index_mode;
}

static void touch_dma(struct bytes *b, const struct npu_dma *d, const struct npu_view *view)
{
	if (in_one_piece(d)) {
		touch_bytes(b, view->dma_src, d->length, false);
		touch_bytes(b, view->dma_dst, d->length, true);
	} else {
		touch(b, 0, UINTPTR_MAX, false); /* who knows */
	}
}

/* Streams of constants are where they were copied from (origin.h). */
static void touch_step(struct bytes *b, const struct step *s)
{
	const struct npu_op *op = &s->decoded.op;

	if (s->alone) {
		touch(b, 0, UINTPTR_MAX, false);
		return;
	}
	const struct npu_view *view = &s->again->view;
	if (op->kind == NPU_DMA) {
		touch_dma(b, &op->dma, view);
		return;
	}
	touch_map(b, &op->ifm, view->ifm, false);
	touch_map(b, &op->ifm2, view->ifm2, false);
	for (unsigned k = 0; k < op->cores; k++) {
		touch_bytes(b, view->weights[k], op->weights[k].length, false);
		touch_bytes(b, view->scales[k], op->scales[k].length, false);
	}
	const u8 *const *to = (const u8 *const *)view->ofm;
	touch_map(b, npu_stored(op), to, npu_fm_disjoint(npu_stored(op), to));
}

static bool copies_constants(const struct npu *n, const struct step *s)
{
	const struct npu_memory *m = &n->options.memory;
	const struct npu_dma *d = &s->decoded.op.dma;

	if (s->decoded.op.kind != NPU_DMA || s->alone || !in_one_piece(d) || d->src_internal || d->dst_internal || !s->again->view.dma_dst)
		return false;
	return m->constant && m->constant(m->ctx, d->src) >= d->length;
}

static struct bytes copied(const struct step *s)
{
	struct bytes b = { 0 };
	const uintptr_t to = (uintptr_t)s->again->view.dma_dst;

	add(&b.rest, to, to + s->decoded.op.dma.length);
	return b;
}

static u64 length(const struct npu_unread_ranges *r)
{
	u64 bytes = 0;

	for (unsigned i = 0; i < r->n; i++)
		bytes += r->of[i].end - r->of[i].first;
	return bytes;
}

bool npu_unread_find(const struct npu *n, const struct npu_plan *p, u32 i, u32 *looks, struct npu_unread_ranges *counting)
{
	const struct step *s = &p->step[i];

	if (!copies_constants(n, s))
		return false;
	struct bytes b = copied(s);
	for (u32 j = i + 1; j < p->count && b.rest.n; j++) {
		if (!*looks)
			return false;
		--*looks;
		touch_step(&b, &p->step[j]);
	}
	for (unsigned k = 0; k < b.rest.n; k++)
		add(&b.counting, b.rest.of[k].first, b.rest.of[k].end);
	*counting = b.counting;
	return !b.rest.full && !b.counting.full && length(counting) <= s->decoded.op.dma.length / 2;
}

void npu_unread_make_up(const struct npu_plan *p, u32 first, u32 at)
{
	for (u32 i = first; i < at; i++) {
		const struct step *s = &p->step[i];
		if (!s->gang || !s->gang->unread)
			continue;
		const struct npu_view *view = &s->again->view;
		struct bytes b = copied(s);
		for (u32 j = i + 1; j < at && b.rest.n; j++)
			touch_step(&b, &p->step[j]);
		for (unsigned k = 0; k < b.rest.n; k++) {
			const uintptr_t from = b.rest.of[k].first;
			memcpy((u8 *)from, view->dma_src + (from - (uintptr_t)view->dma_dst), b.rest.of[k].end - from);
		}
	}
}
