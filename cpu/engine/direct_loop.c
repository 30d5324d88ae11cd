/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of loops as host instructions. */
#include "cpu/engine/direct.h"

#include "cpu/exec/body.h"
#include "cpu/state.h"

#include <stddef.h>

#define LR 14u

enum host_condition direct_loop_end(struct direct *d)
{
	struct host_code *k = &d->hot;
	const unsigned count = hold_get(&d->hold, k, LR), refused = direct_refused(d);

	put_op(k, 0, 0x83, ALU_CMP, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, fp.ltpsize)));
	put(k, 4); /* no tail predication */
	direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, refused);
	put_alu_imm(k, ALU_CMP, count, 1);
	return IF_A;
}

/* On the way where the loop ends LR is as it was, and counts as changed all the same. */
void direct_loop_count(struct direct *d)
{
	const unsigned count = d->hold.host[LR];

	put_alu_imm(&d->hot, ALU_SUB, count, 1);
	hold_set(&d->hold, LR, count);
}

/* Pays for the block at slot s; the jump where the budget does not reach. */
static unsigned put_charge(struct direct *d, bool in_cold, const struct slot *s)
{
	d->slot = s;
	d->plain = (uintptr_t)go_horizon;
	put_alu_imm(in_cold ? &d->cold : &d->hot, ALU_SUB, RDX, s->cost);
	return direct_jump_later(d, in_cold, JUMP_IF(IF_S));
}

void direct_loop_again(struct direct *d, const struct direct_branch *b)
{
	struct hold here = d->hold;
	const unsigned short_of = put_charge(d, false, b->pays_for);

	direct_patch(d, short_of, direct_refused(d));
	hold_become(&here, &d->loop.hold, &d->hot);
	direct_jump(d, false, JUMP, DIRECT_AWAY, b->taken);
}

void direct_go_near(struct direct *d, bool in_cold, const struct direct_branch *b)
{
	const unsigned short_of = put_charge(d, in_cold, b->pays_for);

	if (b->looks)
		direct_go_line(d, in_cold, b->pays_for, b->line, (const u8 *)b->taken);
	else
		direct_jump(d, in_cold, JUMP, DIRECT_AWAY, b->taken);
	d->plain = (uintptr_t)go_horizon;
	direct_patch(d, short_of, direct_refused(d));
}
