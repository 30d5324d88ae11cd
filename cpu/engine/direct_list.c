/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of registers (PUSH, POP, LDM, STM) as host instructions: checked once, then moved. */
#include "cpu/engine/direct_rights.h"

#include "cpu/state.h"

#include <stddef.h>

#define SP 13u

static bool goes_down(const struct recipe *r) { return r->operand == AT_DOWN; }

bool direct_list_knows(const struct recipe *r, const struct slot *s)
{
	const bool limited_above = r->flags & BACK && s->a == SP && goes_down(r) == direct_loads(r); /* the new SP is not the lower end */

	if (r->flags & LOADS_PC && s->a != SP)
		return false;
	return !limited_above && !(s->imm >> SP & 1) && s->d > 0;
}

/* ---- checks ----------------------------------------------------------------------------------------- */

/* All of it lies in one page that is open, at words; SP is always at one, and its limit is below. The jump where the page has none of the rights. */
static unsigned put_checks(struct direct *d, const struct recipe *r, unsigned start, u8 rights, unsigned refused)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;

	if (s->a != SP) {
		put_test_byte(k, in_register(start), 3);
		direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, refused);
	} else if (r->flags & BACK) {
		put_op(k, 0, 0x3b, start, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, sp_limit)));
		direct_jump(d, false, JUMP_IF(IF_B), DIRECT_COLD, refused);
	}
	if (s->d > 4) {
		put_mov(k, SCRATCH_2, start);
		put_alu_imm(k, ALU_AND, SCRATCH_2, PAGE_MASK);
		put_alu_imm(k, ALU_CMP, SCRATCH_2, PAGE_MASK + 1 - s->d);
		direct_jump(d, false, JUMP_IF(IF_A), DIRECT_COLD, refused);
	}
	put_mov(k, SCRATCH_2, start);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	return direct_unless_right(d, false, rights);
}

/* ---- moves ------------------------------------------------------------------------------------------ */

/* Word by word: hosts hand what was stored a moment before only to loads that lie in it, so that two or four registers at a time, whose stores are
 * single, take fewer instructions and more time. */
static void store_one(struct direct *d, unsigned r, struct host_operand to)
{
	unsigned from = d->hold.host[r];

	if (from == HELD_NOWHERE) {
		from = SCRATCH;
		put_op(&d->hot, 0, 0x8b, from, in_memory(RSI, NO_INDEX, 0, (i32)(4 * r)));
	}
	put_op(&d->hot, 0, 0x89, from, to);
}

/* The host register may make place for the next one. */
static void load_one(struct direct *d, unsigned r, struct host_operand from)
{
	const unsigned to = hold_free(&d->hold, &d->hot);

	put_op(&d->hot, 0, 0x8b, to, from);
	hold_set(&d->hold, r, to);
	hold_release(&d->hold, to);
}

static void move_all(struct direct *d, const struct recipe *r, unsigned base, i32 distance)
{
	for (u32 list = d->slot->imm & 0x7fff; list; list &= list - 1, distance += 4) {
		const unsigned one = (unsigned)__builtin_ctz(list);
		if (direct_loads(r))
			load_one(d, one, in_memory(R14, base, 0, distance));
		else
			store_one(d, one, in_memory(R14, base, 0, distance));
	}
}

/* ---- all of it -------------------------------------------------------------------------------------- */

/* The pc of a list, which has to be known before anything is changed. */
static void put_target(struct direct *d, unsigned base)
{
	put_op(&d->hot, 0, 0x8b, SCRATCH, in_memory(R14, base, 0, d->slot->d - 4));
}

/* Checks and pays it, and finds where it jumps to. */
static void put_before(struct direct *d, const struct recipe *r, unsigned base, i32 distance)
{
	const bool jumps = r->flags & LOADS_PC, late = jumps && direct_jump_pays_late(d);
	unsigned start = base;

	if (jumps && d->cost == COST_PAYS)
		direct_jump_saves(d);
	const unsigned refused = direct_refused(d);

	if (distance) {
		start = SCRATCH;
		put_lea(&d->hot, start, in_memory(base, NO_INDEX, 0, distance));
	}
	const unsigned no_right = put_checks(d, r, start, direct_list_rights(d, r, late), refused);
	if (late) {
		put_target(d, base);
		direct_jump_find(d);
	}
	direct_list_pay(d, r, start, late, no_right, refused);
	if (jumps)
		put_target(d, base);
	if (late)
		direct_jump_found(d);
	else if (jumps)
		direct_jump_find(d);
}

void direct_list(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	const unsigned base = hold_get(h, k, s->a);
	const i32 distance = goes_down(r) ? -(i32)s->d : 0;

	put_before(d, r, base, distance);
	move_all(d, r, base, distance);
	if (r->flags & BACK) {
		put_alu_imm(k, goes_down(r) ? ALU_SUB : ALU_ADD, base, s->d);
		hold_set(h, s->a, base);
	}
	if (r->flags & LOADS_PC)
		direct_jump_go(d);
}
