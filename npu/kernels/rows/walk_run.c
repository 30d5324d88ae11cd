/* SPDX-License-Identifier: Apache-2.0 */
/* A walk's dimensions from the outermost to rows: which of these are offered together, brought together or done one by one. */
#include "npu/kernels/rows/walk_packed.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/simd/simd.h"

#define FEW 4 /* elements: rows that take longer than bringing them together, unless they are bricks */

/* Bytes or halves of bricks that lie one behind the other in all maps. */
static bool are_bricks(const struct npu_walk *w, const i64 stride[NPU_WALK_MAPS])
{
	for (unsigned m = 0; m < w->maps; m++)
		if (w->map[m].fm->bytes > 2 || stride[m] != NPU_GROUP * (i64)w->map[m].fm->bytes)
			return false;
	return true;
}

/* Of two dimensions, before it is asked whether the operation is given up. */
#define AT_ONCE 65536

static bool run_grid(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *inner = outer + 1;
	const size_t most = outer->n * inner->n <= AT_ONCE ? outer->n : inner->n < AT_ONCE ? AT_ONCE / inner->n : 1; /* dividing takes longer than some rows */
	u8 *p[NPU_WALK_MAPS] = { start[0], start[1], start[2] };

	for (size_t i = 0, rows; i < outer->n && !npu_given_up(w->view); i += rows) {
		rows = outer->n - i < most ? outer->n - i : most;
		if (!w->grid(w->ctx, p, outer->stride, inner->stride, rows, inner->n))
			return false; /* for what is the same each time */
		for (unsigned m = 0; m < w->maps; m++)
			p[m] += (i64)rows * outer->stride[m];
	}
	return true;
}

/* Whether rows are so short that they are brought together before anything else. */
static bool are_few(const struct npu_walk *w, const struct npu_walk_dim *outer)
{
	return outer[1].n < FEW && !are_bricks(w, outer->stride) && npu_walk_packs(w);
}

/* Three dimensions at once: rows of few pixels are planes of their own where lines of pixels do not join, and what is the same for all of
 * them is set once. */
static bool run_space(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *middle = outer + 1, *inner = outer + 2;

	return w->space && outer->n * middle->n * inner->n <= AT_ONCE && !are_few(w, middle) && !npu_given_up(w->view) &&
	       w->space(w->ctx, &(struct npu_walk_planes){ start, outer->stride, middle->stride, inner->stride, outer->n, middle->n, inner->n });
}

/* Three dimensions of which the two within are so short that several of them are brought together. False: they are not. */
static bool run_planes(const struct npu_walk *w, unsigned d, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *dim = &w->dim[d];
	u8 *p[NPU_WALK_MAPS] = { start[0], start[1], start[2] };

	if (!npu_walk_packs_planes(w, dim))
		return false;
	if (!w->grid || are_few(w, dim + 1) || !run_grid(w, dim + 1, p)) {
		npu_walk_packed_planes(w, dim, p);
		return true;
	}
	for (size_t i = 1; i < dim->n && !npu_given_up(w->view); i++) {
		for (unsigned m = 0; m < w->maps; m++)
			p[m] += dim->stride[m];
		npu_walk_run(w, d + 1, p);
	}
	return true;
}

/* The same of bricks with one element each. */
static bool run_single(const struct npu_walk *w, const struct npu_walk_dim *bricks, u8 *const start[NPU_WALK_MAPS])
{
	struct npu_walk_dim dim[2] = { *bricks, { .n = 1 } };

	for (unsigned m = 0; m < w->maps; m++)
		dim[1].stride[m] = w->map[m].fm->bytes;
	return run_grid(w, dim, start);
}

void npu_walk_run(const struct npu_walk *w, unsigned d, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *dim = &w->dim[d];
	u8 *p[NPU_WALK_MAPS] = { start[0], start[1], start[2] };
	const bool last = d + 1 == w->dims || d + 1 == NPU_WALK_DIMS; /* the second for gcc -O3's sake */

	if (d + 3 == w->dims && (npu_walk_repeated(w, dim, p) || run_space(w, dim, p) || run_planes(w, d, p)))
		return;
	if (d + 2 == w->dims && w->grid && !are_few(w, dim) && run_grid(w, dim, p))
		return;
	if (d + 1 == w->dims && w->grid && are_bricks(w, dim->stride) && run_single(w, dim, p))
		return;
	if (d + 2 == w->dims && npu_walk_packs(w)) {
		npu_walk_packed(w, dim, p);
		return;
	}
	for (size_t i = 0, n; i < dim->n && !npu_given_up(w->view); i += n) {
		n = !last ? 1 : dim->n - i < NPU_ROW ? dim->n - i : NPU_ROW;
		if (last)
			w->row(w->ctx, p, dim->stride, n);
		else
			npu_walk_run(w, d + 1, p);
		for (unsigned m = 0; m < w->maps; m++)
			p[m] += (i64)n * dim->stride[m];
	}
}
