/* SPDX-License-Identifier: Apache-2.0 */
/* Data operations as host instructions. */
#include "cpu/engine/direct.h"

static const u8 host_alu[] = {
	[DO_AND] = ALU_AND, [DO_ORR] = ALU_OR, [DO_EOR] = ALU_XOR, [DO_BIC] = ALU_AND, [DO_ORN] = ALU_OR,
	[DO_ADD] = ALU_ADD, [DO_SUB] = ALU_SUB, [DO_RSB] = ALU_SUB, [DO_ADC] = ALU_ADC, [DO_SBC] = ALU_SBB,
};
static const u8 host_shift[] = { [Y_LSL] = SHIFT_SHL, [Y_LSR] = SHIFT_SHR, [Y_ASR] = SHIFT_SAR, [Y_ROR] = SHIFT_ROR };

static bool is_logic(const struct recipe *r) { return r->what <= DO_ORN; }
static bool commutes(const struct recipe *r)
{
	return r->what == DO_AND || r->what == DO_ORR || r->what == DO_EOR || r->what == DO_ADD || r->what == DO_ADC;
}

/* The carry of additions is in the host's carry flag before those that add it. */
static void bring_carry(struct host_code *k, const struct recipe *r)
{
	if (r->what != DO_ADC && r->what != DO_SBC)
		return;
	put_op(k, FORM_0F, 0xba, 4, in_register(R8)); /* bt $0, C */
	put(k, 0);
	if (r->what == DO_SBC)
		put(k, 0xf5); /* cmc */
}

static void put_shifted(struct direct *d, const struct recipe *r, unsigned host, bool carry)
{
	put_shift(&d->hot, 0, host_shift[r->operand], host, d->slot->imm);
	if (carry)
		put_set(&d->hot, IF_B, R8);
}

/* MOV and MVN; the host register of the result. */
static unsigned move(struct direct *d, const struct recipe *r, bool carry)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	unsigned to;

	if (r->operand == Y_IMM) {
		to = hold_to(&d->hold, k, s->a);
		put_mov_imm(k, to, s->imm);
		return to;
	}
	const unsigned y = hold_get(&d->hold, k, s->c);
	to = hold_to(&d->hold, k, s->a);
	put_mov(k, to, y);
	if (r->operand != Y_REG)
		put_shifted(d, r, to, carry);
	if (r->what == DO_MVN)
		put_not(k, to);
	return to;
}

/* Where x op y is computed, with x in it. */
static unsigned start_with(struct direct *d, const struct recipe *r, unsigned x, bool in_place)
{
	unsigned to = SCRATCH_2;

	if (!(r->flags & NO_RESULT))
		to = in_place ? hold_to(&d->hold, &d->hot, d->slot->a) : hold_free(&d->hold, &d->hot);
	put_mov(&d->hot, to, x);
	return to;
}

static unsigned with_imm(struct direct *d, const struct recipe *r, bool flags)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(&d->hold, k, s->b);
	unsigned to;

	if (r->what == DO_RSB) {
		to = hold_free(&d->hold, k);
		put_mov_imm(k, to, s->imm);
		put_alu(k, ALU_SUB, to, x);
		return to;
	}
	if (r->what == DO_ADD && !flags && s->a != s->b) {
		to = hold_to(&d->hold, k, s->a);
		put_lea(k, to, in_memory(x, NO_INDEX, 0, (i32)s->imm));
		return to;
	}
	to = start_with(d, r, x, true);
	bring_carry(k, r);
	put_alu_imm(k, host_alu[r->what], to, s->imm);
	return to;
}

/* Both operands in registers; y: the second, in SCRATCH where it is shifted or inverted. */
static unsigned with_register(struct direct *d, const struct recipe *r, unsigned x, unsigned y, bool flags)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	unsigned to;

	if (r->what == DO_RSB) {
		to = y == SCRATCH ? SCRATCH_2 : hold_free(&d->hold, k);
		put_mov(k, to, y);
		put_alu(k, ALU_SUB, to, x);
		if (y != SCRATCH)
			return to;
		const unsigned result = hold_to(&d->hold, k, s->a);
		put_mov(k, result, to);
		return result;
	}
	if (r->what == DO_ADD && !flags && s->a != s->b && (s->a != s->c || y == SCRATCH)) {
		to = hold_to(&d->hold, k, s->a);
		put_lea(k, to, in_memory(x, y, 0, 0));
		return to;
	}
	const bool is_y = s->a == s->c && s->a != s->b && y != SCRATCH && !(r->flags & NO_RESULT);
	if (is_y && commutes(r)) {
		bring_carry(k, r);
		put_alu(k, host_alu[r->what], y, x);
		return y;
	}
	to = start_with(d, r, x, !is_y);
	bring_carry(k, r);
	put_alu(k, host_alu[r->what], to, y);
	return to;
}

static unsigned compute(struct direct *d, const struct recipe *r, bool flags)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const bool carry = flags && is_logic(r), inverts = r->what == DO_BIC || r->what == DO_ORN;

	if (r->what == DO_MOV || r->what == DO_MVN)
		return move(d, r, carry);
	if (r->operand == Y_IMM)
		return with_imm(d, r, flags);
	const unsigned x = hold_get(&d->hold, k, s->b), c = hold_get(&d->hold, k, s->c);
	unsigned y = c;
	if (r->operand == Y_LSL && s->imm < 4 && r->what == DO_ADD && !flags && s->a != s->b) {
		const unsigned to = hold_to(&d->hold, k, s->a);
		put_lea(k, to, in_memory(x, c, s->imm, 0));
		return to;
	}
	if (r->operand != Y_REG || inverts) {
		y = SCRATCH;
		put_mov(k, y, c);
	}
	if (r->operand != Y_REG)
		put_shifted(d, r, y, carry);
	if (inverts)
		put_not(k, y);
	return with_register(d, r, x, y, flags);
}

