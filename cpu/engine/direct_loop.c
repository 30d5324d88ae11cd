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

void direct_loop_again(struct direct *d)
{
	struct hold here = d->hold;

	d->slot = d->loop.head;
	d->plain = (uintptr_t)go_horizon;
	put_alu_imm(&d->hot, ALU_SUB, RDX, d->slot->cost);
	direct_jump(d, false, JUMP_IF(IF_S), DIRECT_COLD, direct_refused(d));
	hold_become(&here, &d->loop.hold, &d->hot);
	direct_jump(d, false, JUMP, DIRECT_AWAY, d->loop.code);
}
