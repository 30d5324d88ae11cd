/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the fused handler of a decoded sequence. */
#include "cpu/engine/engine.h"

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

void fused_link(struct fused_index *index)
{
	memset(index, 0, sizeof(*index));
	/* Longer ones stand first in the list, so the chain keeps the list's order. */
	for (unsigned i = fused_count; i-- > 0;) {
		index->next[i] = index->first[fused[i].op[0]];
		index->first[fused[i].op[0]] = (u16)(i + 1);
	}
}

handler_fn *handler_fused(const struct fused_index *index, const u16 *ops, const u8 *lengths, unsigned n,
			  unsigned same)
{
	for (unsigned i = index->first[ops[0]]; i; i = index->next[i - 1]) {
		const struct fused *x = &fused[i - 1];
		if (x->count <= n && !(x->same & ~same) && !memcmp(x->op, ops, x->count * sizeof(u16)) && !memcmp(x->length, lengths, x->count))
			return x->handler;
	}
	return NULL;
}
