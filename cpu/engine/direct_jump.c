/* SPDX-License-Identifier: Apache-2.0 */
/* Indirect jumps as host instructions: returns, calls of what a register holds, and jumps by tables. Where the code at their target is, a table says
 * (engine/jump.h), which holds none but ordinary targets. What it does not know (go_jump) or may not be executed leaves to handlers. */
#include "cpu/engine/direct_rights.h"

#include "cpu/exec/body.h"
#include "cpu/state.h"

#include <stddef.h>

#define SP 13u
#define LR 14u
#define TARGET_MASK (2 * (JUMPS - 1)) /* times 8: an entry's distance from the first */
_Static_assert(sizeof(struct jump) == 16, "two times the scale of an address");
#define ENTRY(field) in_memory(RSI, SCRATCH_2, 3, (i32)(offsetof(struct cpu, jumps) + offsetof(struct jump, field)))
#define OF_CPU(field) in_memory(RSI, NO_INDEX, 0, (i32)offsetof(struct cpu, field))

bool direct_jump_pays_late(const struct direct *d) { return d->cost == COST_LINES; }

void direct_jump_saves(struct direct *d)
{
	d->budget = (u8)hold_free(&d->hold, &d->hot);
	put_mov(&d->hot, d->budget, RDX);
}

/* Leaves, with what was paid given back. */
static unsigned refused_unpaid(struct direct *d)
{
	const unsigned at = d->cold.n;

	if (d->budget)
		put_mov(&d->cold, RDX, d->budget);
	direct_refused(d);
	return at;
}

/* The target, in SCRATCH, is an ordinary one (jump_plain). */
static void put_plain(struct direct *d)
{
	const unsigned refused = refused_unpaid(d);

	put_test_byte(&d->hot, in_register(SCRATCH), 1);
	direct_jump(d, false, JUMP_IF(IF_E), DIRECT_COLD, refused);
	put_alu_imm(&d->hot, ALU_CMP, SCRATCH, 0xf0000000u);
	direct_jump(d, false, JUMP_IF(IF_AE), DIRECT_COLD, refused);
}

void direct_jump_found(struct direct *d)
{
	put_mov(&d->hot, SCRATCH_2, SCRATCH);
	put_alu_imm(&d->hot, ALU_AND, SCRATCH_2, TARGET_MASK);
}

static void find(struct direct *d)
{
	const uintptr_t plain = d->plain;

	if (d->told) {
		put_plain(d);
		return;
	}
	direct_jump_found(d);
	put_op(&d->hot, 0, 0x3b, SCRATCH, ENTRY(to)); /* cmp */
	direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, d->cold.n);
	put_op(&d->cold, 0, 0x89, SCRATCH, OF_CPU(core.next_pc));
	d->plain = (uintptr_t)go_jump;
	refused_unpaid(d);
	d->plain = plain;
}

void direct_jump_find(struct direct *d)
{
	find(d);
	if (d->budget)
		hold_release(&d->hold, d->budget);
}

/* Somebody is told where it leads, and goes there. */
static void go_told(struct direct *d)
{
	put_op(&d->hot, 0, 0x89, SCRATCH, OF_CPU(core.next_pc));
	direct_jump(d, false, JUMP, DIRECT_AWAY, d->told);
}

void direct_jump_go(struct direct *d)
{
	struct host_code *k = &d->hot, *cold = &d->cold;

	hold_save(&d->hold, k);
	hold_nothing(&d->hold);
	if (d->told) {
		go_told(d);
		return;
	}
	put_shift(k, 0, SHIFT_SHR, SCRATCH, PAGE_BITS);
	put_test_byte(k, in_memory(R15, SCRATCH, 0, 0), PAGE_EXEC);
	const unsigned may_not = direct_jump_later(d, false, JUMP_IF(IF_E));
	put_op(k, 0, 0x2b, RDX, ENTRY(cost)); /* sub */
	direct_jump(d, false, JUMP_IF(IF_S), DIRECT_COLD, cold->n);
	put_op(k, 0, 0xff, 4, ENTRY(code)); /* jmp */
	put_op(cold, 0, 0x03, RDX, ENTRY(cost)); /* add */
	direct_patch(d, may_not, cold->n);
	put_op(cold, 0, 0x8b, SCRATCH, ENTRY(to));
	put_alu_imm(cold, ALU_AND, SCRATCH, ~1u);
	put_op(cold, 0, 0x89, SCRATCH, OF_CPU(core.r[15]));
	direct_jump(d, true, JUMP, DIRECT_AWAY, (uintptr_t)go_lookup);
}

