/* SPDX-License-Identifier: Apache-2.0 */
/* The engines without tail calls: one instruction at a time (horizon, tracing, breakpoints, code
 * that cannot be kept decoded, resumed IT blocks), and block by block from the same plain
 * functions where tail calls are not to be had, which also checks the fast engine. */
#include "cpu/engine/beats.h"
#include "cpu/engine/count.h"
#include "cpu/engine/observed.h"
#include "cpu/engine/waits.h"

#include "cpu/sysop.h"

/* One instruction about to be executed. */
struct current {
	const struct slot *s;
	struct slot temporary;
	u32 pc, encoding;
	u16 op;
	u8 length, it;
	bool kept, ends;
};

static void current_from_page(struct current *k, const struct slot *s, struct cpu *c)
{
	const struct code_page *p = page_of(s);
	u16 info = p->info[slot_index(p, s)];

	k->s = s;
	k->op = info & INFO_OP;
	k->length = info & INFO_WIDE ? 4 : 2;
	k->ends = info & INFO_ENDS;
	k->kept = true;
}

/* Fetches and decodes without keeping; false: the fetch faulted. */
static bool current_fetch(struct current *k, struct cpu *c)
{
	u16 halfwords[2] = { 0, 0 };

	if (!cpu_fetch(c, k->pc, &halfwords[0]))
		return false;
	if (insn_is_wide(halfwords[0]) && !cpu_fetch(c, k->pc + 2, &halfwords[1]))
		return false;
	struct decoded d = decode_one(c->engine, halfwords, k->pc, k->it != 0, &k->temporary);
	k->s = &k->temporary;
	k->op = d.op;
	k->length = d.length;
	k->kept = false;
	k->ends = true;
	return true;
}

/* As handlers go from one address to another: where the page may be executed, and was decoded for this place in an IT block. */
static const struct slot *kept_slot(const struct cpu *c, u32 pc, u8 it)
{
	const struct code_page *p = c->code[pc >> BUS_PAGE_SHIFT];
	const unsigned i = pc >> 1 & (PAGE_SLOTS - 1);

	if (!p || !(c->page_ok[pc >> BUS_PAGE_SHIFT] & PAGE_EXEC) || leads_out(p, i) || p->it[i] != it)
		return NULL;
	const struct slot *s = &p->slots[i];
	return s->handler == handler_word(handler_uncached) || !code_may_enter(c, s) ? NULL : s;
}

static bool current_find(struct current *k, struct cpu *c)
{
	k->pc = c->core.r[15];
	k->it = (u8)c->core.epsr_it;
	const struct slot *kept = kept_slot(c, k->pc, k->it);
	if (LIKELY(kept)) {
		current_from_page(k, kept, c);
		return true;
	}
	if (!k->it) {
		const struct slot *s = code_lookup(c, k->pc);
		if (s) {
			current_from_page(k, s, c);
			return true;
		}
		if (exception_pending(c))
			return false;
	}
	return current_fetch(k, c);
}

static u32 branch_address(const struct current *k)
{
	return k->kept ? slot_address(slot_linked(k->s->imm)) : k->pc + 4 + k->s->imm;
}

/* Cost of this instruction alone: the rest of the block is what follows it. */
static u32 current_cost(const struct current *k, const struct cpu *c)
{
	struct timed timed = { .s = k->s, .op = k->op, .narrow = k->length == 2 };

	if (!k->kept)
		return timing_cost(c, &timed, 1) << 16 | 1;
	return k->ends ? k->s->cost : k->s->cost - k->s[k->length / 2].cost;
}

/* What an executed instruction did, applied to pc, ITSTATE and cost. True: go on. A branch that is not the last of its IT block is
 * unpredictable; here, as in the other engines, the block ends with it. */
static bool finish(struct cpu *c, struct current *k, struct flags *f, enum out out)
{
	u32 pc = k->pc + k->length;
	u8 it = it_advance(k->it);

	switch (out) {
	case OUT_TAKEN:
		c->engine->left -= c->taken_extra;
		pc = branch_address(k);
		it = 0;
		break;
	case OUT_GO:
		pc = branch_address(k);
		it = 0;
		break;
	case OUT_JUMP:
		pc = c->core.next_pc & ~1u;
		it = 0;
		break;
	case OUT_SYS:
		c->core.r[15] = c->core.next_pc;
		c->core.epsr_it = c->core.next_it;
		*f = flags_from_apsr(c->core.apsr);
		return false;
	case OUT_FAULT:
		*f = flags_from_apsr(c->core.apsr);
		return false;
	default:
		break;
	}
	c->core.r[15] = pc;
	c->core.epsr_it = k->op == OP_it ? k->s->d : it;
	return true;
}

/* PACBTI-M, after an indirect branch: false: not a landing pad, UsageFault pending. */
static bool check_target(struct cpu *c, const struct current *k)
{
	if (is_landing_pad(k->op)) {
		c->core.btype = false;
		return true;
	}
	fault_raise(c, FAULT_INVSTATE, k->pc);
	return false;
}

