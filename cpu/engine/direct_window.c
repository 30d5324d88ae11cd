/* SPDX-License-Identifier: Apache-2.0 */
/* The check of several loads and stores at once. */
#include "cpu/engine/direct.h"

#include "cpu/state.h"

#include <stddef.h>

/* The base, in `base`, and all bytes are in a page that is open; `refused` is a place of the cold part. */
static void check_pages(struct direct *d, const struct window *w, unsigned base, unsigned refused)
{
	struct host_code *k = &d->hot;
	unsigned start = base;

	if (w->low) {
		start = SCRATCH;
		put_lea(k, start, in_memory(base, NO_INDEX, 0, w->low));
	}
	put_mov(k, SCRATCH_2, start);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	if (w->reads) {
		put_test_byte(k, in_memory(R15, SCRATCH_2, 0, 0), RIGHTS_READ);
		direct_jump(d, false, JUMP_IF(IF_E), DIRECT_COLD, refused);
	}
	if (w->writes) {
		put_test_byte(k, in_memory(R15, SCRATCH_2, 0, 0), RIGHTS_WRITE);
		direct_jump(d, false, JUMP_IF(IF_E), DIRECT_COLD, refused);
	}
	put_mov(k, SCRATCH_2, start);
	put_alu_imm(k, ALU_AND, SCRATCH_2, PAGE_MASK);
	put_alu_imm(k, ALU_CMP, SCRATCH_2, PAGE_MASK + 1 - (u32)(w->high - w->low));
	direct_jump(d, false, JUMP_IF(IF_A), DIRECT_COLD, refused);
}

/* Where single words and halfwords may lie anywhere, the base may. */
static void check_alignment(struct direct *d, const struct window *w, unsigned base, unsigned refused)
{
	struct host_code *k = &d->cold;

	put_test_byte(&d->hot, in_register(base), w->align);
	if (w->pairs) {
		direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, refused);
		return;
	}
	direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, k->n);
	put_mov(k, SCRATCH_2, base);
	put_shift(k, 0, SHIFT_SHR, SCRATCH_2, PAGE_BITS);
	put_extend(k, false, false, SCRATCH_2, in_memory(R15, SCRATCH_2, 0, 0));
	put_op(k, 0, 0x22, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, unaligned)));
	direct_jump(d, true, JUMP_IF(IF_E), DIRECT_COLD, refused);
	direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
}

void direct_window(struct direct *d, unsigned base)
{
	const struct window *w = d->window;

	d->plain = (uintptr_t)go_alone;
	const unsigned refused = direct_refused(d);
	check_pages(d, w, base, refused);
	if (w->align)
		check_alignment(d, w, base, refused);
}
