/* SPDX-License-Identifier: Apache-2.0 */
/* Code in memory with wait states looks whether its lines are there. */
#include "cpu/engine/direct.h"
#include "cpu/engine/waits.h"

#define FETCHED(n) ((i32)(offsetof(struct caches, state.fetched) + 4 * (n)))

static void put_compare(struct host_code *k, u32 line, unsigned n)
{
	put_op(k, 0, 0x81, ALU_CMP, in_memory(SCRATCH_2, NO_INDEX, 0, FETCHED(n)));
	put_word(k, cache_word(line));
}

/* Sets the host's condition `equal` where it is not known to be there, or the other way round; that condition. */
static unsigned put_line_test(struct host_code *k, struct direct_code_line line)
{
	put_op(k, FORM_WIDE, 0x8b, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, line.cached ? offsetof(struct cpu, lines) : offsetof(struct cpu, caches)));
	if (line.cached) {
		put_test_byte(k, in_memory(SCRATCH_2, NO_INDEX, 0, (i32)line.number), FREE_FETCH);
		return IF_E;
	}
	put_compare(k, line.number, 0);
	return IF_NE;
}

/* With what the core has fetched in SCRATCH_2: finds the line there, or pays for it and puts it there, and goes on at `to` of `part`. */
static void put_fetch(struct direct *d, struct direct_code_line line, enum direct_part part, uintptr_t to)
{
	struct host_code *k = &d->cold;
	const struct host_operand first = in_memory(SCRATCH_2, NO_INDEX, 0, FETCHED(0)), second = in_memory(SCRATCH_2, NO_INDEX, 0, FETCHED(1));
	const struct host_operand cost = in_memory(RSI, NO_INDEX, 0, PAY(fetch) + 4 * (i32)(line.number >> (PAY_SHIFT - 5)));
	unsigned stays = 0;

	put_compare(k, line.number, 1);
	direct_jump(d, true, JUMP_IF(IF_E), part, to);
	put_op(k, 0, 0x2b, RDX, cost); /* sub */
	const unsigned too_much = direct_jump_later(d, true, JUMP_IF(IF_S));
	if (line.which == LINE_BEHIND) {
		put_compare(k, line.number - 1, 1);
		stays = direct_jump_later(d, true, JUMP_IF(IF_E));
	}
	put_op(k, 0, 0x8b, SCRATCH, first);
	put_op(k, 0, 0x89, SCRATCH, second);
	if (line.which == LINE_BEHIND)
		direct_patch(d, stays, k->n);
	put_op(k, 0, 0xc7, 0, first); /* mov */
	put_word(k, cache_word(line.number));
	put_op(k, FORM_WIDE, 0x83, ALU_ADD, in_memory(RSI, NO_INDEX, 0, PAY(beats) + (i32)(line.number % PAY_SUMS * sizeof(u64))));
	put(k, CACHE_LINE / 8);
	direct_jump(d, true, JUMP, part, to);
	direct_patch(d, too_much, k->n);
	put_op(k, 0, 0x03, RDX, cost);
}

/* Brings it, and goes on at `to` of `part`. Of two lines that may both have to come, both must fit the budget: that is not looked for here. */
static void put_bring(struct direct *d, struct direct_code_line line, enum direct_part part, uintptr_t to)
{
	if (line.which == LINE_BEFORE) {
		if (!line.cached) {
			put_compare(&d->cold, line.number, 1);
			direct_jump(d, true, JUMP_IF(IF_E), part, to);
		}
		return;
	}
	if (!line.cached)
		put_fetch(d, line, part, to);
	put_mov_imm(&d->cold, SCRATCH_2, line.number);
	direct_jump(d, true, 0xe8, DIRECT_AWAY, (uintptr_t)(line.which == LINE_BEHIND ? go_line_behind : go_line)); /* call */
	direct_jump(d, true, JUMP_IF(IF_NS), part, to);
}

void direct_lay_line(struct direct *d, struct emit_memory *m, const struct slot *s, struct direct_code_line line)
{
	direct_begin_one(d, s, (uintptr_t)go_fetch);
	direct_jump(d, false, JUMP_IF(put_line_test(&d->hot, line)), DIRECT_COLD, d->cold.n);
	put_bring(d, line, DIRECT_HOT, d->hot.n);
	direct_refused(d);
	direct_finish(d, m);
}

u8 *direct_enter_line(struct emit_memory *m, const struct slot *s, struct direct_code_line line, const u8 *code)
{
	struct direct d;

	direct_begin(&d);
	direct_begin_one(&d, s, (uintptr_t)go_fetch);
	direct_jump(&d, true, JUMP_IF(put_line_test(&d.cold, line) ^ 1), DIRECT_AWAY, (uintptr_t)code);
	put_bring(&d, line, DIRECT_AWAY, (uintptr_t)code);
	direct_refused(&d);
	return direct_finish(&d, m).cold;
}
