/* SPDX-License-Identifier: Apache-2.0 */
/* The check of several loads and stores at once. */
#include "cpu/engine/direct_rights.h"

#include <stddef.h>

/* All bytes, from `start` on, are in one page. */
static void check_end(struct direct *d, const struct window *w, unsigned start, unsigned refused)
{
	struct host_code *k = &d->hot;

	put_mov(k, SCRATCH_2, start);
	put_alu_imm(k, ALU_AND, SCRATCH_2, PAGE_MASK);
	put_alu_imm(k, ALU_CMP, SCRATCH_2, PAGE_MASK + 1 - (u32)(w->high - w->low));
	direct_jump(d, false, JUMP_IF(IF_A), DIRECT_COLD, refused);
}

/* In the cold part, with a base that is not aligned: unless its page lets single words and halfwords lie anywhere. */
static void cold_unaligned(struct direct *d, const struct window *w, unsigned base, unsigned refused)
{
	struct host_code *k = &d->cold;

	if (w->pairs) {
		put_test_byte(k, in_register(base), 3);
		direct_jump(d, true, JUMP_IF(IF_NE), DIRECT_COLD, refused);
		return;
	}
	direct_put_page(d, true, (struct direct_place){ .host = base });
	put_extend(k, false, false, SCRATCH_2, in_memory(R15, SCRATCH_2, 0, 0));
	put_op(k, 0, 0x22, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, unaligned)));
	direct_jump(d, true, JUMP_IF(IF_E), DIRECT_COLD, refused);
}

/* Where single words and halfwords may lie anywhere, the base may. What is paid by the beat must lie in one: the jump where it does not. */
static unsigned check_alignment(struct direct *d, const struct window *w, unsigned base, unsigned refused)
{
	put_test_byte(&d->hot, in_register(base), w->align);
	const unsigned unaligned = direct_jump_later(d, false, JUMP_IF(IF_NE));
	if (w->cost == COST_PAYS)
		return unaligned;
	if (w->pairs) {
		direct_patch(d, unaligned, refused);
		return 0;
	}
	direct_patch(d, unaligned, d->cold.n);
	cold_unaligned(d, w, base, refused);
	direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
	return 0;
}

/* Both lines, which are all, are free. */
static void check_lines(struct direct *d, const struct window *w, unsigned start, unsigned refused)
{
	struct host_code *k = &d->hot;

	for (i32 at = 0; at < w->high - w->low; at += w->high - w->low > 1 ? w->high - w->low - 1 : 1) {
		put_lea(k, SCRATCH_2, in_memory(start, NO_INDEX, 0, at));
		put_shift(k, 0, SHIFT_SHR, SCRATCH_2, 5);
		put_op(k, FORM_WIDE, 0x03, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, lines)));
		put_test_byte(k, in_memory(SCRATCH_2, NO_INDEX, 0, 0), w->writes ? FREE_WRITE : FREE_READ | FREE_BESIDE);
		direct_jump(d, false, JUMP_IF(IF_E), DIRECT_COLD, refused);
	}
}

/* Of a page that is read for nothing. */
static u8 read_rights(const struct window *w) { return PERM_READ | (w->words ? 0 : PERM_TIMED); }

/* The jumps that are taken without the rights for all reads, and for all writes. */
struct rights { unsigned read, write; };
static struct rights unless_rights(struct direct *d, const struct window *w, bool in_cold, u8 read, u8 write)
{
	struct rights x = { 0 };

	if (w->reads)
		x.read = direct_unless_right(d, in_cold, read);
	if (w->writes)
		x.write = direct_unless_right(d, in_cold, write);
	return x;
}
static void patch_rights(struct direct *d, const struct window *w, struct rights x, unsigned read, unsigned write)
{
	if (w->reads)
		direct_patch(d, x.read, read);
	if (w->writes)
		direct_patch(d, x.write, write);
}

/* Pages of the ITCM; `read` is where they must be looked for. */
static void cold_timed(struct direct *d, const struct window *w, unsigned refused, unsigned after)
{
	if (w->writes)
		direct_patch(d, direct_unless_right(d, true, PERM_WRITE), refused);
	direct_timed(d, w->words, refused, after);
}

