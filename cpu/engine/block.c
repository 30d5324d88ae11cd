/* SPDX-License-Identifier: Apache-2.0 */
/* Straight pieces of decoded code: what their blocks cost from each instruction on. */
#include "cpu/engine/code.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/translate.h"

#include <assert.h>

static void mark_uncached(struct code_page *p, unsigned i)
{
	slot_used(p, i);
	p->slots[i].handler = handler_word(handler_uncached);
	p->slots[i].cost = 0;
	p->info[i] = OP_udf | INFO_KNOWN | INFO_ENDS;
}

static struct timed timed_at(const struct cpu *c, const struct code_page *p, unsigned i)
{
	struct timed k = { .s = &p->slots[i], .op = p->info[i] & INFO_OP, .narrow = !(p->info[i] & INFO_WIDE),
			   .paired = p->info[i] & INFO_PAIRED, .fixed = p->it[i] };

	timing_operands(c, &k);
	return k;
}

/* What the timing model looks at: instructions that follow each other, with copies of those of a loop. */
#define LOOP_AHEAD 4
struct ahead {
	struct timed k[TIMING_AHEAD];
	struct slot loop[LOOP_AHEAD];
	unsigned n;
};

/* Behind a loop end its loop's first instructions, as far as they lie in this page, which is decoded anew when one of them
 * changes. They may not be decoded yet. */
static void look_into_loop(const struct cpu *c, const struct code_page *p, struct ahead *a, const struct slot *end)
{
	const struct slot *first = slot_linked(end->imm);
	unsigned i = slot_index(p, first), copied = 0;

	while (page_of(first) == p && i < PAGE_SLOTS - 1 && slot_permitted(p, i) && slot_permitted(p, i + 1) && a->n < TIMING_AHEAD &&
	       copied < LOOP_AHEAD) {
		struct slot *s = &a->loop[copied++];
		u16 halfwords[2];
		memcpy(halfwords, c->mem + p->addr + i * 2, sizeof(halfwords));
		const struct decoded d = decode_one(c->engine, halfwords, p->addr + i * 2, false, s);
		const unsigned kind = op_infos[d.op].kind;
		if (kind == KIND_SKIP || kind == KIND_SYS)
			return;
		a->k[a->n] = (struct timed){ .s = s, .op = d.op, .narrow = d.length == 2 };
		timing_operands(c, &a->k[a->n++]);
		if (kind_ends_block(kind))
			return;
		i += d.length / 2;
	}
}

static bool is_loop_end(unsigned op)
{
	return op_infos[op].class == C_LOOP_END;
}

static void look_ahead(const struct cpu *c, const struct code_page *p, unsigned i, struct ahead *a)
{
	a->n = 0;
	for (bool last = false; !last && !leads_out(p, i) && a->n < TIMING_AHEAD; i = next_index(p, i)) {
		a->k[a->n++] = timed_at(c, p, i);
		last = p->info[i] & INFO_ENDS;
		if (last && is_loop_end(p->info[i] & INFO_OP))
			look_into_loop(c, p, a, &p->slots[i]);
	}
	for (unsigned k = a->n; k-- > 0;)
		timing_meet(c, &a->k[k], a->n - k);
}

/* The same for slot i, from what was looked at for the next one. */
static void look_back(const struct cpu *c, const struct code_page *p, unsigned i, struct ahead *a)
{
	a->n -= a->n == TIMING_AHEAD;
	memmove(&a->k[1], &a->k[0], a->n * sizeof(a->k[0]));
	a->k[0] = timed_at(c, p, i);
	a->n++;
	timing_meet(c, a->k, a->n);
}

/* Suffix costs from the block's last slot back to `first`. `after` is the decoded slot that the
 * block runs into, or one that leads out. */
static void charge_block(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after)
{
	struct ahead a;

	for (unsigned k = n; k-- > 0;) {
		const unsigned i = list[k], j = k + 1 < n ? list[k + 1] : after;
		const bool last = (p->info[i] & INFO_ENDS) || leads_out(p, j);
		const struct slot *next = last ? NULL : &p->slots[j];
		if (next && k + 1 < n)
			look_back(c, p, i, &a);
		else
			look_ahead(c, p, i, &a);
		if (next && timing_pairs(c, &a.k[0], &a.k[1])) {
			a.k[0].paired = true;
			p->info[i] |= INFO_PAIRED;
		}
		const u32 own = timing_cost(c, a.k, next ? a.n : 1);
		p->slots[i].cost = (own << 16 | 1) + (next ? next->cost : 0);
		assert(p->slots[i].cost <= INT32_MAX && "no page of instructions takes as long");
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

/* Each instruction looks whether it is there. Those that are stepped do so anyway; translated ones have their
 * code behind that already. */
void code_watch_fetches(struct code_page *p, const u16 *list, unsigned n)
{
	for (unsigned k = 0; p->waits && k < n; k++) {
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
	code_watch_fetches(p, list, n);
}
