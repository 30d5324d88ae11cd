/* SPDX-License-Identifier: Apache-2.0 */
/* See matrix.h. */
#include "npu/kernels/elementwise/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"

enum { FEW = 4 /* columns that are not worth it */ };

static bool meet(const uintptr_t a[2], const uintptr_t b[2])
{
	return a[0] < b[1] && b[0] < a[1];
}

static void unite(uintptr_t all[2], const uintptr_t one[2])
{
	all[0] = one[0] < all[0] ? one[0] : all[0];
	all[1] = one[1] > all[1] ? one[1] : all[1];
}

/* Maps that are not tiled. */
static void box_of(const struct npu_fm *fm, const u8 *const *tile, uintptr_t box[2])
{
	struct npu_fm_box b;

	box[0] = box[1] = 0;
	if (npu_fm_box(fm, tile, 0, &b)) {
		box[0] = b.first;
		box[1] = b.end;
	}
}

static bool same_type(const struct npu_fm *a, const struct npu_fm *b)
{
	return a->bytes == b->bytes && a->is_signed == b->is_signed && a->zero_point == b->zero_point;
}

static bool same_steps(const struct npu_fm *a, const struct npu_fm *b)
{
	return same_type(a, b) && a->height == b->height && a->width == b->width && a->stride_y == b->stride_y && a->stride_x == b->stride_x &&
	       a->format == b->format && !a->tiled && !b->tiled;
}

static bool same_scale(const struct npu_op *a, const struct npu_op *b)
{
	return a->ofm_scale.scale == b->ofm_scale.scale && a->ofm_scale.shift == b->ofm_scale.shift && a->ofm_scale.round == b->ofm_scale.round &&
	       a->ofm_scale.first == b->ofm_scale.first && a->output == b->output && a->lo == b->lo && a->hi == b->hi;
}

/* Columns that differ in nothing but the second operand and where they are stored. */
static bool alike(const struct npu_reduction *r, const struct npu_owed *p, const struct npu_reduction *first, const struct npu_owed *of_first)
{
	return npu_fm_same(&p->op->ifm, p->view->ifm, &of_first->op->ifm, of_first->view->ifm) && same_type(&p->op->ifm, &of_first->op->ifm) &&
	       same_steps(&p->op->ifm2, &of_first->op->ifm2) && same_steps(&r->op->ofm, &first->op->ofm) && same_scale(r->op, first->op);
}

static void find_boxes(struct npu_reduction *r, const struct npu_owed *p)
{
	if (r->boxed == p->id)
		return;
	box_of(&p->op->ifm2, p->view->ifm2, r->read);
	box_of(&r->op->ofm, (const u8 *const *)r->view->ofm, r->written);
	r->boxed = p->id;
}

bool npu_matrix_takes(const struct npu_reduction *r)
{
	return !r->op->ofm.tiled && r->op->ofm.stride_x > 0 && r->op->ofm.stride_y >= 0;
}

bool npu_matrix_joins(const struct npu_matrix *c, struct npu_reduction *r, const struct npu_owed *p)
{
	if (!c->count)
		return true;
	if (r->like != c->sum[0]->id && alike(r, p, c->sum[0], c->product[0]))
		r->like = c->sum[0]->id;
	find_boxes(r, p);
	return c->count < NPU_MATRIX_COLUMNS && r->like == c->sum[0]->id && !meet(r->written, c->read) && !meet(r->read, c->written);
}

void npu_matrix_join(struct npu_matrix *c, struct npu_reduction *r, const struct npu_owed *p)
{
	find_boxes(r, p);
	if (!c->count) {
		memcpy(c->read, r->read, sizeof(c->read));
		memcpy(c->written, r->written, sizeof(c->written));
		r->like = r->id;
	}
	unite(c->read, r->read);
	unite(c->written, r->written);
	c->product[c->count] = p;
	c->sum[c->count++] = r;
}

bool npu_matrix_add(struct npu_kernels *k, struct npu_reduction *r, const struct npu_owed *p)
{
	struct npu_matrix *c = k->matrix ? k->matrix : (k->matrix = calloc(1, sizeof(*k->matrix)));

	if (!c || !npu_matrix_takes(r))
		return false;
	if (!npu_matrix_joins(c, r, p))
		npu_matrix_make(k);
	npu_matrix_join(c, r, p);
	return true;
}

static const u8 *target(const struct npu_matrix *c, unsigned column)
{
	return npu_fm_pixel(&c->sum[column]->op->ofm, (const u8 *const *)c->sum[column]->view->ofm, 0, 0);
}

/* No element lies between those of another column's: the order of stores does not matter, and neighbours are stored together. */
static bool apart(const struct npu_matrix *c)
{
	const struct npu_fm *ofm = &c->sum[0]->op->ofm;
	const i64 bytes = ofm->bytes, span = target(c, c->count - 1) - target(c, 0) + bytes;

	for (unsigned i = 1; i < c->count; i++)
		if (target(c, i) != target(c, i - 1) + bytes)
			return false;
	return ofm->stride_x >= span && (ofm->height == 1 || ofm->stride_y >= ofm->stride_x * (i64)(ofm->width - 1) + span);
}

bool npu_matrix_columns_of(const struct npu_matrix *c, struct npu_matrix_columns *to)
{
	if (c->count < FEW || !apart(c))
		return false;
	to->count = c->count;
	to->product = c->product[0];
	to->sum = c->sum[0];
	to->even = true;
	to->step = c->product[1]->view->ifm2[0] - c->product[0]->view->ifm2[0];
	for (unsigned i = 0; i < c->count; i++) {
		to->second[i] = c->product[i]->view->ifm2[0];
		to->even &= i == 0 || to->second[i] - to->second[i - 1] == to->step;
	}
	return true;
}

void npu_matrix_make(struct npu_kernels *k)
{
	struct npu_matrix *const c = k->matrix;
	struct npu_matrix_columns columns;

	if (npu_matrix_columns_of(c, &columns))
		k->simd->rows->columns(k, &columns);
	else
		for (unsigned i = 0; i < c->count; i++)
			k->simd->rows->dots(k->simd, c->sum[i], c->product[i]);
	c->count = 0;
}
