/* SPDX-License-Identifier: Apache-2.0 */
/* Code in memory with wait states looks whether its lines are there: in the cache, or in the fetch buffer, into which a line is brought in line,
 * as most often it is not there in loops that are larger. */
#include "cpu/engine/direct.h"
#include "cpu/engine/waits.h"

/* Where the test is laid: in order, with what follows behind it, or with `code` to go to. */
struct line_test { struct direct *d; struct direct_code_line line; const u8 *code; bool in_cold; };

static struct host_code *part_of(const struct line_test *t) { return direct_part(t->d, t->in_cold); }
static struct host_operand fetched(const struct line_test *t)
{
	return in_memory(RSI, NO_INDEX, 0, (i32)(offsetof(struct cpu, fetched) + t->line.number % FETCHED * sizeof(u32)));
}
static struct host_operand cost_of(const struct line_test *t)
{
	return in_memory(RSI, NO_INDEX, 0, PAY(fetch) + 4 * (i32)(t->line.number >> (PAY_SHIFT - 5)));
}

/* An instruction on the word of the buffer that has the line, or another one, with what it is when it has it. */
static void put_word_op(struct line_test *t, unsigned opcode, unsigned extension)
{
	put_op(part_of(t), 0, opcode, extension, fetched(t));
	put_word(part_of(t), cache_word(t->line.number));
}

/* In the cold part, with nothing done: the cache is asked. */
static void cold_ask(struct line_test *t)
{
	struct direct *d = t->d;

	put_mov_imm(&d->cold, SCRATCH_2, t->line.number);
	direct_jump(d, true, CALL, DIRECT_AWAY, (uintptr_t)go_line);
	if (t->code)
		direct_jump(d, true, JUMP_IF(IF_NS), DIRECT_AWAY, (uintptr_t)t->code);
	else
		direct_jump(d, true, JUMP_IF(IF_NS), DIRECT_HOT, d->hot.n);
}

static void look_in_cache(struct line_test *t)
{
	struct direct *d = t->d;

	put_op(part_of(t), FORM_WIDE, 0x8b, SCRATCH_2, in_memory(RSI, NO_INDEX, 0, offsetof(struct cpu, lines)));
	put_test_byte(part_of(t), in_memory(SCRATCH_2, NO_INDEX, 0, (i32)t->line.number), FREE_FETCH);
	if (t->code)
		direct_jump(d, t->in_cold, JUMP_IF(IF_NE), DIRECT_AWAY, (uintptr_t)t->code);
	if (!t->in_cold)
		direct_jump(d, false, t->code ? JUMP : JUMP_IF(IF_E), DIRECT_COLD, d->cold.n);
	if (!t->line.goes_on)
		cold_ask(t);
	direct_refused(d);
}

/* Takes what it costs off the budget; of two lines that may both have to come, both must fit. */
static void pay(struct line_test *t)
{
	struct direct *d = t->d;
	unsigned too_much[2], count = 0;

	put_op(part_of(t), 0, 0x2b, RDX, cost_of(t)); /* sub */
	too_much[count++] = direct_jump_later(d, t->in_cold, JUMP_IF(IF_S));
	if (t->line.goes_on) {
		put_op(part_of(t), 0, 0x3b, RDX, cost_of(t)); /* cmp */
		too_much[count++] = direct_jump_later(d, t->in_cold, JUMP_IF(IF_L));
	}
	put_word_op(t, 0xc7, 0); /* mov: it takes the other one's place */
	if (t->code)
		direct_jump(d, t->in_cold, JUMP, DIRECT_AWAY, (uintptr_t)t->code);
	else if (t->in_cold)
		direct_jump(d, true, JUMP, DIRECT_HOT, d->hot.n);
	while (count)
		direct_patch(d, too_much[--count], d->cold.n);
	put_op(&d->cold, 0, 0x03, RDX, cost_of(t)); /* add */
}

static void look_in_buffer(struct line_test *t)
{
	struct direct *d = t->d;

	put_word_op(t, 0x81, ALU_CMP);
	if (t->code) {
		direct_jump(d, t->in_cold, JUMP_IF(IF_E), DIRECT_AWAY, (uintptr_t)t->code);
		pay(t);
	} else if (t->line.stays) { /* nobody jumps over what is seldom needed */
		direct_jump(d, false, JUMP_IF(IF_NE), DIRECT_COLD, d->cold.n);
		t->in_cold = true;
		pay(t);
	} else {
		const unsigned over = direct_jump_over(d, JUMP_IF(IF_E));
		pay(t);
		direct_patch(d, over, d->hot.n);
	}
	if (!t->line.goes_on)
		cold_ask(t);
	direct_refused(d);
}

static void look(struct line_test *t)
{
	if (t->line.cached)
		look_in_cache(t);
	else
		look_in_buffer(t);
}

void direct_lay_line(struct direct *d, struct emit_memory *m, const struct slot *s, struct direct_code_line line)
{
	struct line_test t = { .d = d, .line = line };

	direct_begin_one(d, s, (uintptr_t)go_fetch);
	look(&t);
	direct_finish(d, m);
}

void direct_go_line(struct direct *d, bool in_cold, const struct slot *s, struct direct_code_line line, const u8 *code)
{
	struct line_test t = { .d = d, .line = line, .code = code, .in_cold = in_cold };

	d->slot = s;
	d->plain = (uintptr_t)go_fetch;
	look(&t);
}

u8 *direct_enter_line(struct emit_memory *m, const struct slot *s, struct direct_code_line line, const u8 *code)
{
	struct direct d;
	struct line_test t = { .d = &d, .line = line, .code = code, .in_cold = true };

	direct_begin(&d);
	direct_begin_one(&d, s, (uintptr_t)go_fetch);
	look(&t);
	return direct_finish(&d, m).cold;
}
