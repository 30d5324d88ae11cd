/* SPDX-License-Identifier: Apache-2.0 */
/* What lists of registers take in memories with wait states. */
#include "cpu/engine/direct_rights.h"

/* Where a table has it for so many words, by the place of the first in its line; that is in SCRATCH, the table's address in SCRATCH_2. */
static struct host_operand units(const struct direct *d, const struct recipe *r)
{
	const i32 of_kind = (i32)offsetof(struct pay_words, units) + (direct_loads(r) ? 0 : (i32)sizeof(((struct pay_words *)NULL)->units[0]));

	return in_memory(SCRATCH_2, SCRATCH, 0, of_kind + d->slot->d / 4 * 32);
}

/* Of a list whose page is in SCRATCH_2. */
static void put_units(struct direct *d, bool in_cold, const struct recipe *r, unsigned start, unsigned refused)
{
	struct host_code *k = direct_part(d, in_cold), *cold = &d->cold;

	direct_put_words(d, in_cold);
	put_mov(k, SCRATCH, start);
	put_alu_imm(k, ALU_AND, SCRATCH, CACHE_LINE - 4);
	put_op(k, 0, 0x2b, RDX, units(d, r)); /* sub */
	const unsigned too_much = direct_jump_later(d, in_cold, JUMP_IF(IF_S));

	if (in_cold)
		direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
	direct_patch(d, too_much, cold->n);
	put_op(cold, 0, 0x03, RDX, units(d, r)); /* add */
	direct_jump(d, true, JUMP, DIRECT_COLD, refused);
}

/* Most likely it waits; `no_wait`: the jump of who has a page that does not. */
static void put_pay(struct direct *d, const struct recipe *r, unsigned start, unsigned no_wait, unsigned refused)
{
	put_units(d, false, r, start, refused);
	direct_patch(d, no_wait, d->cold.n);
	direct_patch(d, direct_unless_right(d, true, direct_free_rights(d, r)), refused);
	direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
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

/* In the cold part alone, of pages without the rights that one without wait has. */
static void pay_apart(struct direct *d, const struct recipe *r, unsigned start, unsigned waits, unsigned refused)
{
	struct host_code *k = &d->cold;

	direct_patch(d, waits, k->n);
	direct_patch(d, direct_unless_right(d, true, direct_waiting_right(r)), refused);
	if (d->cost == COST_PAYS) {
		put_units(d, true, r, start, refused);
		return;
	}
	put_mov(k, SCRATCH_2, start);
	put_mov(k, SCRATCH, SCRATCH_2);
	put_lines(d, true, r, refused);
}

/* Where the page must be found once more. */
static unsigned put_free_right(struct direct *d, const struct recipe *r, unsigned start)
{
	put_mov(&d->hot, SCRATCH_2, start);
	put_shift(&d->hot, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	return direct_unless_right(d, false, direct_free_rights(d, r));
}

u8 direct_list_rights(const struct direct *d, const struct recipe *r, bool late)
{
	const u8 free = direct_free_rights(d, r), waits = direct_waiting_right(r);

	if (d->cost == COST_NOTHING || (d->untimed && !late))
		return free;
	return d->cost == COST_PAYS ? waits : free | waits;
}

void direct_list_pay(struct direct *d, const struct recipe *r, unsigned start, bool late, unsigned no_right, unsigned refused)
{
	if (d->untimed && d->cost != COST_NOTHING && !late) {
		pay_apart(d, r, start, no_right, refused);
		return;
	}
	if (d->cost == COST_PAYS) {
		put_pay(d, r, start, no_right, refused);
		return;
	}
	direct_patch(d, no_right, refused);
	if (d->cost == COST_NOTHING)
		return;
	if (d->untimed) {
		pay_apart(d, r, start, put_free_right(d, r, start), refused);
		return;
	}
	put_mov(&d->hot, SCRATCH_2, start);
	put_mov(&d->hot, SCRATCH, SCRATCH_2);
	put_lines(d, false, r, refused);
}