/* Only the host's flags of a comparison: nothing is computed. */
static bool compare(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;

	if (!(r->flags & NO_RESULT) || (r->what != DO_SUB && r->what != DO_AND))
		return false;
	const unsigned x = hold_get(&d->hold, k, s->b);
	if (r->operand != Y_IMM) {
		unsigned y = hold_get(&d->hold, k, s->c);
		if (r->operand != Y_REG) {
			put_mov(k, SCRATCH, y);
			put_shifted(d, r, y = SCRATCH, false);
		}
		put_op(k, 0, r->what == DO_SUB ? 0x39 : 0x85, y, in_register(x));
	} else if (r->what == DO_SUB && s->imm) {
		put_alu_imm(k, ALU_CMP, x, s->imm);
	} else if (r->what == DO_SUB) {
		put_test(k, x, x);
	} else {
		put_op(k, 0, 0xf7, 0, in_register(x));
		put_word(k, s->imm);
	}
	return true;
}

void direct_data(struct direct *d, const struct recipe *r, enum direct_sets sets)
{
	struct host_code *k = &d->hot;

	if ((sets == SETS_NONE && r->flags & NO_RESULT) || (sets == SETS_HOST && compare(d, r)))
		return;
	const unsigned to = compute(d, r, sets != SETS_NONE);
	if (!(r->flags & NO_RESULT))
		hold_set(&d->hold, d->slot->a, to);
	if (sets == SETS_HOST && r->what == DO_MOV)
		put_test(k, to, to);
	if (sets != SETS_ALL)
		return;
	if (!is_logic(r)) {
		const bool subtracts = r->what == DO_SUB || r->what == DO_RSB || r->what == DO_SBC;
		put_set(k, subtracts ? IF_AE : IF_B, R8);
		put_set(k, IF_O, RCX);
	} else if (r->flags & CARRY_CONSTANT) {
		put_mov_imm(k, R8, d->slot->d);
	}
	put_movslq(k, R9, to);
}

/* A product of 64 bits in SCRATCH. */
static void multiply_long(struct direct *d, const struct recipe *r, unsigned x, unsigned y)
{
	struct host_code *k = &d->hot;

	if (r->flags & SIGNED) {
		put_movslq(k, SCRATCH, x);
		put_movslq(k, SCRATCH_2, y);
		put_imul(k, FORM_WIDE, SCRATCH, SCRATCH_2);
		return;
	}
	put_mov(k, SCRATCH, x);
	put_imul(k, FORM_WIDE, SCRATCH, y);
}

/* Into a, the low half, and d. Held words are zero in their host registers' high halves. */
static void product_long(struct direct *d, const struct recipe *r, unsigned x, unsigned y)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	unsigned low, high;

	if (r->what == DO_MULL) {
		multiply_long(d, r, x, y);
		low = hold_to(h, k, s->a);
		put_mov(k, low, SCRATCH);
		hold_set(h, s->a, low);
		high = hold_to(h, k, s->d);
		put_shift(k, FORM_WIDE, SHIFT_SHR, SCRATCH, 32);
		put_mov(k, high, SCRATCH);
		hold_set(h, s->d, high);
		return;
	}
	low = hold_get(h, k, s->a);
	high = hold_get(h, k, s->d);
	multiply_long(d, r, x, y);
	put_op(k, FORM_WIDE, ALU_ADD << 3 | 1, low, in_register(SCRATCH));
	if (r->what == DO_UMAAL)
		put_op(k, FORM_WIDE, ALU_ADD << 3 | 1, high, in_register(SCRATCH));
	put_mov(k, low, SCRATCH);
	put_shift(k, FORM_WIDE, SHIFT_SHR, SCRATCH, 32);
	if (r->what == DO_UMAAL)
		put_mov(k, high, SCRATCH);
	else
		put_alu(k, ALU_ADD, high, SCRATCH);
	hold_set(h, s->a, low);
	hold_set(h, s->d, high);
}

void direct_product(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(h, k, s->b), y = hold_get(h, k, s->c);
	unsigned to, more;

	switch (r->what) {
	case DO_MUL:
		if (s->a == s->c && s->a != s->b) {
			put_imul(k, 0, to = y, x);
		} else {
			to = hold_to(h, k, s->a);
			put_mov(k, to, x);
			put_imul(k, 0, to, y);
		}
		hold_set(h, s->a, to);
		break;
	case DO_MLA: case DO_MLS:
		more = hold_get(h, k, s->d);
		put_mov(k, SCRATCH, x);
		put_imul(k, 0, SCRATCH, y);
		to = hold_to(h, k, s->a);
		if (r->what == DO_MLA) {
			put_lea(k, to, in_memory(more, SCRATCH, 0, 0));
		} else {
			put_mov(k, to, more);
			put_alu(k, ALU_SUB, to, SCRATCH);
		}
		hold_set(h, s->a, to);
		break;
	default:
		product_long(d, r, x, y);
	}
}
