/* SPDX-License-Identifier: Apache-2.0 */
/* See move.h. Equal moves, each as far from the one before as that was from the one before it, are one move with a dimension more; such moves may be
 * equal again. */
#include "npu/kernels/move/move.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/private.h"

static bool move_again(struct npu_kernels *k, void *room)
{
	(void)k;
	npu_move_run(room);
	return true;
}

void npu_move_first(struct npu_kernels *k, const struct npu_move *m)
{
	struct npu_move *room = npu_again_room(k, sizeof(*room));

	npu_move_run(m);
	if (!room)
		return;
	*room = *m;
	npu_again_keep(k, room, move_again);
	k->again->move = room;
}

static bool same_plan(const struct npu_copy_plan *a, const struct npu_copy_plan *b)
{
	bool same = a->dims == b->dims && a->bytes == b->bytes;

	for (unsigned d = 0; same && d < a->dims; d++)
		same = a->dim[d].n == b->dim[d].n && a->dim[d].to == b->dim[d].to && a->dim[d].from == b->dim[d].from;
	return same;
}

/* How many of the moves from the first on are equal, each by the same steps from the one before. */
static size_t steps(const struct npu_move *m, size_t count)
{
	size_t n = 1;

	while (n < count && same_plan(&m[n].plan, &m->plan) && (uintptr_t)m[n].to - (uintptr_t)m[n - 1].to == (uintptr_t)m[1].to - (uintptr_t)m->to &&
	       (uintptr_t)m[n].from - (uintptr_t)m[n - 1].from == (uintptr_t)m[1].from - (uintptr_t)m->from)
		n++;
	return n;
}

/* Bytes that elements lie between. */
struct reach { uintptr_t first, end; };

static void grow(struct reach *r, i64 stride, size_t n)
{
	const i64 more = stride * (i64)(n - 1);

	if (more < 0)
		r->first += (uintptr_t)more;
	else
		r->end += (uintptr_t)more;
}

/* Whether the order of its elements does not matter: none is written where another is, or one is read. */
static bool is_free(const struct npu_move *m, const struct npu_copy_dim *dim, unsigned dims)
{
	struct reach to = { (uintptr_t)m->to, (uintptr_t)m->to + m->plan.bytes }, from = { (uintptr_t)m->from, (uintptr_t)m->from + m->plan.bytes };
	struct npu_fm_dim at[NPU_COPY_DIMS];
	unsigned n = 0;

	for (unsigned d = 0; d < dims; d++) {
		grow(&to, dim[d].to, dim[d].n);
		grow(&from, dim[d].from, dim[d].n);
		npu_fm_dim_insert(at, &n, dim[d].to, dim[d].n);
	}
	return npu_fm_dims_apart(at, n, m->plan.bytes) && (to.end <= from.first || from.end <= to.first);
}

/* The first `count` moves as one, in *m. False: they must stay as they are. */
static bool make_one(struct npu_move *m, const struct npu_move *all, size_t count)
{
	struct npu_copy_dim dim[NPU_COPY_DIMS];
	unsigned dims = 0;

	for (unsigned d = 0; d < all->plan.dims; d++)
		if (all->plan.dim[d].n != 1 && dims < NPU_COPY_DIMS)
			dim[dims++] = all->plan.dim[d];
	if (count == 1 || dims == NPU_COPY_DIMS)
		return false;
	dim[dims++] = (struct npu_copy_dim){ count, (i64)((uintptr_t)all[1].to - (uintptr_t)all->to), (i64)((uintptr_t)all[1].from - (uintptr_t)all->from) };
	if (!is_free(all, dim, dims))
		return false;
	*m = *all;
	npu_copy_plan(&m->plan, dim, dims, all->plan.bytes);
	return true;
}

size_t npu_moves_join(struct npu_move *m, size_t count)
{
	for (size_t before = 0; before != count;) {
		size_t left = 0;
		before = count;
		for (size_t i = 0, n; i < count; i += n) {
			n = steps(m + i, count - i);
			if (make_one(&m[left], m + i, n)) {
				left++;
				continue;
			}
			for (size_t k = 0; k < n; k++)
				m[left++] = m[i + k];
		}
		count = left;
	}
	return count;
}