/* BX and BLX: where targets are checked (BTI), none but returns. */
void direct_branch_register(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;

	put_mov(k, SCRATCH, hold_get(&d->hold, k, s->a));
	if (r->flags & LINKS_BACK || s->a != LR) {
		put_op(k, 0, 0x80, ALU_CMP, OF_CPU(bti));
		put(k, 0);
		direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, direct_refused(d));
	}
	direct_jump_find(d);
	if (r->flags & LINKS_BACK) {
		hold_forget(&d->hold, LR);
		put_op(k, 0, 0xc7, 0, OF_CPU(core.r[LR])); /* mov */
		put_word(k, s->imm);
	}
	direct_jump_go(d);
}

/* The entry's address, in SCRATCH. */
static void put_entry_address(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned index = hold_get(&d->hold, k, s->c);

	if (r->flags & TABLE_HERE)
		put_lea(k, SCRATCH, in_memory(index, r->bytes == 2 ? index : NO_INDEX, 0, (i32)s->imm));
	else
		put_lea(k, SCRATCH, in_memory(hold_get(&d->hold, k, s->b), index, r->bytes == 2, 0));
}

/* It may be read, and lies where one access reaches it; what that takes is still to be paid. */
static void put_target_checks(struct direct *d, const struct recipe *load, unsigned address)
{
	struct host_code *k = &d->hot;
	const unsigned refused = direct_refused(d);

	if (load->bytes > 1) {
		put_test_byte(k, in_register(address), load->bytes - 1u);
		direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, refused);
	}
	put_mov(k, SCRATCH_2, address);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	direct_patch(d, direct_unless_right(d, false, direct_free_rights(d, load) | direct_waiting_right(load) | PERM_TIMED), refused);
}

/* What comes before the first load of a target: checks, and the payment where it is not late. */
static void put_target_access(struct direct *d, const struct recipe *load, unsigned address)
{
	if (direct_jump_pays_late(d)) {
		put_target_checks(d, load, address);
		return;
	}
	if (d->cost != COST_NOTHING || d->reads_pay)
		direct_jump_saves(d);
	direct_access(d, load, (struct direct_place){ .host = address });
}

void direct_table_jump(struct direct *d, const struct recipe *r)
{
	const struct recipe load = { DO_LOAD, AT_REG, 0, r->bytes };
	struct host_code *k = &d->hot;

	put_entry_address(d, r);
	const unsigned target = hold_free(&d->hold, k);
	put_target_access(d, &load, SCRATCH);
	put_extend(k, false, r->bytes == 2, target, in_memory(R14, SCRATCH, 0, 0));
	put_lea(k, SCRATCH, in_memory(target, target, 0, (i32)(d->slot->imm | 1)));
	direct_jump_find(d);
	if (direct_jump_pays_late(d)) {
		put_mov(k, target, SCRATCH);
		put_entry_address(d, r);
		direct_access(d, &load, (struct direct_place){ .host = SCRATCH });
		put_mov(k, SCRATCH, target);
		direct_jump_found(d);
	}
	direct_jump_go(d);
}

/* The return of functions that save LR alone. */
bool direct_load_jump_knows(const struct slot *s) { return s->b == SP && (i32)s->imm > 0 && !(s->imm & 3); }

void direct_load_jump(struct direct *d)
{
	static const struct recipe load = { DO_LOAD, AT_POST, 0, 4 };
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned base = hold_get(&d->hold, k, s->b);
	const struct host_operand target = in_memory(R14, base, 0, 0);

	put_op(k, 0, 0x3b, base, OF_CPU(sp_limit)); /* cmp */
	direct_jump(d, false, JUMP_IF(IF_B), DIRECT_COLD, direct_refused(d));
	put_target_access(d, &load, base);
	put_op(k, 0, 0x8b, SCRATCH, target);
	direct_jump_find(d);
	if (direct_jump_pays_late(d)) {
		direct_access(d, &load, (struct direct_place){ .host = base });
		put_op(k, 0, 0x8b, SCRATCH, target);
		direct_jump_found(d);
	}
	put_alu_imm(k, ALU_ADD, base, s->imm);
	hold_set(&d->hold, s->b, base);
	direct_jump_go(d);
}
