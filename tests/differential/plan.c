/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/plan.h"

#include <string.h>

/* Is the field a core register? */
static bool is_core(const struct insn_row *row, char letter)
{
	char text[] = {'{', 'r', letter, '}', 0};
	return row_has(row, text);
}

/* For store-exclusives: QEMU lets misaligned ones fail in silence. */
static unsigned aligned_base(struct emit *e)
{
	unsigned reg;

	do
		reg = insn_random_below(&e->r, 8);
	while (e->keep >> reg & 1);
	emit_address(e, reg, emit_block_address(&e->r) & ~7u);
	e->bases |= 1u << reg;
	return reg;
}

/* A core register other than `other` that holds a small number. */
static unsigned index_register(struct emit *e, unsigned other)
{
	unsigned reg;

	do
		reg = insn_random_below(&e->r, 8);
	while (reg == other || e->keep >> reg & 1);
	u32 value = insn_random_below(&e->r, 48);
	emit_movw(e, reg, insn_random_below(&e->r, 4) ? value & ~7u : value);
	return reg;
}

/* Makes the lanes of a vector small multiples of eight, or addresses when `base` >= 0. */
static void small_vector(struct emit *e, unsigned q, i32 base)
{
	emit_wide(e, 0xffa60050 | q << 13 | q << 1); /* vshr.u32 q, q, #26 */
	emit_wide(e, 0xefa30550 | q << 13 | q << 1); /* vshl.i32 q, q, #3 */
	if (base >= 0)
		emit_wide(e, 0xee210f40 | q << 17 | q << 13 | (u32)base); /* vadd.i32 q, q, rm */
}

/* "[{rn}, {rm}]", "[{rn}, {qm}", "[{qn}", "ldm{c} {rn}!, {list}". */
static void find_operands(struct plan *p, const char *syntax)
{
	const char *at = strchr(syntax, '[');

	if (at && at[1] == '{' && at[4] == '}') {
		*(at[2] == 'r' ? &p->base : at[2] == 'q' ? &p->vector : &p->fixed_letter) = at[3];
		at = strchr(at, '{');
		const char *next = strstr(at + 1, ", {");
		const char *end = strchr(at, ']');
		if (next && end && next < end && next[5] == '}')
			*(next[3] == 'r' ? &p->index : next[3] == 'q' ? &p->offsets : &p->fixed_letter) = next[4];
	} else if (!at && (strstr(syntax, "list}") || strstr(syntax, "vlstm") || strstr(syntax, "vlldm"))) {
		at = strstr(syntax, "{r");
		if (at)
			p->base = at[2];
	}
	if (p->fixed_letter && !p->fixed_value)
		p->fixed_letter = 0;
	p->memory = strchr(syntax, '[') || strstr(syntax, "list}");
}

void plan_prepare(struct plan *p, struct emit *e, const struct insn_row *row)
{
	char fixed = p->fixed_letter;

	p->row = row;
	p->e = e;
	p->base = p->index = p->vector = p->offsets = 0;
	p->base_reg = p->index_reg = p->vector_reg = -1;
	find_operands(p, row->syntax);
	p->fixed_letter = fixed;
	bool wild = insn_random_below(&e->r, 100) == 0;
	if (wild)
		return;
	if (p->base)
		p->base_reg = (i32)(strstr(op_infos[row->op].name, "strex") ? aligned_base(e) : emit_base(e));
	if (p->index)
		p->index_reg = (i32)index_register(e, (unsigned)p->base_reg);
	if (p->vector || p->offsets) {
		p->vector_reg = (i32)insn_random_below(&e->r, 8);
		i32 base = -1;
		if (p->vector)
			base = (i32)emit_base(e);
		small_vector(e, (unsigned)p->vector_reg, base);
	}
}

void plan_preset(struct plan *p, struct emit *e, const struct insn_row *row)
{
	struct case_in *in = &e->out->in;
	u32 base = emit_block_address(&e->r), q = insn_random_below(&e->r, 8), reg = insn_random_below(&e->r, 8);

	p->row = row;
	p->e = e;
	p->base_reg = p->index_reg = p->vector_reg = -1;
	find_operands(p, row->syntax);
	if (p->base) {
		p->base_reg = (i32)reg;
		in->r[reg] = base;
		e->bases |= 1u << reg;
	}
	if (p->vector || p->offsets) {
		p->vector_reg = (i32)q;
		for (unsigned i = 0; i < 4; i++)
			in->s[4 * q + i] = 8 * insn_random_below(&e->r, 48) + (p->vector ? base : 0);
	}
}

