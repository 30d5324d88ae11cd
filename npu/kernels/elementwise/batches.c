/* SPDX-License-Identifier: Apache-2.0 */
/* See batches.h. */
#include "npu/kernels/elementwise/batches.h"

#include <stdlib.h>

#include "npu/kernels/elementwise/matrix.h"
#include "npu/kernels/fm.h"

struct npu_batch {
	struct npu_batch *next;
	struct npu_matrix_columns columns;
	struct npu_reduction sum; /* the first one's, which may be worked out anew where it was kept */
};

/* Memory is short: NULL. */
static struct npu_batch *batch_of(const struct npu_matrix *m)
{
	struct npu_batch *const b = aligned_alloc(_Alignof(struct npu_batch), sizeof(*b));

	if (!b)
		return NULL;
	b->next = NULL;
	if (!npu_matrix_columns_of(m, &b->columns)) {
		free(b);
		return NULL;
	}
	b->sum = *m->sum[0];
	b->sum.fast = b->sum.fast ? &b->sum.rescale : NULL;
	b->columns.sum = &b->sum;
	return b;
}

/* What stands in m goes behind the others. False: it is not made so. */
static bool close_batch(struct npu_batches *all, struct npu_batch **end, struct npu_matrix *m)
{
	struct npu_batch *const b = m->count ? batch_of(m) : NULL;

	if (!b)
		return false;
	*end = b;
	all->last = m->product[m->count - 1];
	all->products += m->count;
	all->bytes += sizeof(*b);
	return true;
}

/* Products write over each other's map, which each one's sum reads. */
static bool goes_on(const struct npu_matrix *m, const struct npu_owed *p, const struct npu_reduction *r)
{
	const struct npu_owed *const old = m->count ? m->product[0] : p;

	return r->small && npu_matrix_takes(r) && npu_owed_sums(p, r->op, r->view) &&
	       npu_fm_same(&p->op->ofm, (const u8 *const *)p->view->ofm, &old->op->ofm, (const u8 *const *)old->view->ofm);
}

struct npu_batches *npu_batches_new(npu_batches_next *next, void *ctx)
{
	struct npu_batches *const all = calloc(1, sizeof(*all));
	struct npu_batch **end = all ? &all->batch : NULL;
	struct npu_matrix m = { 0 };
	const struct npu_again *product, *sum;

	if (!all)
		return NULL;
	all->bytes = sizeof(*all);
	while (next(ctx, &product, &sum) && goes_on(&m, product->product, sum->sum)) {
		if (!npu_matrix_joins(&m, sum->sum, product->product)) {
			const bool closed = close_batch(all, end, &m);
			m.count = 0;
			if (!closed)
				break;
			end = &(*end)->next;
		}
		npu_matrix_join(&m, sum->sum, product->product);
		all->first = all->first ? all->first : product->product;
	}
	close_batch(all, end, &m);
	if (all->batch)
		return all;
	free(all);
	return NULL;
}

void npu_batches_free(struct npu_batches *all)
{
	for (struct npu_batch *b = all ? all->batch : NULL, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(all);
}

bool npu_batches_run(struct npu_kernels *k, const struct npu_batches *all)
{
	if (!npu_owed_take(k, all->first))
		return false;
	npu_matrix_settle(k);
	for (const struct npu_batch *b = all->batch; b; b = b->next)
		k->simd->rows->columns(k, &b->columns);
	k->owed = all->last;
	return true;
}
