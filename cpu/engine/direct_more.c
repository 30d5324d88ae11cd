/* SPDX-License-Identifier: Apache-2.0 */
/* Products of halfwords, shifts by registers and changes of the stack pointer as host instructions. */
#include "cpu/engine/direct.h"

#include "cpu/state.h"

#include <stddef.h>

/* Bit 27 of core.apsr. */
#define SATURATED 0x08000000u

static void put_half(struct host_code *k, unsigned to, unsigned x, bool top)
{
	put_movslq(k, to, x);
	if (top)
		put_shift(k, FORM_WIDE, SHIFT_SAR, to, 16);
	else
		put_op(k, FORM_0F | FORM_WIDE, 0xbf, to, in_register(x)); /* movswq */
}

/* SCRATCH += host; Q where that overflows. */
static void add_saturated(struct direct *d, unsigned host)
{
	put_alu(&d->hot, ALU_ADD, SCRATCH, host);
	direct_jump(d, false, JUMP_IF(IF_O), DIRECT_COLD, d->cold.n);
	put_op(&d->cold, 0, 0x81, ALU_OR, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, core.apsr)));
	put_word(&d->cold, SATURATED);
	direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
}

void direct_halves(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(h, k, s->b), y = hold_get(h, k, s->c), more = r->flags & ADDS ? hold_get(h, k, s->d) : 0;

	if (r->bytes == 4)
		put_movslq(k, SCRATCH, x);
	else
		put_half(k, SCRATCH, x, s->imm & 2);
	put_half(k, SCRATCH_2, y, s->imm & 1);
	put_imul(k, FORM_WIDE, SCRATCH, SCRATCH_2);
	if (r->bytes == 4)
		put_shift(k, FORM_WIDE, SHIFT_SAR, SCRATCH, 16);
	if (r->flags & ADDS)
		add_saturated(d, more);
	const unsigned to = hold_to(h, k, s->a);
	put_mov(k, to, SCRATCH);
	hold_set(h, s->a, to);
}

/* shlx, shrx or sarx: to = x shifted by SCRATCH, modulo 32. */
static void put_shift_by(struct host_code *k, enum host_shift op, unsigned to, unsigned x)
{
	const unsigned prefix = op == SHIFT_SHL ? 1 : op == SHIFT_SAR ? 2 : 3;

	put(k, 0xc4);
	put(k, (to >> 3 ? 0 : 0x80u) | 0x40u | (x >> 3 ? 0 : 0x20u) | 2u);
	put(k, (~SCRATCH & 15u) << 3 | prefix);
	put(k, 0xf7);
	put(k, 0xc0 | (to & 7) << 3 | (x & 7));
}

void direct_shift_by(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(h, k, s->b), by = hold_get(h, k, s->c), to = hold_to(h, k, s->a);

	put_extend(k, false, false, SCRATCH, in_register(by));
	if (r->operand == Y_ASR) {
		put_mov_imm(k, SCRATCH_2, 31);
		put_alu(k, ALU_CMP, SCRATCH, SCRATCH_2);
		put_op(k, FORM_0F, 0x47, SCRATCH, in_register(SCRATCH_2)); /* cmova */
		put_shift_by(k, SHIFT_SAR, to, x);
	} else {
		put_alu_imm(k, ALU_CMP, SCRATCH, 32);
		put_alu(k, ALU_SBB, SCRATCH_2, SCRATCH_2); /* nothing is left of shifts by 32 and more */
		put_shift_by(k, r->operand == Y_LSL ? SHIFT_SHL : SHIFT_SHR, to, x);
		put_alu(k, ALU_AND, to, SCRATCH_2);
	}
	hold_set(h, s->a, to);
}

void direct_stack(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(h, k, s->b);

	(void)r;
	put_lea(k, SCRATCH, in_memory(x, NO_INDEX, 0, (i32)s->imm));
	put_alu_imm(k, ALU_AND, SCRATCH, ~3u);
	put_op(k, 0, 0x3b, SCRATCH, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, sp_limit)));
	direct_jump(d, false, JUMP_IF(IF_B), DIRECT_COLD, direct_refused(d));
	const unsigned to = hold_to(h, k, 13);
	put_mov(k, to, SCRATCH);
	hold_set(h, 13, to);
}
