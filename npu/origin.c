/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of constants; see origin.h. */
#include "npu/origin.h"

void npu_origins_clear(struct npu_origins *o)
{
	*o = (struct npu_origins){ 0 };
}

void npu_origins_wrote(struct npu_origins *o, u64 first, u64 bytes)
{
	for (unsigned i = 0; i < o->used; i++) {
		struct npu_origin *e = &o->entry[i];
		if (e->first < first + bytes && first < e->first + e->bytes)
			e->bytes = 0;
	}
}

static void add(struct npu_origins *o, const struct npu_dma *d, const u8 *from, u64 constant)
{
	o->entry[o->next] = (struct npu_origin){ d->dst, d->length, from, constant };
	o->used = o->used > o->next ? o->used : o->next + 1;
	o->next = (o->next + 1) % NPU_ORIGINS;
}

static bool is_plain(const struct npu_dma *d)
{
	return !d->src_internal && !d->dst_internal && d->rows == 1 && d->planes == 1 && !d->index_mode;
}

void npu_origins_copied(struct npu_origins *o, const struct npu_dma *d, const struct npu_view *view,
			const struct npu_memory *m)
{
	if (!is_plain(d) || !view->dma_src)
		return;
	const u64 constant = m->constant(m->ctx, d->src);

	if (constant >= d->length)
		add(o, d, view->dma_src, constant);
}

void npu_origins_expect(struct npu_origins *o, const struct npu_dma *d, const u8 *from, u64 constant)
{
	if (!is_plain(d))
		return;
	npu_origins_wrote(o, d->dst, d->length);
	add(o, d, from, constant);
}

static const struct npu_origin *find(const struct npu_origins *o, const struct npu_bytes *b)
{
	for (unsigned i = 0; i < o->used; i++) {
		const struct npu_origin *e = &o->entry[i];
		if (b->addr >= e->first && b->length <= e->bytes && b->addr - e->first <= e->bytes - b->length)
			return e;
	}
	return NULL;
}

/* What is a copy becomes what it is a copy of. */
static void apply(const struct npu_origins *o, const struct npu_bytes *b, const u8 **host, u64 *constant)
{
	const struct npu_origin *e = b->length ? find(o, b) : NULL;

	if (!e)
		return;
	const u64 skip = b->addr - e->first;
	*host = e->from + skip;
	*constant = e->constant > skip ? e->constant - skip : 0;
}

void npu_origins_apply(const struct npu_origins *o, const struct npu_op *op, struct npu_view *view)
{
	for (unsigned k = 0; o->used && k < op->cores; k++) {
		apply(o, &op->weights[k], &view->weights[k], &view->constant[k]);
		apply(o, &op->scales[k], &view->scales[k], &view->constant_scales[k]);
	}
}
