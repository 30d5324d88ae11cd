/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores as host instructions. */
#include "cpu/engine/direct.h"

#include "cpu/state.h"

#include <stddef.h>

unsigned direct_refused(struct direct *d)
{
	const unsigned at = d->cold.n;

	hold_put_saves(&d->hold, &d->cold);
	direct_put_flags(d);
	put(&d->cold, 0x48); /* lea slot(%rip), %rdi */
	direct_jump(d, true, 0x8d3d, DIRECT_AWAY, (uintptr_t)d->slot);
	direct_jump(d, true, JUMP, DIRECT_AWAY, d->plain);
	return at;
}

static struct host_operand memory_at(unsigned address, i32 distance) { return in_memory(R14, address, 0, distance); }

static void put_load(struct host_code *k, const struct recipe *r, unsigned to, struct host_operand from)
{
	if (r->bytes == 4)
		put_op(k, 0, 0x8b, to, from);
	else
		put_extend(k, r->flags & SIGNED, r->bytes == 2, to, from);
}
static void put_store(struct host_code *k, const struct recipe *r, unsigned value, struct host_operand to)
{
	if (r->bytes == 1)
		put_op(k, FORM_BYTE, 0x88, value, to);
	else
		put_op(k, r->bytes == 2 ? FORM_HALF : 0, 0x89, value, to);
}

/* The host register with the address: that of the base where nothing is added to it. */
static unsigned address_of(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const struct slot *s = d->slot;
	const unsigned base = hold_get(&d->hold, k, s->b);

	switch (r->operand) {
	case AT_POST:
		return base;
	case AT_REG: case AT_SHIFTED:
		put_lea(k, SCRATCH, in_memory(base, hold_get(&d->hold, k, s->c), r->operand == AT_SHIFTED ? s->imm : 0, 0));
		return SCRATCH;
	default:
		if (!s->imm)
			return base;
		put_lea(k, SCRATCH, in_memory(base, NO_INDEX, 0, (i32)s->imm));
		return SCRATCH;
	}
}

static void load_constant(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	const u32 address = d->slot->imm;

	direct_access(d, r, (struct direct_place){ .known = true, .address = address });
	const unsigned to = hold_to(&d->hold, k, d->slot->a);
	put_load(k, r, to, in_memory(R14, NO_INDEX, 0, (i32)address));
	hold_set(&d->hold, d->slot->a, to);
}

/* What a base with write-back becomes. */
static void write_back(struct direct *d, const struct recipe *r, unsigned address)
{
	const struct slot *s = d->slot;
	const unsigned base = hold_get(&d->hold, &d->hot, s->b);

	if (r->operand == AT_POST)
		put_alu_imm(&d->hot, ALU_ADD, base, s->imm);
	else if (r->operand == AT_PRE)
		put_mov(&d->hot, base, address);
	else
		return;
	hold_set(&d->hold, s->b, base);
}

static void load_pair(struct direct *d, unsigned address, i32 distance)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;
	/* the first may be the address */
	const unsigned first = hold_free(h, k), second = hold_to(h, k, s->c);

	put_op(k, 0, 0x8b, first, memory_at(address, distance));
	put_op(k, 0, 0x8b, second, memory_at(address, distance + 4));
	hold_set(h, s->a, first);
	hold_set(h, s->c, second);
}

void direct_memory(struct direct *d, const struct recipe *r)
{
	struct host_code *k = &d->hot;
	struct hold *h = &d->hold;
	const struct slot *s = d->slot;

	if (r->operand == AT_CONSTANT) {
		load_constant(d, r);
		return;
	}
	const unsigned value = direct_loads(r) ? 0 : hold_get(h, k, s->a), second = r->what == DO_STORE_PAIR ? hold_get(h, k, s->c) : 0;
	unsigned address;
	i32 distance = 0;
	if (d->window) {
		address = hold_get(h, k, s->b);
		distance = (i32)s->imm;
		if (d->opens)
			direct_window(d, address);
	} else {
		address = address_of(d, r);
		direct_access(d, r, (struct direct_place){ .host = address });
	}
	if (r->what == DO_LOAD_PAIR) {
		load_pair(d, address, distance);
	} else if (r->what == DO_LOAD) {
		const unsigned to = hold_to(h, k, s->a);
		put_load(k, r, to, memory_at(address, distance));
		hold_set(h, s->a, to);
	} else {
		put_store(k, r, value, memory_at(address, distance));
		if (r->what == DO_STORE_PAIR)
			put_op(k, 0, 0x89, second, memory_at(address, distance + 4));
	}
	write_back(d, r, address);
}
