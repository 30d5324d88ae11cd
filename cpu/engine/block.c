/* SPDX-License-Identifier: Apache-2.0 */
/* Straight pieces of decoded code: what their blocks cost from each instruction on, and which sequences have a
 * handler of their own. */
#include "cpu/engine/code.h"

#include <assert.h>

static void mark_uncached(struct code_page *p, unsigned i)
{
	p->slots[i].handler = handler_word(handler_uncached);
	p->slots[i].cost = 0;
	p->info[i] = OP_udf | INFO_KNOWN | INFO_ENDS;
}

/* Cost units of the decoded instruction at slot j alone. */
static u32 own_units(const struct code_page *p, unsigned j)
{
	const struct slot *s = &p->slots[j];
	bool last = p->info[j] & INFO_ENDS || leads_out(p, next_index(p, j));

	return (last ? s->cost : s->cost - p->slots[next_index(p, j)].cost) >> 16;
}

static struct timed timed_at(const struct code_page *p, unsigned i)
{
	return (struct timed){ &p->slots[i], p->info[i] & INFO_OP, !(p->info[i] & INFO_WIDE) };
}

/* Suffix costs from the block's last slot back to `first`. `after` is the decoded slot that the
 * block runs into, or one that leads out. */
static void charge_block(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after)
{
	for (unsigned k = n; k-- > 0;) {
		unsigned i = list[k], op = p->info[i] & INFO_OP;
		unsigned j = k + 1 < n ? list[k + 1] : after;
		bool last = (p->info[i] & INFO_ENDS) || leads_out(p, j);
		struct slot *s = &p->slots[i], *next = last ? NULL : &p->slots[j];
		bool in_it = p->it[i] || op == OP_it; /* resumed IT blocks are stepped: no pairs there */
		struct timed this = timed_at(p, i);
		u32 own = timing_cost(c, &this, NULL, false);
		if (!last && !in_it) {
			struct timed after_this = timed_at(p, j);
			own = timing_cost(c, &this, &after_this, own_units(p, j) == 0 || p->it[j]);
		}
		s->cost = (own << 16 | 1) + (next ? next->cost : 0);
		assert(s->cost <= INT32_MAX && "no page of instructions takes as long");
	}
}

/* True when the next instruction may follow: slot i ends no block, or with a conditional branch. */
static bool goes_on(const struct code_page *p, unsigned i)
{
	return !(p->info[i] & INFO_ENDS) || op_infos[p->info[i] & INFO_OP].kind == KIND_BR;
}

/* Collects the instructions, and IT blocks that have one handler, from slot *i that may be part of
 * a fused sequence, `most` at most; *i: the slot after them. */
static unsigned straight(const struct code_page *p, unsigned *i, struct fuse_at *at, unsigned most)
{
	unsigned n = 0;

	while (n < most && *i < PAGE_SLOTS && p->info[*i] & INFO_KNOWN && !p->it[*i] &&
	       p->slots[*i].handler != handler_word(handler_crossing)) {
		at[n] = at_slot(p, *i);
		if (at[n].op == OP_it) {
			const struct fused_it *block = fused_it_of(p->slots[*i].handler);
			if (!block)
				break;
			at[n].op = (u16)(OP_COUNT + (unsigned)(block - fused_it));
			at[n].length = (u8)fused_it_length(block);
		}
		unsigned last = *i;
		*i += at[n++].length / 2;
		if (!goes_on(p, last))
			break;
	}
	return n;
}

/* Replaces handlers of plain sequences by fused ones. Sequences may run into what was decoded
 * before. */
static void fuse_block(const struct engine *e, struct code_page *p, const u16 *list, unsigned n)
{
	struct fuse_at at[PAGE_SLOTS + FUSED_LEN];
	u16 chosen[PAGE_SLOTS + FUSED_LEN];

	for (unsigned k = 0; k < n;) {
		unsigned end = list[k], m = straight(p, &end, at, n - k + FUSED_LEN - 1);
		fused_divide(e->fused, at, m, chosen);
		for (unsigned j = 0; j < m; j++) {
			unsigned i = slot_index(p, at[j].slot);
			if (chosen[j] && i <= list[n - 1])
				p->slots[i].handler = handler_word(e->fused->list[chosen[j] - 1].handler);
		}
		do
			k++;
		while (k < n && list[k] < end);
	}
}

void code_decode_block(struct cpu *c, struct code_page *p, unsigned index)
{
	u16 list[PAGE_SLOTS + PAGE_TAIL];
	unsigned n = 0, i = index;

	while (i < PAGE_SLOTS && slot_permitted(p, i) && !(p->info[i] & INFO_KNOWN)) {
		unsigned end = decode_unit(c, p, i);
		if (!end) {
			mark_uncached(p, i);
			break;
		}
		for (; i < end; i = next_index(p, i))
			list[n++] = (u16)i;
		if (!goes_on(p, list[n - 1]))
			break;
	}
	charge_block(c, p, list, n, i);
	fuse_block(c->engine, p, list, n);
}