/* In the cold part: each access is paid by its place in its line; where their page waits for none, none is. Returns where it goes on
 * without rights for that. */
static struct rights cold_each(struct direct *d, const struct window *w, unsigned base, unsigned refused, unsigned after)
{
	struct host_code *k = &d->cold;

	direct_put_page(d, true, (struct direct_place){ .host = base });
	const struct rights no_wait = unless_rights(d, w, true, PERM_WAIT_READ, PERM_WAIT_WRITE);
	for (unsigned write = 0; write < 2; write++)
		if (write ? w->writes : w->reads)
			direct_patch(d, direct_unless_known(d, write), refused);
	direct_put_words(d, true);
	put(k, 0x52); /* push %rdx */
	for (unsigned i = 0; i < w->reads + w->writes; i++) {
		const struct window_access *a = &w->access[i];
		put_lea(k, SCRATCH, in_memory(base, NO_INDEX, 0, a->at));
		put_alu_imm(k, ALU_AND, SCRATCH, CACHE_LINE - 1);
		put_op(k, 0, 0x2b, RDX, in_memory(SCRATCH_2, SCRATCH, 2, direct_units(a->loads, a->bytes))); /* sub */
	}
	put(k, 0x58); /* pop %rax */
	put_test(k, RDX, RDX);
	direct_jump(d, true, JUMP_IF(IF_NS), DIRECT_HOT, after);
	put_mov(k, RDX, RAX);
	direct_jump(d, true, JUMP, DIRECT_COLD, refused);
	patch_rights(d, w, no_wait, k->n, k->n);
	const struct rights none = unless_rights(d, w, true, read_rights(w), PERM_WRITE);
	direct_jump(d, true, JUMP, DIRECT_HOT, after);
	return none;
}

/* Pages that wait, in order, with the page in SCRATCH_2; all else in the cold part. */
static struct rights lay_paid(struct direct *d, const struct window *w, unsigned base, unsigned unaligned, unsigned refused)
{
	const struct direct_payment reads = { .posted = w->posted[0], .count = w->reads };
	const struct direct_payment writes = { .posted = w->posted[1], .count = w->writes, .write = true };
	const unsigned no_reads = w->reads ? direct_pay(d, &reads) : 0, no_writes = w->writes ? direct_pay(d, &writes) : 0;

	if (w->writes) {
		direct_patch(d, no_writes, d->cold.n);
		direct_give_back(d, &writes);
	}
	if (w->reads) {
		direct_patch(d, no_reads, d->cold.n);
		direct_give_back(d, &reads);
	}
	const unsigned each = d->cold.n;
	const struct rights none = cold_each(d, w, base, refused, d->hot.n);
	if (w->align) {
		direct_patch(d, unaligned, d->cold.n);
		cold_unaligned(d, w, base, refused);
		direct_jump(d, true, JUMP, DIRECT_COLD, each);
	}
	return none;
}

void direct_window(struct direct *d, unsigned base)
{
	const struct window *w = d->window;
	const u8 waits = w->cost == COST_LINES ? PERM_WAIT_READ | PERM_WAIT_WRITE : 0;
	struct host_code *k = &d->hot;
	unsigned start = base, unaligned = 0;
	struct rights none;

	if (d->goes_alone)
		d->plain = (uintptr_t)go_alone;
	const unsigned refused = direct_refused(d);
	if (w->low) {
		start = SCRATCH;
		put_lea(k, start, in_memory(base, NO_INDEX, 0, w->low));
	}
	check_end(d, w, start, refused);
	if (w->align)
		unaligned = check_alignment(d, w, base, refused);
	direct_put_page(d, false, (struct direct_place){ .host = start });
	if (w->cost == COST_PAYS) {
		none = lay_paid(d, w, base, unaligned, refused);
	} else {
		none = unless_rights(d, w, false, read_rights(w) | (waits & PERM_WAIT_READ), PERM_WRITE | (waits & PERM_WAIT_WRITE));
		if (w->cost == COST_LINES)
			check_lines(d, w, start, refused);
	}
	patch_rights(d, w, none, w->words ? d->cold.n : refused, refused);
	if (w->words)
		cold_timed(d, w, refused, k->n);
}