static i32 random_core(struct emit *e)
{
	u32 reg = insn_random_below(&e->r, 15);
	if (reg == 13 && insn_random_below(&e->r, 8))
		reg = 12;
	return (i32)reg;
}

/* SYSm of MRS and MSR; bit 7: the Non-secure one. */
static i32 special_register(struct insn_random *r)
{
	static const u8 numbers[] = {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 24};

	return numbers[insn_random_below(r, sizeof(numbers))] | (insn_random_below(r, 3) ? 0 : 0x80);
}

static i32 wish(void *ctx, char letter, unsigned width)
{
	struct plan *p = ctx;
	struct emit *e = p->e;

	if (letter == p->fixed_letter)
		return (i32)p->fixed_value;
	if (letter == p->base && p->base_reg >= 0)
		return p->base_reg;
	if (letter == p->index && p->index_reg >= 0)
		return p->index_reg;
	if ((letter == p->vector || letter == p->offsets) && p->vector_reg >= 0)
		return p->vector_reg;
	if (letter == 's' && (row_is(p->row, "msr") || row_is(p->row, "mrs")) && insn_random_below(&e->r, 8))
		return special_register(&e->r);
	if (letter == 'l')
		return (i32)(insn_random_u32(&e->r) & insn_random_u32(&e->r) & (width == 16 ? 0x5fff : 0xffff));
	if (is_core(p->row, letter))
		return width == 4 ? random_core(e) : -1;
	if (p->memory && letter == 'i' && insn_random_below(&e->r, 6))
		return (i32)insn_random_below(&e->r, width < 5 ? 1u << width : 16);
	return -1;
}

/* With FAULTMASK set, or without a main stack in Non-secure state, the end of a privileged sequence
 * would be a lockup. */
static bool changes_end(const struct emit *e, const struct insn_row *row, const struct fields *f)
{
	enum { MSP = 8, MSPLIM = 10, FAULTMASK = 19, CONTROL = 20 };
	bool nonsecure = e->out->in.env.nonsecure;
	u32 number = f->v['s'] & 0x7f;

	if (row_is(row, "cps"))
		return f->v['f'];
	return row_is(row, "msr") && (number == FAULTMASK ||
				      (nonsecure && (number == MSP || number == MSPLIM || number == CONTROL)));
}

/* Encodings that are UNPREDICTABLE in a way that patterns cannot say; and what QEMU cannot bear. */
static bool avoided(const struct emit *e, const struct insn_row *row, const struct insn_pattern *pattern, u32 encoding)
{
	struct slot s = {0};
	struct fields f;
	struct insn_at at = {.length = 4};

	insn_fields(pattern, encoding, &f);
	row->form(&s, &f, &at);
	if (!(e->out->in.env.control & 1) && changes_end(e, row, &f))
		return true;
	/* A semihosting call. */
	if (row_is(row, "bkpt"))
		return f.v['i'] == 0xab;
	/* QEMU 7.2 stops with an assertion on a VSCCLRM list that goes beyond S31. */
	if (row_is(row, "vscclrm"))
		return s.d == 0;
	/* Shift amount in one of the registers that are shifted. */
	if (row_has(row, "{lo}, {hi}") && row_has(row, "{rm}"))
		return s.c == s.a || s.c == s.d;
	/* Interleaving accesses that move SP. */
	if (!strncmp(row->syntax, "vld2", 4) || !strncmp(row->syntax, "vld4", 4) ||
	    !strncmp(row->syntax, "vst2", 4) || !strncmp(row->syntax, "vst4", 4))
		return f.v['w'] && f.v['n'] == 13;
	/* More fraction bits than bits. */
	if (row_has(row, "{fbits}"))
		return (f.v['i'] << 1 | f.v['j']) > (f.v['z'] ? 32u : 16u);
	return false;
}

