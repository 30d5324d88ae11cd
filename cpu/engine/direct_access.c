/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a load or store, and what it takes. */
#include "cpu/engine/direct_rights.h"

#include <stddef.h>

void direct_put_page(struct direct *d, bool in_cold, struct direct_place at)
{
	struct host_code *k = direct_part(d, in_cold);

	if (at.known) {
		put_mov_imm(k, SCRATCH_2, at.address >> PAGE_BITS);
		return;
	}
	put_mov(k, SCRATCH_2, at.host);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
}

unsigned direct_unless_right(struct direct *d, bool in_cold, u8 rights)
{
	put_test_byte(direct_part(d, in_cold), in_memory(R15, SCRATCH_2, 0, 0), rights);
	return direct_jump_later(d, in_cold, JUMP_IF(IF_E));
}

/* Goes on at `after` where the page takes a cycle for each word. */
void direct_timed(struct direct *d, unsigned words, unsigned refused, unsigned after)
{
	struct host_code *k = &d->cold;

	direct_patch(d, direct_unless_right(d, true, PERM_TIMED), refused);
	put_alu_imm(k, ALU_SUB, RDX, words << 16);
	direct_jump(d, true, JUMP_IF(IF_NS), DIRECT_HOT, after);
	put_alu_imm(k, ALU_ADD, RDX, words << 16);
	direct_jump(d, true, JUMP, DIRECT_COLD, refused);
}

void direct_cold_timed(struct direct *d, const struct recipe *r, unsigned from, unsigned refused, unsigned after)
{
	direct_patch(d, from, refused);
	if (!direct_loads(r) || !d->reads_pay)
		return;
	direct_patch(d, from, d->cold.n);
	direct_timed(d, (r->bytes + 3u) / 4, refused, after);
}

void direct_put_words(struct direct *d, bool in_cold)
{
	struct host_code *k = direct_part(d, in_cold);

	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAY_SHIFT - PAGE_BITS);
	put_op(k, FORM_WIDE, 0x8b, SCRATCH_2, in_memory(RSI, SCRATCH_2, 3, PAY(words)));
}

/* ---- one access ----------------------------------------------------------------------------------- */

/* What is to be laid in the cold part: jumps there, and places in the hot part where it comes back. */
struct access_cold { unsigned unaligned, no_right, line, checks, after; };
#define NONE (~0u)

static void put_alignment(struct direct *d, const struct recipe *r, struct direct_place at, struct access_cold *x)
{
	x->unaligned = NONE;
	if (!at.known && r->bytes > 1) {
		put_test_byte(&d->hot, in_register(at.host), r->bytes - 1u);
		x->unaligned = direct_jump_later(d, false, JUMP_IF(IF_NE));
	}
	x->checks = d->hot.n;
}

static void put_line_test(struct direct *d, bool in_cold, const struct recipe *r, struct direct_place at, struct access_cold *x)
{
	struct host_code *k = direct_part(d, in_cold);
	const struct host_operand lines = in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, lines));

	if (at.known) {
		put_op(k, FORM_WIDE, 0x8b, SCRATCH_2, lines);
		put_test_byte(k, in_memory(SCRATCH_2, NO_INDEX, 0, (i32)(at.address / CACHE_LINE)), direct_free_line(r));
	} else {
		put_mov(k, SCRATCH_2, at.host);
		put_shift(k, 0, SHIFT_SHR, SCRATCH_2, 5);
		put_op(k, FORM_WIDE, 0x03, SCRATCH_2, lines);
		put_test_byte(k, in_memory(SCRATCH_2, NO_INDEX, 0, 0), direct_free_line(r));
	}
	x->line = direct_jump_later(d, in_cold, JUMP_IF(IF_E));
}

/* In order is what is likely: memory that waits, or memory that takes no time. */
static void put_checks(struct direct *d, const struct recipe *r, struct direct_place at, struct access_cold *x)
{
	const u8 free = direct_free_rights(d, r);

	x->line = NONE;
	direct_put_page(d, false, at);
	x->no_right = direct_unless_right(d, false, direct_untimed(d) ? free : free | direct_waiting_right(r));
	if (!direct_untimed(d))
		put_line_test(d, false, r, at, x);
	x->after = d->hot.n;
}

void direct_ask(struct direct *d, const struct recipe *r, u32 bytes, unsigned refused, unsigned after)
{
	const u32 free = direct_loads(r) ? FREE_READ | (d->reads_pay ? 0 : FREE_BESIDE) : FREE_WRITE;
	struct host_code *k = &d->cold;

	put(k, 0x68); /* push */
	put_word(k, bytes << 8 | free);
	direct_jump(d, true, CALL, DIRECT_AWAY, (uintptr_t)go_ask);
	direct_jump(d, true, JUMP_IF(IF_S), DIRECT_COLD, refused);
	direct_jump(d, true, JUMP, DIRECT_HOT, after);
}

