/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/flow.h"
#include "tests/differential/plan.h"

#include <string.h>

static void filler(struct emit *e, u32 count)
{
	while (count) {
		const struct insn_row *row = gen_pick_plain(e);
		if (!row || !gen_is_filler(row))
			continue;
		gen_plain(e, row);
		count--;
	}
}

/* Takes everything from a halfword offset on back. */
static void flow_undo(struct emit *e, u32 at)
{
	struct gen_case *c = e->out;

	c->halfwords = at;
	while (c->insns && c->insn[c->insns - 1].at >= at)
		c->insns--;
}

static void patch_wide(struct emit *e, u32 at, u32 encoding)
{
	e->out->code[at] = (u16)(encoding >> 16);
	e->out->code[at + 1] = (u16)encoding;
}

static void patch_movw(struct emit *e, u32 at, unsigned reg, u32 value)
{
	u32 halfwords = e->out->halfwords;

	e->out->halfwords = at;
	emit_movw(e, reg, value);
	e->out->halfwords = halfwords;
}

static void direct(struct emit *e, const struct insn_row *row)
{
	const struct insn_pattern *p = insn_pattern_of(e->g->set, row);
	u32 pc, at, encoding;

	if (p->it == 1)
		emit_half(e, (u16)(0xbf08 | insn_random_below(&e->r, 14) << 4));
	pc = emit_pc(e);
	at = e->out->halfwords;
	if (!p->field_count) { /* MOV pc, pc: over one halfword */
		emit_note(e, row, at);
		emit_half(e, (u16)p->value);
		emit_half(e, CASE_END);
		return;
	}
	e->out->halfwords += p->length / 2;
	filler(e, 1 + insn_random_below(&e->r, 3));
	e->bases = 0;
	if (!plan_branch(e, row, pc, (i32)(emit_pc(e) - pc - 4), &encoding)) {
		flow_undo(e, at);
		return;
	}
	emit_note(e, row, at);
	if (p->length == 4)
		patch_wide(e, at, encoding);
	else
		e->out->code[at] = (u16)encoding;
}

/* Fields of a computed branch that the caller fixes. */
struct jump_wish { i32 n, m, list; char n_letter, m_letter; };

static i32 wish_jump(void *ctx, char letter, unsigned width)
{
	struct jump_wish *w = ctx;

	if (letter == w->n_letter)
		return w->n;
	if (letter == w->m_letter)
		return w->m;
	switch (letter) {
	case 'i': return 0;
	case 'u': return 1;
	case 'l': return w->list & (i32)((1ll << width) - 1);
	default: return -1;
	}
}

static bool emit_jump(struct emit *e, const struct insn_row *row, struct jump_wish *w)
{
	u32 encoding;

	if (!insn_encode(e->g->set, row, &e->r, wish_jump, w, &encoding))
		return false;
	emit_note(e, row, e->out->halfwords);
	if (insn_pattern_of(e->g->set, row)->length == 4)
		emit_wide(e, encoding);
	else
		emit_half(e, (u16)encoding);
	return true;
}

/* TBB, TBH: the table stands behind the instruction; r0 = table, r1 = index. */
static void table_branch(struct emit *e, const struct insn_row *row)
{
	struct jump_wish w = {.n = 0, .m = 1, .n_letter = 'n', .m_letter = 'm'};
	bool half = row_is(row, "tbh");
	u32 index = insn_random_below(&e->r, 2);

	emit_movw(e, 0, emit_pc(e) + 12);
	emit_movw(e, 1, index);
	u32 pc = emit_pc(e);
	if (!emit_jump(e, row, &w))
		return;
	u32 at = e->out->halfwords;
	e->out->halfwords += half ? 2 : 1;
	filler(e, 2);
	u32 distance = (emit_pc(e) - pc - 4) / 2;
	if (half) {
		e->out->code[at] = e->out->code[at + 1] = (u16)distance;
	} else {
		e->out->code[at] = (u16)(distance * 0x101);
	}
	e->bases = 0;
}

/* A jump through a register, or through memory that is written before. */
static void computed(struct emit *e, const struct insn_row *row)
{
	const char *syntax = row->syntax;
	bool memory = strchr(syntax, '[') || strstr(syntax, "list}");
	bool pop = !strncmp(syntax, "pop", 3) || (memory && strstr(syntax, "sp") != NULL);
	struct jump_wish w = {.n = 1, .m = 0, .list = 0x10, .n_letter = 'n', .m_letter = 'm'};
	u32 movw = e->out->halfwords;

	emit_movw(e, 0, 0);
	if (memory && pop) {
		emit_half(e, 0xb401); /* push {r0} */
		w.list = 0;
	} else if (memory) {
		/* A list is {r4, pc}: both words are the target. */
		emit_address(e, 1, CASE_BLOCK + 0x200);
		emit_wide(e, 0xe9c10000); /* strd r0, r0, [r1] */
		if (!strncmp(syntax, "ldmdb", 5))
			emit_half(e, 0x3108); /* adds r1, #8 */
		if (strstr(syntax, "{rm}")) {
			emit_movw(e, 2, 0);
			w.m = 2;
		}
	}
	u32 pc = emit_pc(e);
	if (!emit_jump(e, row, &w)) {
		flow_undo(e, movw);
		return;
	}
	filler(e, 1 + insn_random_below(&e->r, 2));
	patch_movw(e, movw, 0, row_is(row, "add_pc") ? emit_pc(e) - pc - 4 : emit_pc(e) | 1);
	e->bases = 0;
}

