/* SPDX-License-Identifier: Apache-2.0 */
/* Products that may not have to be made; see owed.h. */
#include "npu/kernels/owed.h"

#include "npu/kernels/elementwise/matrix.h"
#include "npu/kernels/fm.h"

void npu_owed_note(struct npu_kernels *k, struct npu_owed *p)
{
	p->id = ++k->products;
	p->replaces = 0;
	if (!k->again)
		return;
	k->again->minds_owed = true;
	k->again->product = p;
}

void npu_owed_settle(struct npu_kernels *k)
{
	const struct npu_owed *p = k->owed;

	npu_matrix_settle(k);
	k->owed = NULL;
	if (p)
		p->make(k, p->room);
}

bool npu_owed_take(struct npu_kernels *k, struct npu_owed *p)
{
	const struct npu_owed *old = k->owed;

	if (!k->alone)
		return false;
	/* its own inputs lie apart from its map, or it would not be done again */
	if (old && p->replaces != old->id) {
		if (npu_fm_same(&p->op->ofm, (const u8 *const *)p->view->ofm, &old->op->ofm, (const u8 *const *)old->view->ofm))
			p->replaces = old->id;
		else
			npu_owed_settle(k);
	}
	k->owed = p;
	return true;
}

bool npu_owed_sums(const struct npu_owed *p, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *map = &p->op->ofm, *ofm = &op->ofm;
	const u8 *const *from = (const u8 *const *)p->view->ofm, *const *to = (const u8 *const *)view->ofm;

	/* its results lie apart from what it sums, or it would not be done again */
	return op->ifm.is_signed && !op->ifm.zero_point && npu_fm_same(map, from, &op->ifm, view->ifm) &&
	       !npu_fm_overlap(&p->op->ifm, p->view->ifm, ofm, to) && !npu_fm_overlap(&p->op->ifm2, p->view->ifm2, ofm, to);
}

const struct npu_owed *npu_owed_of(struct npu_kernels *k, u64 *of, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_owed *p = k->owed;

	if (p && p->id != *of) {
		if (!npu_owed_sums(p, op, view))
			return NULL;
		*of = p->id;
	}
	return p;
}
