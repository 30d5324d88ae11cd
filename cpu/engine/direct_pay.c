/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses take past the caches: by page, where one word says whether it may be made and what one beat takes (cpu/sys/pay_pages.h). */
#include "cpu/engine/direct_rights.h"
#include "cpu/sys/pay_pages.h"

#include <stddef.h>

/* The page's word; a page that is not known is in SCRATCH_2. */
static struct host_operand word_at(struct direct_place at, bool write)
{
	const i32 words = (i32)PAY_PAGES(write);

	return at.known ? in_memory(R15, NO_INDEX, 0, words + (i32)(at.address >> PAGE_BITS) * 4) : in_memory(R15, SCRATCH_2, 2, words);
}

/* `count` times the word to SCRATCH. */
static void put_times(struct host_code *k, struct host_operand word, unsigned count)
{
	put_op(k, 0, 0x6b, SCRATCH, word); /* imul */
	put(k, count);
}

unsigned direct_pay(struct direct *d, const struct direct_payment *p)
{
	struct host_code *k = &d->hot;
	const struct host_operand word = word_at(p->at, p->write);

	if (p->posted) {
		put_op(k, 0, 0x83, ALU_CMP, word);
		put(k, PAY_NOTHING);
		return direct_jump_later(d, false, JUMP_IF(IF_NE));
	}
	if (p->count > 1) {
		put_times(k, word, p->count);
		put_alu(k, ALU_ADD, RDX, SCRATCH);
	} else {
		put_op(k, 0, 0x03, RDX, word); /* add */
	}
	return direct_jump_later(d, false, JUMP_IF(IF_AE));
}

void direct_give_back(struct direct *d, const struct direct_payment *p)
{
	struct host_code *k = &d->cold;
	const struct host_operand word = word_at(p->at, p->write);

	if (p->posted)
		return;
	if (p->count > 1) {
		put_times(k, word, p->count);
		put_alu(k, ALU_SUB, RDX, SCRATCH);
	} else {
		put_op(k, 0, 0x2b, RDX, word); /* sub */
	}
}

unsigned direct_unless_known(struct direct *d, bool write)
{
	put_op(&d->cold, 0, 0x83, ALU_CMP, word_at((struct direct_place){ 0 }, write));
	put(&d->cold, PAY_NOT);
	return direct_jump_later(d, true, JUMP_IF(IF_E));
}

/* Takes from the budget, or gives back, what an access takes by its place in its line. */
static void put_units(struct direct *d, const struct recipe *r, struct direct_place at, unsigned opcode)
{
	struct host_code *k = &d->cold;
	const i32 units = direct_units(direct_loads(r), r->bytes);

	if (at.known) {
		put_op(k, 0, opcode, RDX, in_memory(SCRATCH_2, NO_INDEX, 0, units + (i32)(at.address % CACHE_LINE) * 4));
		return;
	}
	put(k, 0x51); /* push %rcx */
	put_mov(k, RCX, at.host);
	put_alu_imm(k, ALU_AND, RCX, CACHE_LINE - 1);
	put_op(k, 0, opcode, RDX, in_memory(SCRATCH_2, RCX, 2, units));
	put(k, 0x59); /* pop, which leaves flags alone */
}

/* In the cold part, whatever beats and lines it reaches into, in memory of any kind. A page of which nothing is known leaves, so that it is the next
 * time. */
static void cold_beats(struct direct *d, const struct recipe *r, struct direct_place at, unsigned refused, unsigned after)
{
	direct_put_page(d, true, at);
	const unsigned no_wait = direct_unless_right(d, true, direct_waiting_right(r));
	direct_patch(d, direct_unless_known(d, !direct_loads(r)), refused);
	direct_put_words(d, true);
	put_units(d, r, at, 0x2b); /* sub */
	direct_jump(d, true, JUMP_IF(IF_NS), DIRECT_HOT, after);
	put_units(d, r, at, 0x03); /* add */
	direct_jump(d, true, JUMP, DIRECT_COLD, refused);
	direct_patch(d, no_wait, d->cold.n);
	const unsigned waits = direct_unless_right(d, true, direct_free_rights(d, r));
	direct_jump(d, true, JUMP, DIRECT_HOT, after);
	direct_cold_timed(d, r, waits, refused, after);
}

unsigned direct_access_pays(struct direct *d, const struct recipe *r, struct direct_place at, unsigned refused)
{
	const struct direct_payment p = { .at = at, .write = !direct_loads(r), .count = 1, .posted = d->posted };
	unsigned other;

	if (d->untimed || !at.known)
		direct_put_page(d, false, at);
	other = d->untimed ? direct_unless_right(d, false, direct_free_rights(d, r)) : direct_pay(d, &p);
	direct_patch(d, other, d->cold.n);
	if (!d->untimed)
		direct_give_back(d, &p);
	const unsigned beats = d->cold.n;
	cold_beats(d, r, at, refused, d->hot.n);
	return beats;
}
