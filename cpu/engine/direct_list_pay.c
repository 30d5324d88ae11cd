/* SPDX-License-Identifier: Apache-2.0 */
/* What lists of registers take in memories with wait states. */
#include "cpu/engine/direct_rights.h"

/* As a table has it for so many words, from one of a line on. The address is in SCRATCH_2; what its block is by, `shift` bits further up, in SCRATCH. */
static void put_units(struct direct *d, bool in_cold, const struct recipe *r, unsigned shift, unsigned refused)
{
	struct host_code *k = direct_part(d, in_cold), *cold = &d->cold;
	const i32 units = (i32)offsetof(struct pay_words, units) + (direct_loads(r) ? 0 : (i32)sizeof(((struct pay_words *)NULL)->units[0])) + d->slot->d / 4 * 32;

	put_shift(k, 0, SHIFT_SHR, SCRATCH, shift);
	put_op(k, FORM_WIDE, 0x8b, SCRATCH, in_memory(RSI, SCRATCH, 3, PAY(words)));
	put_alu_imm(k, ALU_AND, SCRATCH_2, CACHE_LINE - 4);
	put_op(k, 0, 0x8b, SCRATCH, in_memory(SCRATCH, SCRATCH_2, 0, units));
	put_alu(k, ALU_SUB, RDX, SCRATCH);
	const unsigned too_much = direct_jump_later(d, in_cold, JUMP_IF(IF_S));

	if (in_cold)
		direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
	direct_patch(d, too_much, cold->n);
	put_alu(cold, ALU_ADD, RDX, SCRATCH);
	direct_jump(d, true, JUMP, DIRECT_COLD, refused);
}

static void put_pay(struct direct *d, const struct recipe *r, unsigned refused)
{
	struct host_code *k = &d->hot, *cold = &d->cold;

	put_shift(k, 0, SHIFT_SHR, SCRATCH, PAGE_BITS);
	put_test_byte(k, in_memory(R15, SCRATCH, 0, 0), direct_waiting_right(r));
	const unsigned no_wait = direct_jump_later(d, false, JUMP_IF(IF_E));
	put_units(d, false, r, PAY_SHIFT - PAGE_BITS, refused);
	direct_patch(d, no_wait, cold->n);
	put_test_byte(cold, in_memory(R15, SCRATCH, 0, 0), direct_free_rights(d, r));
	direct_jump(d, true, JUMP_IF(IF_E), DIRECT_COLD, refused);
	direct_jump(d, true, JUMP, DIRECT_HOT, k->n);
}

#define TWO_LINES 36u /* bytes that never lie in three */

/* In the cold part: what is asked for two lines at most needs a budget for those (go_ask); here it reaches for twice as many. */
static void cold_reaches(struct direct *d, unsigned refused)
{
	struct host_code *k = &d->cold;

	put_op(k, 0, 0x8b, SCRATCH, in_memory(RSI, NO_INDEX, 0, PAY(most)));
	put_alu(k, ALU_ADD, SCRATCH, SCRATCH);
	put_alu(k, ALU_CMP, RDX, SCRATCH);
	direct_jump(d, true, JUMP_IF(IF_L), DIRECT_COLD, refused);
}

/* All lines that it may lie in are free, or asked for. The address is in both SCRATCH. */
static void put_lines(struct direct *d, bool in_cold, const struct recipe *r, unsigned refused)
{
	struct host_code *k = direct_part(d, in_cold), *cold = &d->cold;
	const struct host_operand lines = in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, lines));
	const i32 at[3] = { 0, d->slot->d - 1, CACHE_LINE };
	const unsigned count = d->slot->d > TWO_LINES ? 3 : 2;
	unsigned ask[3];

	for (unsigned i = 0; i < count; i++) {
		if (i)
			put_lea(k, SCRATCH, in_memory(SCRATCH_2, NO_INDEX, 0, at[i]));
		put_shift(k, 0, SHIFT_SHR, SCRATCH, 5);
		put_op(k, FORM_WIDE, 0x03, SCRATCH, lines);
		put_test_byte(k, in_memory(SCRATCH, NO_INDEX, 0, 0), direct_free_line(r));
		ask[i] = direct_jump_later(d, in_cold, JUMP_IF(IF_E));
	}
	if (in_cold)
		direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
	for (unsigned i = 0; i < count; i++)
		direct_patch(d, ask[i], cold->n);
	if (count > 2)
		cold_reaches(d, refused);
	direct_ask(d, r, d->slot->d, refused, d->hot.n);
}

void direct_list_pay_apart(struct direct *d, const struct recipe *r, unsigned start, unsigned refused)
{
	struct host_code *k = &d->cold;

	direct_patch(d, direct_unless_right(d, true, direct_waiting_right(r)), refused);
	put_mov(k, SCRATCH_2, start);
	put_mov(k, SCRATCH, SCRATCH_2);
	if (d->cost == COST_PAYS)
		put_units(d, true, r, PAY_SHIFT, refused);
	else
		put_lines(d, true, r, refused);
}

/* Most likely nothing. */
static void put_nothing(struct direct *d, const struct recipe *r, unsigned start, unsigned refused)
{
	put_mov(&d->hot, SCRATCH_2, start);
	put_shift(&d->hot, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	direct_patch(d, direct_unless_right(d, false, direct_free_rights(d, r)), d->cold.n);
	direct_list_pay_apart(d, r, start, refused);
}

void direct_list_pay(struct direct *d, const struct recipe *r, unsigned start, unsigned refused)
{
	if (d->untimed) {
		put_nothing(d, r, start, refused);
		return;
	}
	put_mov(&d->hot, SCRATCH_2, start);
	put_mov(&d->hot, SCRATCH, SCRATCH_2);
	if (d->cost == COST_PAYS)
		put_pay(d, r, refused);
	else
		put_lines(d, false, r, refused);
}
