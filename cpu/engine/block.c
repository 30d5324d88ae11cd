/* SPDX-License-Identifier: Apache-2.0 */
/* Straight pieces of decoded code: what their blocks cost from each instruction on. */
#include "cpu/engine/code.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/translate.h"

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

/* Where a breakpoint lies in an instruction or IT block, the way into it leaves for the run loop, which steps it; its
 * cost stays as it is, and so do all times. */
static void put_breakpoint(const struct engine *e, struct code_page *p, unsigned first, unsigned end)
{
	bool here = false;

	for (unsigned i = first; i < end; i = next_index(p, i))
		here |= engine_breaks_at(e, p->addr + 2 * i);
	if (!here)
		return;
	if (p->slots[first].handler == handler_word(handler_crossing))
		p->crossing = handler_word(handler_break);
	else
		p->slots[first].handler = handler_word(handler_break);
}

/* In memory with wait states each instruction looks whether it is there. Those that are stepped do so anyway; translated ones have their
 * code behind that already. */
static void watch_fetches(struct code_page *p, const u16 *list, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		struct slot *s = &p->slots[list[k]];
		slot_handler *h = s->handler == handler_word(handler_crossing) ? &p->crossing : &s->handler;
		if (*h == handler_word(handler_uncached) || slot_breaks(s) || p->behind[list[k]])
			continue;
		p->behind[list[k]] = *h;
		*h = handler_word(go_fetch);
	}
}

/* True when what listens takes the place of translated code. */
static bool observe_block(struct cpu *c, struct code_page *p, const u16 *list, unsigned n)
{
	if (observed_outlined(c)) {
		observed_mark_outline(c, p, list, n);
		return true;
	}
	if (c->observed->instructions && !c->observed->brief) {
		observed_mark_each(p, list, n);
		return true;
	}
	if (c->observed->course)
		observed_mark_ends(p, list, n);
	return false;
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
		if (UNLIKELY(c->engine->breakpoint_count))
			put_breakpoint(c->engine, p, i, end);
		for (; i < end; i = next_index(p, i))
			list[n++] = (u16)i;
		if (!goes_on(p, list[n - 1]))
			break;
	}
	charge_block(c, p, list, n, i);
	const bool told = UNLIKELY(c->observed) && observe_block(c, p, list, n);
	for (unsigned k = 0; p->waits && k < n; k++)
		p->behind[list[k]] = 0;
	if (!told)
		translate_piece(c, p, list, n, i);
	if (p->waits)
		watch_fetches(p, list, n);
}