/* Core registers that an instruction writes, as far as its row tells. */
static u32 written(const struct insn_row *row, const struct insn_pattern *pattern, u32 encoding, u32 pc)
{
	struct slot s = {0};
	struct fields f;
	struct insn_at at = {.pc = pc, .length = pattern->length};
	u32 uses = op_infos[row->op].uses, mask = 0;

	insn_fields(pattern, encoding, &f);
	row->form(&s, &f, &at);
	if (uses & W_A)
		mask |= 1u << (s.a & 15);
	if (uses & W_B)
		mask |= 1u << (s.b & 15);
	if (uses & W_C)
		mask |= 1u << (s.c & 15);
	if (uses & W_D)
		mask |= 1u << (s.d & 15);
	if (row_has(row, "{list}") || row_is(row, "clrm"))
		mask |= s.imm;
	if (row_is(row, "dls") || row_is(row, "wls") || row_is(row, "bl"))
		mask |= 1u << 14;
	return mask;
}

bool plan_emit(struct plan *p)
{
	struct emit *e = p->e;
	const struct insn_pattern *pattern = insn_pattern_of(e->g->set, p->row);
	u32 encoding;

	for (unsigned attempt = 0; attempt < 8; attempt++) {
		if (!insn_encode(e->g->set, p->row, &e->r, wish, p, &encoding))
			return false;
		u32 mask = written(p->row, pattern, encoding, emit_pc(e));
		if (e->keep && (row_is(p->row, "vldr_sys") || row_is(p->row, "vmsr_fpscr")))
			return false; /* LTPSIZE changes what a loop counts */
		if (mask & e->keep || mask >> 15 || avoided(e, p->row, pattern, encoding))
			continue;
		/* An interrupt's frame needs a stack. */
		if (e->out->in.env.tick && (mask >> 13 & 1 || (!p->memory && strstr(op_infos[p->row->op].name, "sp_"))))
			return false;
		u32 moved = p->base_reg >= 0 ? 1u << p->base_reg : 0;
		e->bases &= ~mask | (strchr(p->row->syntax, '!') ? moved & e->bases : 0);
		p->moves_sp = mask >> 13 & 1 || strstr(op_infos[p->row->op].name, "sp") ||
			      (p->memory && row_has(p->row, "sp"));
		emit_note(e, p->row, e->out->halfwords);
		if (pattern->length == 4)
			emit_wide(e, encoding);
		else
			emit_half(e, (u16)encoding);
		return true;
	}
	return false;
}

void plan_finish(struct plan *p)
{
	struct emit *e = p->e;

	if (!p->moves_sp || e->keep & 0xc0)
		return;
	emit_half(e, 0x466f); /* mov r7, sp */
	emit_address(e, 6, emit_stack(e));
	emit_half(e, 0x46b5); /* mov sp, r6 */
	e->bases &= ~0xc0u;
}

/* The distance that a branch encoding has by its row's form. */
static bool distance_is(struct emit *e, const struct insn_row *row, u32 pc, u32 encoding, i32 distance)
{
	const struct insn_pattern *pattern = insn_pattern_of(e->g->set, row);
	struct slot s = {0};
	struct fields f;
	struct insn_at at = {.pc = pc, .length = pattern->length};

	if (insn_find(e->g->set, encoding, pattern->length, pattern->it == 1) != row)
		return false;
	insn_fields(pattern, encoding, &f);
	row->form(&s, &f, &at);
	return s.imm == (u32)distance;
}

struct offset_wish { struct plan plan; u32 value; };

static i32 wish_offset(void *ctx, char letter, unsigned width)
{
	struct offset_wish *w = ctx;
	if (letter == 'i')
		return (i32)(w->value & ((1u << width) - 1));
	return wish(&w->plan, letter, width);
}

/* Small distances have all high bits alike but for the two J bits: tries each pair. */
bool plan_branch(struct emit *e, const struct insn_row *row, u32 pc, i32 distance, u32 *encoding)
{
	for (unsigned shift = 1; shift <= 2; shift++) {
		u32 low = (u32)(distance < 0 ? -distance : distance) >> shift;
		for (unsigned a = 0; a < 26; a++) {
			for (unsigned b = a; b < 26; b++) {
				struct offset_wish w = {.plan = {.row = row, .e = e, .base_reg = -1, .index_reg = -1, .vector_reg = -1}};
				w.value = low ^ (a < 25 ? 1u << a : 0) ^ (b < 25 && b != a ? 1u << b : 0);
				u32 enc;
				if (a == 0 && b == 0)
					w.value = low;
				else if (a == 25 && b == 25)
					w.value = (u32)(distance >> (int)shift);
				if (!insn_encode(e->g->set, row, &e->r, wish_offset, &w, &enc))
					break;
				if (distance_is(e, row, pc, enc, distance)) {
					*encoding = enc;
					return true;
				}
			}
		}
	}
	return false;
}
