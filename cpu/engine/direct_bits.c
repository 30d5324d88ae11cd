/* SPDX-License-Identifier: Apache-2.0 */
/* Bit fields, extensions and reversals as host instructions. */
#include "cpu/engine/direct.h"

static void put_movt(struct direct *d)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned to = hold_get(&d->hold, k, s->a);

	put_extend(k, false, true, to, in_register(to));
	put_alu_imm(k, ALU_OR, to, s->imm << 16);
	hold_set(&d->hold, s->a, to);
}

static void put_insert(struct direct *d)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(&d->hold, k, s->b), to = hold_get(&d->hold, k, s->a);

	put_mov(k, SCRATCH, x);
	if (s->c)
		put_shift(k, 0, SHIFT_SHL, SCRATCH, s->c);
	put_alu_imm(k, ALU_AND, SCRATCH, s->imm);
	put_alu_imm(k, ALU_AND, to, ~s->imm);
	put_alu(k, ALU_OR, to, SCRATCH);
	hold_set(&d->hold, s->a, to);
}

static void put_extend_and_add(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(&d->hold, k, s->c), base = hold_get(&d->hold, k, s->b);

	put_mov(k, SCRATCH, x);
	if (s->imm)
		put_shift(k, 0, SHIFT_ROR, SCRATCH, s->imm);
	put_extend(k, r->flags & SIGNED, r->bytes == 2, SCRATCH, in_register(SCRATCH));
	const unsigned to = hold_to(&d->hold, k, s->a);
	put_lea(k, to, in_memory(base, SCRATCH, 0, 0));
	hold_set(&d->hold, s->a, to);
}

static void put_extended(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	unsigned x = hold_get(&d->hold, k, s->c);
	const unsigned to = hold_to(&d->hold, k, s->a);

	if (r->flags & ROTATES && s->imm) {
		put_mov(k, to, x);
		put_shift(k, 0, SHIFT_ROR, to, s->imm);
		x = to;
	}
	put_extend(k, r->flags & SIGNED, r->bytes == 2, to, in_register(x));
	hold_set(&d->hold, s->a, to);
}

static void put_extract(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(&d->hold, k, s->b), to = hold_to(&d->hold, k, s->a);

	put_mov(k, to, x);
	if (r->what == DO_UBFX) {
		if (s->c)
			put_shift(k, 0, SHIFT_SHR, to, s->c);
		if (0xffffffffu >> s->c != s->imm)
			put_alu_imm(k, ALU_AND, to, s->imm);
	} else {
		if (s->c)
			put_shift(k, 0, SHIFT_SHL, to, s->c);
		if (s->d)
			put_shift(k, 0, SHIFT_SAR, to, s->d);
	}
	hold_set(&d->hold, s->a, to);
}

/* REV and REV16 */
static void put_reverse(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned x = hold_get(&d->hold, k, s->c), to = hold_to(&d->hold, k, s->a);

	put_mov(k, to, x);
	if (to >> 3)
		put(k, 0x41);
	put(k, 0x0f);
	put(k, 0xc8 | (to & 7)); /* bswap */
	if (r->what == DO_REV16)
		put_shift(k, 0, SHIFT_ROR, to, 16);
	hold_set(&d->hold, s->a, to);
}

void direct_bits(struct direct *d, const struct recipe *r)
{
	switch (r->what) {
	case DO_MOVT: put_movt(d); break;
	case DO_BFI: put_insert(d); break;
	case DO_EXTEND:
		if (r->flags & ADDS)
			put_extend_and_add(d, r);
		else
			put_extended(d, r);
		break;
	case DO_UBFX:
	case DO_SBFX: put_extract(d, r); break;
	default: put_reverse(d, r); break;
	}
}
