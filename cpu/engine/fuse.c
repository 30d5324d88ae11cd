/* SPDX-License-Identifier: Apache-2.0 */
/* Divides decoded code among the fused handlers. */
#include "cpu/engine/fuse.h"

#include <stdlib.h>

/* An IT block's operands are its own affair. */
static unsigned uses_of(unsigned op)
{
	return op < OP_COUNT ? op_infos[op].uses : 0;
}

unsigned fused_same(unsigned op, const struct slot *s, u8 earlier)
{
	unsigned uses = uses_of(op);

	return (uses & R_B && s->b == earlier ? SAME_B : 0) | (uses & R_C && s->c == earlier ? SAME_C : 0) |
	       (uses & (R_A | W_A) && s->a == earlier ? SAME_A : 0);
}

u64 fused_same_all(const struct fuse_at *at, unsigned n)
{
	u64 same = 0;

	for (unsigned later = 1; later < n; later++)
		for (unsigned earlier = 0; earlier < later; earlier++)
			if (uses_of(at[earlier].op) & W_A)
				same |= (u64)fused_same(at[later].op, at[later].slot, at[earlier].slot->a)
					<< FUSED_SAME_SHIFT(later, earlier);
	return same;
}

static bool same_operations(const u16 *op, const u8 *length, const struct fuse_at *at, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (op[k] != at[k].op || length[k] != at[k].length)
			return false;
	return true;
}

handler_fn *fused_it_handler(unsigned cond, const struct fuse_at *at, const u8 *otherwise, unsigned n)
{
	u64 same = fused_same_all(at, n);

	for (const struct fused_it *x = fused_it; x < fused_it + fused_it_count; x++)
		if (x->cond == cond && x->count == n && !(x->same & ~same) && same_operations(x->op, x->length, at, n) &&
		    !memcmp(x->otherwise, otherwise, n))
			return x->handler;
	return NULL;
}

const struct fused_it *fused_it_of(slot_handler handler)
{
	for (const struct fused_it *x = fused_it; x < fused_it + fused_it_count; x++)
		if ((slot_handler)(uintptr_t)x->handler == handler)
			return x;
	return NULL;
}

unsigned fused_it_length(const struct fused_it *x)
{
	unsigned bytes = 2;

	for (unsigned k = 0; k < x->count; k++)
		bytes += x->length[k];
	return bytes;
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

static bool fits(const struct fused *x, const struct fuse_at *at, unsigned n, u64 same)
{
	return x->count <= n && !(x->same & ~same) && same_operations(x->op, x->length, at, x->count);
}

static bool branches(unsigned op)
{
	return op < OP_COUNT && op_infos[op].kind == KIND_BR;
}

/* What n operations leave of the weight of those behind them: half for each conditional branch. */
static u32 weight_behind(const struct fuse_at *at, unsigned n, u32 cost)
{
	for (unsigned k = 0; k < n; k++)
		cost >>= branches(at[k].op);
	return cost;
}

void fused_divide(const struct fused_index *index, const struct fuse_at *at, unsigned n, u16 *chosen)
{
	/* A handler counts more than all the operands that may be the same in one sequence, and than a
	 * branch that finds its flags in host registers. */
	enum { HANDLER = 64, WITH_BRANCH = 8 };
	u32 cost[FUSED_LEN + 1] = { 0 }; /* of the rest, by place modulo FUSED_LEN + 1 */

	for (unsigned k = n; k-- > 0;) {
		unsigned most = n - k < FUSED_LEN ? n - k : FUSED_LEN;
		u64 same = fused_same_all(at + k, most);
		u32 best = HANDLER + weight_behind(at + k, 1, cost[(k + 1) % (FUSED_LEN + 1)]);
		chosen[k] = 0;
		for (unsigned i = most > 1 ? index->first[head(at[k].op, at[k + 1].op)] : 0; i; i = index->next[i - 1]) {
			const struct fused *x = &index->list[i - 1];
			if (!fits(x, at + k, most, same))
				continue;
			u32 gain = (u32)__builtin_popcountll(x->same) + (branches(x->op[x->count - 1]) ? WITH_BRANCH : 0);
			u32 with = HANDLER - gain + weight_behind(at + k, x->count, cost[(k + x->count) % (FUSED_LEN + 1)]);
			if (with < best) {
				best = with;
				chosen[k] = (u16)i;
			}
		}
		cost[k % (FUSED_LEN + 1)] = best;
	}
}
