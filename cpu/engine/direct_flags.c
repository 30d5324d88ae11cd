/* SPDX-License-Identifier: Apache-2.0 */
/* Flags that are not computed where their instruction is: who leaves before others take their place finds them all the same. */
#include "cpu/engine/direct.h"

#include "cpu/exec/body.h"
#include "cpu/exec/ops.h"

enum { FLAGS_NZ = 1, FLAGS_NZC, FLAGS_NZCV };

static bool is_shifted(const struct recipe *r) { return r->operand >= Y_LSL && r->operand <= Y_ROR; }

unsigned direct_flags_set(unsigned op)
{
	const struct recipe *r = &direct_recipes[op];

	if (!(r->flags & SETS))
		return 0;
	if (r->what >= DO_ADD && r->what <= DO_SBC)
		return FLAGS_NZCV;
	if (r->what == DO_SHIFT_BY)
		return FLAGS_NZC;
	return r->what <= DO_ORN && (is_shifted(r) || r->flags & CARRY_CONSTANT) ? FLAGS_NZC : FLAGS_NZ;
}

/* True when the first operand is the result and an immediate the other: it can be computed from the result. */
static bool is_inverted(const struct recipe *r, const struct slot *s)
{
	return !(r->flags & NO_RESULT) && r->operand == Y_IMM && s->a == s->b;
}

unsigned direct_flags_need(unsigned op, const struct slot *s)
{
	const struct recipe *r = &direct_recipes[op];
	const unsigned a = 1u << s->a, b = 1u << s->b, c = r->operand == Y_IMM ? 0 : 1u << s->c;

	if (r->what == DO_ADC || r->what == DO_SBC || r->what == DO_SHIFT_BY)
		return 0;
	if (r->what >= DO_ADD && r->what <= DO_RSB) {
		if (is_inverted(r, s))
			return a;
		return is_shifted(r) || (!(r->flags & NO_RESULT) && (b | c) & a) ? 0 : b | c;
	}
	if (r->flags & NO_RESULT)
		return is_shifted(r) ? 0 : b | c;
	if (r->what <= DO_ORN && is_shifted(r))
		return r->what == DO_MOV && s->a != s->c ? c : 0;
	return a;
}

static struct host_operand at(unsigned r) { return in_memory(RSI, NO_INDEX, 0, 4 * (i32)r); }
static void get(struct host_code *k, unsigned to, unsigned r) { put_op(k, 0, 0x8b, to, at(r)); }

/* The operation once more, in SCRATCH_2. */
static void put_again(struct host_code *k, const struct recipe *r, const struct slot *s)
{
	static const u8 alu[] = { [DO_AND] = ALU_AND, [DO_EOR] = ALU_XOR, [DO_ADD] = ALU_ADD, [DO_SUB] = ALU_SUB };
	const unsigned t = SCRATCH_2;

	if (r->what == DO_MOV) {
		get(k, t, s->c);
		return;
	}
	if (r->what == DO_RSB) {
		if (is_inverted(r, s)) { /* imm - (imm - a) */
			put_mov_imm(k, SCRATCH, s->imm);
			put_op(k, 0, 0x2b, SCRATCH, at(s->a));
		} else {
			get(k, SCRATCH, s->b);
		}
		if (r->operand == Y_IMM)
			put_mov_imm(k, t, s->imm);
		else
			get(k, t, s->c);
		put_alu(k, ALU_SUB, t, SCRATCH);
		return;
	}
	get(k, t, s->b);
	if (is_inverted(r, s))
		put_lea(k, t, in_memory(t, NO_INDEX, 0, (i32)(r->what == DO_ADD ? -s->imm : s->imm)));
	if (r->operand == Y_IMM)
		put_alu_imm(k, alu[r->what], t, s->imm);
	else
		put_op(k, 0, alu[r->what] << 3 | 3u, t, at(s->c));
}

static void put_flags_of(struct host_code *k, const struct recipe *r, const struct slot *s)
{
	static const u8 shift[] = { [Y_LSL] = SHIFT_SHL, [Y_LSR] = SHIFT_SHR, [Y_ASR] = SHIFT_SAR, [Y_ROR] = SHIFT_ROR };

	if (r->what >= DO_ADD && r->what <= DO_RSB) {
		put_again(k, r, s);
		put_set(k, r->what == DO_ADD ? IF_B : IF_AE, R8);
		put_set(k, IF_O, RCX);
		put_movslq(k, R9, SCRATCH_2);
	} else if (r->flags & NO_RESULT) {
		put_again(k, r, s);
		put_movslq(k, R9, SCRATCH_2);
	} else if (r->what <= DO_ORN && is_shifted(r)) {
		put_again(k, r, s);
		put_shift(k, 0, shift[r->operand], SCRATCH_2, s->imm);
		put_set(k, IF_B, R8);
		put_movslq(k, R9, SCRATCH_2);
	} else {
		put_op(k, FORM_WIDE, 0x63, R9, at(s->a)); /* movslq */
	}
	if (r->flags & CARRY_CONSTANT)
		put_mov_imm(k, R8, s->d);
}

void direct_put_flags(struct direct *d)
{
	for (unsigned i = 0; i < d->flags_count; i++)
		put_flags_of(&d->cold, &direct_recipes[d->flags[i].op], d->flags[i].slot);
}
