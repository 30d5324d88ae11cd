/* SPDX-License-Identifier: Apache-2.0 */
/* Code in memory with wait states looks whether its lines are there: in the cache, or in the fetch buffer, into which a line is brought in line,
 * as most often it is not there in loops that are larger. */
#include "cpu/engine/direct.h"
#include "cpu/engine/waits.h"

#define FETCHED(n) ((i32)(offsetof(struct cpu, fetched) + 4 * (n)))
#define WAYS 3 /* jumps over what brings a line */

/* Where the test is laid: in order, with what follows behind it, or with `code` to go to. */
struct line_test { struct direct *d; struct direct_code_line line; const u8 *code; bool in_cold; unsigned over[WAYS], count; };

static struct host_code *part_of(const struct line_test *t) { return direct_part(t->d, t->in_cold); }
static struct host_operand fetched(unsigned n) { return in_memory(RSI, NO_INDEX, 0, FETCHED(n)); }
static struct host_operand cost_of(const struct line_test *t)
{
	return in_memory(RSI, NO_INDEX, 0, PAY(fetch) + 4 * (i32)(t->line.number >> (PAY_SHIFT - 5)));
}

/* A jump to where the line is there; behind the test `arrive` says where that is. */
static void put_there(struct line_test *t, unsigned opcode)
{
	if (t->code) {
		direct_jump(t->d, t->in_cold, opcode, DIRECT_AWAY, (uintptr_t)t->code);
		return;
	}
	t->over[t->count++] = direct_jump_over(t->d, opcode);
}
static void arrive(const struct line_test *t)
{
	for (unsigned i = 0; i < t->count; i++)
		direct_patch(t->d, t->over[i], t->d->hot.n);
}

/* What it costs comes off `budget`; the jump where it does not reach. */
static unsigned put_pay(struct line_test *t, unsigned budget)
{
	put_op(part_of(t), 0, 0x2b, budget, cost_of(t)); /* sub */
	return direct_jump_later(t->d, t->in_cold, JUMP_IF(IF_S));
}

/* Whether the line is one of the two. Where it is none of them SCRATCH has the latest. */
static void put_is_there(struct line_test *t)
{
	struct host_code *k = part_of(t);

	put_op(k, 0, 0x8b, SCRATCH, fetched(0));
	put_alu_imm(k, ALU_CMP, SCRATCH, cache_word(t->line.number));
	put_there(t, JUMP_IF(IF_E));
	put_op(k, 0, 0x81, ALU_CMP, fetched(1));
	put_word(k, cache_word(t->line.number));
	put_there(t, JUMP_IF(IF_E));
}

/* The line takes the place of the older one. The line before, in which its instruction begins, is there and stays, so that it is the older one
 * then. */
static void put_in_buffer(struct line_test *t)
{
	struct host_code *k = part_of(t);
	unsigned keeps = 0;

	if (t->line.which == LINE_BEHIND) {
		put_op(k, 0, 0xc7, 0, fetched(1)); /* mov */
		put_word(k, cache_word(t->line.number - 1));
	} else {
		if (t->line.which == LINE_BEFORE) { /* so does the next one */
			put_op(k, 0, 0x8b, SCRATCH, fetched(0));
			put_op(k, 0, 0x81, ALU_CMP, fetched(1));
			put_word(k, cache_word(t->line.number + 1));
			put(k, 0x74); /* je */
			put(k, 0);
			keeps = k->n;
		}
		put_op(k, 0, 0x89, SCRATCH, fetched(1));
		if (keeps)
			k->byte[keeps - 1] = (u8)(k->n - keeps);
	}
	put_op(k, 0, 0xc7, 0, fetched(0)); /* mov */
	put_word(k, cache_word(t->line.number));
}

/* In the cold part, with nothing done: the cache is asked. */
static void cold_ask(struct line_test *t)
{
	struct direct *d = t->d;

	put_mov_imm(&d->cold, SCRATCH_2, t->line.number);
	direct_jump(d, true, CALL, DIRECT_AWAY, (uintptr_t)(t->line.which == LINE_BEHIND ? go_line_behind : go_line));
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
		put_there(t, JUMP_IF(IF_NE));
	if (!t->in_cold)
		direct_jump(d, false, t->code ? JUMP : JUMP_IF(IF_E), DIRECT_COLD, d->cold.n);
	if (t->line.which != LINE_BEFORE)
		cold_ask(t);
	direct_refused(d);
}

/* Of two lines that may both have to come, both must fit the budget. */
static void look_in_buffer(struct line_test *t)
{
	struct direct *d = t->d;
	struct host_code *k = part_of(t);
	unsigned too_much, too_much_for_two[2] = { 0 };

	put_is_there(t);
	if (t->line.which == LINE_BEFORE) {
		put_mov(k, SCRATCH, RDX);
		too_much_for_two[0] = put_pay(t, SCRATCH);
		too_much_for_two[1] = put_pay(t, SCRATCH);
	}
	too_much = put_pay(t, RDX);
	put_in_buffer(t);
	if (t->code)
		put_there(t, JUMP);
	arrive(t);
	direct_patch(d, too_much, d->cold.n);
	put_op(&d->cold, 0, 0x03, RDX, cost_of(t)); /* add */
	if (t->line.which != LINE_BEFORE)
		cold_ask(t);
	const unsigned refused = direct_refused(d);
	for (unsigned i = 0; i < 2 && t->line.which == LINE_BEFORE; i++)
		direct_patch(d, too_much_for_two[i], refused);
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