/* LDR pc, literal: the word stands behind it. */
static void literal(struct emit *e, const struct insn_row *row)
{
	struct jump_wish w = {0};

	if (emit_pc(e) & 2)
		emit_half(e, 0xbf00);
	if (!emit_jump(e, row, &w))
		return;
	u32 at = e->out->halfwords;
	e->out->halfwords += 2;
	filler(e, 2);
	e->out->code[at] = (u16)(emit_pc(e) | 1);
	e->out->code[at + 1] = 0;
	e->bases = 0;
}

void flow_unit(struct emit *e, const struct insn_row *row)
{
	u32 room = GEN_MAX_HALFWORDS - 200;

	if (e->out->halfwords > room)
		return;
	if (row_is(row, "ldr_pc_lit"))
		literal(e, row);
	else if (row_is(row, "tb"))
		table_branch(e, row);
	else if (row_kind(row) == KIND_BR || row_kind(row) == KIND_BRM || row_kind(row) == KIND_GO)
		direct(e, row);
	else
		computed(e, row);
}

static const struct insn_row *random_row(struct emit *e, const char *prefix, bool tail)
{
	const struct insn_row *found = NULL;
	u32 seen = 0;

	for (unsigned i = 0; i < e->g->loop_count; i++) {
		const struct insn_row *row = &insn_rows[e->g->loop[i]];
		bool is_tail = strstr(op_infos[row->op].name, "tp") != NULL;
		if (row_is(row, prefix) && is_tail == tail && !row_is(row, "le_always") && insn_random_below(&e->r, ++seen) == 0)
			found = row;
	}
	return found;
}

/* LE without a count: loop: subs r2, #1; beq out; body; le loop; out. */
static void loop_always(struct emit *e, const struct insn_row *row)
{
	u32 at = e->out->halfwords, encoding;

	emit_base(e);
	emit_movw(e, 2, 1 + insn_random_below(&e->r, 5));
	u32 start = emit_pc(e);
	emit_half(e, 0x3a01);
	u32 leave = e->out->halfwords++;
	e->keep = 1 << 2;
	filler(e, 1 + insn_random_below(&e->r, 3));
	e->keep = 0;
	u32 here = emit_pc(e);
	e->out->code[leave] = (u16)(0xd000 | (e->out->halfwords - leave));
	if (!plan_branch(e, row, here, (i32)(start - here - 4), &encoding)) {
		flow_undo(e, at);
		return;
	}
	emit_note(e, row, e->out->halfwords);
	emit_wide(e, encoding);
	e->bases = 0;
}

/* WLS lr, r2 past the loop, in the place at `at` that was left for it. */
static void put_wls(struct emit *e, const struct insn_row *row, u32 at, u32 pc)
{
	const u32 rn_mask = 0xfu << 16;
	u32 encoding;

	for (unsigned i = 0; i < 400; i++) {
		if (!plan_branch(e, row, pc, (i32)(emit_pc(e) - pc - 4), &encoding))
			break;
		encoding = (encoding & ~rn_mask) | 2u << 16;
		if (insn_find(e->g->set, encoding, 4, false) != row)
			continue;
		emit_note(e, row, at);
		patch_wide(e, at, encoding);
		return;
	}
	flow_undo(e, at);
}

/* DLS/WLS lr, r2; body; LE lr. Bodies keep lr. */
void flow_loop(struct emit *e)
{
	bool always = insn_random_below(&e->r, 8) == 0;

	for (unsigned i = 0; i < e->g->loop_count && always; i++) {
		const struct insn_row *row = &insn_rows[e->g->loop[i]];
		if (row_is(row, "le_always")) {
			loop_always(e, row);
			return;
		}
	}
	bool tail = insn_random_below(&e->r, 2), test = insn_random_below(&e->r, 2);
	const struct insn_row *start = random_row(e, test ? "wls" : "dls", tail);
	const struct insn_row *end = random_row(e, "le", tail);
	struct jump_wish w = {.n = 2, .n_letter = 'n'};
	u32 encoding;

	if (!start || !end)
		return;
	emit_base(e);
	emit_movw(e, 2, insn_random_below(&e->r, tail ? 24 : 6) + (test ? 0 : 1));
	u32 at = e->out->halfwords, pc = emit_pc(e);
	if (test) {
		e->out->halfwords += 2;
	} else if (!emit_jump(e, start, &w)) {
		return;
	}
	e->keep = 1 << 14;
	u32 body = emit_pc(e);
	filler(e, 1 + insn_random_below(&e->r, 4));
	e->keep = 0;
	u32 here = emit_pc(e);
	if (!plan_branch(e, end, here, (i32)(body - here - 4), &encoding)) {
		flow_undo(e, at);
		return;
	}
	emit_note(e, end, e->out->halfwords);
	emit_wide(e, encoding);
	e->bases = 0;
	if (test)
		put_wls(e, start, at, pc);
}