/* Executes the instruction that was found; its cost is paid already. True: go on. */
static bool execute(struct cpu *c, struct current *k, struct flags *f, i64 left_before)
{
	enum out out = OUT_NEXT;
	bool slow = false, executed = !k->it || flags_hold(f, k->it >> 4), counting = executed && c->engine->counting;
	struct counted counted;

	if (UNLIKELY(c->core.btype) && !check_target(c, k))
		return false;
	if (UNLIKELY(counting))
		count_before(c, k->op, k->s, current_cost(k, c) >> 16, &counted);
	if (executed) {
		if (UNLIKELY((counting && count_asks_place(c, k->op)) || observed_asks_slow(c, k->op)))
			out = OUT_SLOW;
		else
			out = op_plain(k->op)->fast(k->s, c, f);
		slow = out == OUT_SLOW;
		if (UNLIKELY(slow && c->observed))
			observed_slow_begins(c->observed);
		if (slow)
			out = engine_slow(c, k->s, f, k->op, k->pc, k->pc + k->length, k->it, left_before);
	}
	const u32 waits = timing_waits(c, k->op, k->length == 2, k->pc);
	c->engine->left -= (i64)waits << 16;
	if (UNLIKELY(counting) && out != OUT_FAULT) {
		counted.units += waits;
		count_retired(c, &counted, out);
	}
	bool go_on = finish(c, k, f, out);
	if (UNLIKELY(c->observed))
		observed_done(c, k->op, k->s, k->pc, k->pc + k->length, out == OUT_FAULT ? OBSERVED_ABANDONED : c->core.r[15],
			      c->engine->left);
	return go_on && !(slow && engine_must_leave(c));
}

/* The same with EPSR.ECI set. */
static bool execute_resumed(struct cpu *c, struct current *k, struct flags *f, i64 left_before)
{
	struct beats beats;

	if (!beats_permit(c, k->op, k->s)) {
		fault_raise(c, FAULT_INVSTATE, 0);
		return false;
	}
	beats_begin(&beats, c, k->op, k->s);
	bool go_on = execute(c, k, f, left_before);
	if (c->core.r[15] != k->pc)
		beats_end(&beats, c, k->s);
	return go_on;
}

static bool step_one(struct cpu *c, struct current *k, struct flags *f, i64 left_before)
{
	return LIKELY(!c->core.eci) ? execute(c, k, f, left_before) : execute_resumed(c, k, f, left_before);
}

/* The same, told to observers. */
static bool step_observed(struct cpu *c, struct current *k, struct flags *f, i64 left_before)
{
	const struct slot operands = *k->s; /* the instruction may overwrite itself */
	const struct observed_instruction told = { &operands, k->pc, k->op, k->length, !k->it || flags_hold(f, k->it >> 4) };

	observed_instruction_begins(c, &told);
	bool go_on = step_one(c, k, f, left_before);
	flags_spill(c, f);
	engine_sync(c, c->engine->left);
	observed_instruction_ends(c, &told);
	return go_on;
}

void engine_step(struct cpu *c, u64 most)
{
	struct engine *e = c->engine;
	struct flags f = flags_from_apsr(c->core.apsr);
	bool go_on = true;

	while (go_on && most-- && e->left >> 16 > 0 && !engine_at_breakpoint(c)) {
		struct current k;
		e->break_passed = 0;
		flags_spill(c, &f);
		if (!current_find(&k, c))
			break;
		e->left -= (i64)timing_fetch(c, k.pc, k.length) << 16;
		i64 before = e->left;
		e->left -= current_cost(&k, c);
		if (UNLIKELY(c->observed && c->observed->instructions))
			go_on = step_observed(c, &k, &f, before);
		else
			go_on = step_one(c, &k, &f, before);
	}
	flags_spill(c, &f);
}

/* Executes the block that starts at *k, whose cost is paid; true: go on with the next one. Where
 * it must stop earlier, what is left of the block is paid back. */
static bool run_block(struct cpu *c, struct current *k, struct flags *f)
{
	for (;;) {
		const struct slot *next = k->s + k->length / 2;
		i64 rest = k->ends ? 0 : next->cost;
		c->engine->left -= (i64)timing_fetch(c, k->pc, k->length) << 16;
		if (!execute(c, k, f, c->engine->left + k->s->cost)) {
			c->engine->left += rest;
			return false;
		}
		if (k->ends || leads_out(page_of(next), slot_index(page_of(next), next)))
			return true;
		if (UNLIKELY(c->engine->left < 0)) { /* the rest, which is paid, does not fit any more */
			c->engine->left += rest;
			c->engine->bad_horizon = true;
			return false;
		}
		if (next->handler == handler_word(handler_uncached) || !code_may_enter(c, next) || slot_breaks(next)) {
			c->engine->left += rest;
			return true;
		}
		current_from_page(k, next, c);
		k->pc = c->core.r[15];
		k->it = (u8)c->core.epsr_it;
	}
}

void engine_switch(struct cpu *c)
{
	struct engine *e = c->engine;
	struct flags f = flags_from_apsr(c->core.apsr);
	struct current k;

	while (e->left >> 16 > 0) {
		const struct slot *s = code_lookup(c, c->core.r[15]);
		if (!s || slot_breaks(s)) {
			flags_spill(c, &f);
			if (!exception_pending(c))
				engine_step(c, 1);
			return;
		}
		current_from_page(&k, s, c);
		k.pc = c->core.r[15];
		k.it = (u8)c->core.epsr_it; /* a block may end inside an IT block */
		if (e->left < s->cost) {
			e->bad_horizon = true;
			break;
		}
		e->left -= s->cost;
		if (!run_block(c, &k, &f))
			break;
	}
	flags_spill(c, &f);
}
