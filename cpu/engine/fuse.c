/* SPDX-License-Identifier: Apache-2.0 */
/* Divides decoded code among the fused handlers. */
#include "cpu/engine/fuse.h"

#include <stdlib.h>

handler_fn *handler_fused_it(unsigned cond, const u16 *ops, const u8 *lengths, const u8 *otherwise, unsigned n,
			     unsigned same)
{
	for (unsigned i = 0; i < fused_it_count; i++) {
		const struct fused_it *x = &fused_it[i];
		if (x->cond == cond && x->count == n && !(x->same & ~same) && !memcmp(x->op, ops, n * sizeof(u16)) &&
		    !memcmp(x->length, lengths, n) && !memcmp(x->otherwise, otherwise, n))
			return x->handler;
	}
	return NULL;
}

unsigned fused_same(unsigned op, const struct slot *s, u8 earlier)
{
	unsigned uses = op_infos[op].uses;

	return (uses & R_B && s->b == earlier ? SAME_B : 0) | (uses & R_C && s->c == earlier ? SAME_C : 0) |
	       (uses & (R_A | W_A) && s->a == earlier ? SAME_A : 0);
}

u32 fused_same_all(const struct fuse_at *at, unsigned n)
{
	u32 same = 0;

	for (unsigned later = 1; later < n; later++)
		for (unsigned earlier = 0; earlier < later; earlier++)
			if (op_infos[at[earlier].op].uses & W_A)
				same |= fused_same(at[later].op, at[later].slot, at[earlier].slot->a)
					<< FUSED_SAME_SHIFT(later, earlier);
	return same;
}

static unsigned head(unsigned op, unsigned next_op)
{
	return (op * 37 + next_op) & (FUSED_HEADS - 1);
}

struct fused_index *fused_index_new(const struct fused *list, unsigned count)
{
	struct fused_index *index = calloc(1, sizeof(*index) + count * sizeof(*index->next));

	if (!index)
		return NULL;
	index->list = list;
	for (unsigned i = count; i-- > 0;) {
		u16 *first = &index->first[head(list[i].op[0], list[i].op[1])];
		index->next[i] = *first;
		*first = (u16)(i + 1);
	}
	return index;
}

void fused_index_free(struct fused_index *index)
{
	free(index);
}

static bool fits(const struct fused *x, const struct fuse_at *at, unsigned n, u32 same)
{
	if (x->count > n || x->same & ~same)
		return false;
	for (unsigned k = 0; k < x->count; k++)
		if (x->op[k] != at[k].op || x->length[k] != at[k].length)
			return false;
	return true;
}

void fused_divide(const struct fused_index *index, const struct fuse_at *at, unsigned n, u16 *chosen)
{
	/* A handler counts more than all the operands that may be the same in one sequence. */
	enum { HANDLER = 32 };
	u32 cost[FUSED_LEN + 1] = { 0 }; /* of the rest, by place modulo FUSED_LEN + 1 */

	for (unsigned k = n; k-- > 0;) {
		unsigned most = n - k < FUSED_LEN ? n - k : FUSED_LEN;
		u32 same = fused_same_all(at + k, most);
		u32 best = HANDLER + cost[(k + 1) % (FUSED_LEN + 1)];
		chosen[k] = 0;
		for (unsigned i = most > 1 ? index->first[head(at[k].op, at[k + 1].op)] : 0; i; i = index->next[i - 1]) {
			const struct fused *x = &index->list[i - 1];
			if (!fits(x, at + k, most, same))
				continue;
			u32 with = HANDLER - (u32)__builtin_popcount(x->same) + cost[(k + x->count) % (FUSED_LEN + 1)];
			if (with < best) {
				best = with;
				chosen[k] = (u16)i;
			}
		}
		cost[k % (FUSED_LEN + 1)] = best;
	}
}