/* The cache is asked. */
static void cold_ask(struct direct *d, const struct recipe *r, struct direct_place at, unsigned refused, unsigned after)
{
	struct host_code *k = &d->cold;

	if (at.known)
		put_mov_imm(k, SCRATCH_2, at.address);
	else
		put_mov(k, SCRATCH_2, at.host);
	direct_ask(d, r, r->bytes, refused, after);
}

/* Two lines, which lie side by side in cpu.lines. */
static void cold_two_lines(struct direct *d, const struct recipe *r, struct direct_place at, unsigned refused, unsigned after)
{
	struct host_code *k = &d->cold;
	unsigned ask[2];

	direct_put_page(d, true, at);
	direct_patch(d, direct_unless_right(d, true, direct_free_rights(d, r) | direct_waiting_right(r)), refused);
	put_mov(k, SCRATCH_2, at.host);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, 5);
	put_op(k, FORM_WIDE, 0x03, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, lines)));
	for (unsigned i = 0; i < 2; i++) {
		put_test_byte(k, in_memory(SCRATCH_2, NO_INDEX, 0, (i32)i), direct_free_line(r));
		ask[i] = direct_jump_later(d, true, JUMP_IF(IF_E));
	}
	direct_jump(d, true, JUMP, DIRECT_HOT, after);
	direct_patch(d, ask[0], k->n);
	direct_patch(d, ask[1], k->n);
	cold_ask(d, r, at, refused, after);
}

/* On at `after` where the page takes no time. */
static void cold_untimed(struct direct *d, const struct recipe *r, struct direct_place at, unsigned after)
{
	struct host_code *k = &d->cold;

	direct_put_page(d, true, at);
	const unsigned waits = direct_unless_right(d, true, direct_free_rights(d, r));
	direct_jump(d, true, JUMP, DIRECT_HOT, after);
	direct_patch(d, waits, k->n);
	put_mov(k, SCRATCH_2, at.host);
}

/* An address that is not aligned as a whole: goes on where it lies in one page and, of a single word or halfword, such accesses are made at
 * once. Those in one line are as others there, where lines are what matters; where beats are, it goes on at `beats`. */
static void cold_unaligned(struct direct *d, const struct recipe *r, struct direct_place at, const struct access_cold *x, unsigned beats, unsigned refused)
{
	struct host_code *k = &d->cold;
	const unsigned t = SCRATCH_2;

	direct_patch(d, x->unaligned, k->n);
	if (r->bytes == 8) {
		put_test_byte(k, in_register(at.host), 3);
		direct_jump(d, true, JUMP_IF(IF_NE), DIRECT_COLD, refused);
	} else {
		direct_put_page(d, true, at);
		put_extend(k, false, false, t, in_memory(R15, t, 0, 0));
		put_op(k, 0, 0x22, t, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, unaligned)));
		direct_jump(d, true, JUMP_IF(IF_E), DIRECT_COLD, refused);
	}
	put_mov(k, t, at.host);
	put_alu_imm(k, ALU_AND, t, PAGE_MASK);
	put_alu_imm(k, ALU_CMP, t, PAGE_MASK + 1 - r->bytes);
	direct_jump(d, true, JUMP_IF(IF_A), DIRECT_COLD, refused);
	if (d->cost == COST_NOTHING) {
		direct_jump(d, true, JUMP, DIRECT_HOT, x->checks);
		return;
	}
	if (d->cost == COST_PAYS) {
		direct_jump(d, true, JUMP, DIRECT_COLD, beats);
		return;
	}
	if (d->untimed)
		cold_untimed(d, r, at, x->after);
	put_alu_imm(k, ALU_AND, t, CACHE_LINE - 1);
	put_alu_imm(k, ALU_CMP, t, CACHE_LINE - r->bytes);
	direct_jump(d, true, JUMP_IF(IF_BE), DIRECT_HOT, x->checks);
	cold_two_lines(d, r, at, refused, x->after);
}

/* A page without what is likely here: lines are to be looked at, or it takes time by the word. */
static void cold_right(struct direct *d, const struct recipe *r, struct direct_place at, struct access_cold *x, unsigned refused)
{
	unsigned no_right = x->no_right;

	if (d->cost == COST_LINES && d->untimed) {
		direct_patch(d, no_right, d->cold.n);
		no_right = direct_unless_right(d, true, direct_waiting_right(r));
		put_line_test(d, true, r, at, x);
		direct_jump(d, true, JUMP, DIRECT_HOT, x->after);
	}
	direct_cold_timed(d, r, no_right, refused, x->after);
}

void direct_access(struct direct *d, const struct recipe *r, struct direct_place at)
{
	const unsigned refused = direct_refused(d);
	struct access_cold x;
	unsigned beats = 0;

	put_alignment(d, r, at, &x);
	if (d->cost == COST_PAYS)
		beats = direct_access_pays(d, r, at, refused);
	else
		put_checks(d, r, at, &x);
	if (x.unaligned != NONE)
		cold_unaligned(d, r, at, &x, beats, refused);
	if (d->cost == COST_PAYS)
		return;
	cold_right(d, r, at, &x, refused);
	if (x.line != NONE) {
		direct_patch(d, x.line, d->cold.n);
		cold_ask(d, r, at, refused, x.after);
	}
}
