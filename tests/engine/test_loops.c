/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of core instructions, with more registers than the host has for them: what stays in host registers from one iteration to the
 * next is right wherever the loop is left, interrupted or entered. */
#include "tests/engine/runner.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS 4000
#define LOOPS_OF_A_MEMORY 40
#define BEFORE 3 /* halfwords in front of the loop */
#define LONG 24 /* instructions, so that a loop lies in several lines of code */

static void put(struct drawn *out, u32 encoding)
{
	if (encoding >> 16)
		out->code[out->halfwords++] = (u16)(encoding >> 16);
	out->code[out->halfwords++] = (u16)encoding;
}

/* r0 and r1 are bases, r8 and LR count; the others hold data. */
static u32 data(struct insn_random *r)
{
	static const u8 registers[] = { 2, 3, 4, 5, 6, 7, 9, 10, 11, 12 };

	return registers[insn_random_below(r, ARRAY_LEN(registers))];
}

/* LDR or STR [base, #i], whose base stays: where `draw_crossing` puts it some of these reach into the next page, and are refused each time. */
static void draw_access(struct insn_random *r, struct drawn *out)
{
	const u32 d = data(r), base = insn_random_below(r, 2);

	put(out, (insn_random_below(r, 2) ? 0xf8d00000 : 0xf8c00000) | base << 16 | d << 12 | insn_random_below(r, 8));
}

static void draw_instruction(struct insn_random *r, struct drawn *out)
{
	static const u32 wide[] = { 0xeb000000, 0xeba00000, 0xea400000, 0xea800000, 0xebb00000, 0xeb100000 }; /* ADD, SUB, ORR, EOR, SUBS, ADDS */
	const u32 d = data(r), n = data(r), m = data(r), base = insn_random_below(r, 2);

	switch (insn_random_below(r, 9)) {
	case 0: case 1:
		put(out, wide[insn_random_below(r, ARRAY_LEN(wide))] | n << 16 | d << 8 | m);
		break;
	case 2: /* MOV */
		put(out, 0x4600 | (d & 8) << 4 | m << 3 | (d & 7));
		break;
	case 3: /* UMULL, or MLA where both halves would be the same */
		put(out, d == n ? 0xfb000000 | n << 16 | d << 8 | 12 << 12 | m : 0xfba00000 | n << 16 | d << 12 | n << 8 | m);
		break;
	case 4: case 5: /* LDR or STR, with the base going on */
		put(out, (insn_random_below(r, 2) ? 0xf8500b04 : 0xf8400b04) | base << 16 | d << 12);
		break;
	case 6: /* LDRB or STRB [base, #i] */
		put(out, (insn_random_below(r, 2) ? 0xf8900000 : 0xf8800000) | base << 16 | d << 12 | insn_random_below(r, 64));
		break;
	case 7: /* CMP, and a branch out of the loop: to where `finish` puts an instruction */
		put(out, 0x2800 | (d & 7) << 8 | insn_random_below(r, 3));
		out->code[out->halfwords++] = (u16)(0xd000 | insn_random_below(r, 14) << 8 | 0x80);
		break;
	default: /* ADDS #i */
		put(out, 0x3000 | (d & 7) << 8 | insn_random_below(r, 200));
	}
}

/* Branches out of the loop lead behind its end. */
static void finish(struct drawn *out, unsigned head)
{
	const unsigned end = out->halfwords;

	for (unsigned i = head; i + 2 < end; i++)
		if ((out->code[i] & 0xf0ff) == 0xd080 && (out->code[i - 1] & 0xf8fc) == 0x2800)
			out->code[i] = (u16)((out->code[i] & 0xff00) | ((end - i - 2) & 0x7f));
	put(out, 0x3201); /* ADDS r2, #1 */
}

/* Back to halfword `head`: LE, a condition behind SUBS or ADDS, or B behind a branch out of the loop. */
static void draw_end(struct insn_random *r, struct drawn *out, unsigned head)
{
	unsigned back;

	switch (insn_random_below(r, 4)) {
	case 0:
		back = 2 * (out->halfwords - head) + 4;
		put(out, 0xf00fc001 | back >> 2 << 1 | (back >> 1 & 1) << 11);
		break;
	case 1:
		put(out, 0xf1b80801); /* SUBS.W r8, r8, #1 */
		put(out, 0xd100 | ((head - out->halfwords - 2) & 0xff));
		break;
	case 2:
		put(out, 0xf1a80801); /* SUB.W r8, r8, #1; CMP.W r8, #0; BGT */
		put(out, 0xf1b80f00);
		put(out, 0xdc00 | ((head - out->halfwords - 2) & 0xff));
		break;
	default:
		put(out, 0xf1b80801);
		put(out, 0xd000); /* BEQ over B */
		put(out, 0xe000 | ((head - out->halfwords - 2) & 0x7ff));
	}
}

static unsigned begin(struct insn_random *r, struct drawn *out)
{
	for (unsigned i = 0; i < BEFORE; i++)
		put(out, 0x3301 + 0x100 * insn_random_below(r, 4)); /* ADDS r3 to r6, #1 */
	return out->halfwords;
}

/* Now and then the head is a branch out of the loop whose comparison is in front of it. */
static unsigned draw_head(struct insn_random *r, struct drawn *out)
{
	unsigned head = begin(r, out);

	if (insn_random_below(r, 6) == 0) {
		put(out, 0x2800 | insn_random_below(r, 8) << 8 | insn_random_below(r, 3)); /* CMP */
		head = out->halfwords;
		put(out, 0xd080 | insn_random_below(r, 14) << 8);
	}
	return head;
}

static void draw_loop(struct insn_random *r, struct drawn *out)
{
	const unsigned head = draw_head(r, out);

	for (unsigned k = 1 + insn_random_below(r, 9); k > 0; k--)
		draw_instruction(r, out);
	draw_end(r, out, head);
	finish(out, head);
}

/* Code behind an access that was refused is entered there in each iteration, with its line still to come. */
static void draw_crossing(struct insn_random *r, struct drawn *out)
{
	const unsigned head = begin(r, out);

	for (unsigned k = 8 + insn_random_below(r, LONG - 8); k > 0; k--)
		if (insn_random_below(r, 4))
			put(out, 0xeb000000 | data(r) << 16 | data(r) << 8 | data(r)); /* ADD */
		else
			draw_access(r, out);
	draw_end(r, out, head);
	finish(out, head);
}

static bool same(struct runner *tail, struct runner *step, u32 at, u32 pc, const struct drawn *code, const struct start *start, u64 cycles)
{
	static struct end a[2], b[2];

	runner_run(tail, at, pc, code, start, cycles, a);
	runner_run(step, at, pc, code, start, cycles, b);
	for (unsigned i = 0; i < 2; i++)
		if (memcmp(&a[i], &b[i], sizeof(*a)) != 0) {
			fprintf(stderr, "%" PRIu64 " cycles%s from %08x:", cycles, i ? " and 24 more" : "", pc);
			for (unsigned k = 0; k < code->halfwords; k++)
				fprintf(stderr, " %04x", code->code[k]);
			fprintf(stderr, "\n");
			runner_print(&a[i], &b[i]);
			return false;
		}
	return true;
}

/* One loop, twice: the second time entered elsewhere. */
static bool loop_is_right(struct insn_random *r, struct runner *tail, struct runner *step, u32 ccr, bool crossing)
{
	static struct start start;
	struct drawn code = { .halfwords = 0 };
	const u32 at = RIG_PC + 2 * insn_random_below(r, 16); /* in another place of its lines */

	(crossing ? draw_crossing : draw_loop)(r, &code);
	runner_draw(r, 5, &start);
	start.core.ccr = ccr;
	for (unsigned i = 0; i < 2; i++)
		start.core.r[i] = crossing ? DATA + 0xff8 + insn_random_below(r, 6) :
				  insn_random_below(r, 8) ? DATA + 0xf80 + insn_random_below(r, 80) : NOWHERE;
	start.core.r[8] = 1 + insn_random_below(r, 7);
	start.core.r[14] = insn_random_below(r, 7);
	return same(tail, step, at, at, &code, &start, 1 + insn_random_below(r, ccr ? 900 : 90)) &&
	       same(tail, step, at, at + 2 * insn_random_below(r, BEFORE), &code, &start, 1 + insn_random_below(r, ccr ? 900 : 90));
}

static struct insn_random random_of(u64 otherwise)
{
	const char *seed = getenv("LOOPS_SEED");

	return (struct insn_random){ .state = seed ? strtoull(seed, NULL, 0) : otherwise };
}
static unsigned count_of(unsigned otherwise)
{
	const char *count = getenv("LOOPS");

	return count ? (unsigned)atoi(count) : otherwise;
}

Test(loops, registers_stay_right_from_one_iteration_to_the_next)
{
	static struct runner tail, step;
	struct insn_random r = random_of(7);
	bool good = true;

	runner_init(&tail, CPU_ENGINE_TAIL);
	runner_init(&step, CPU_ENGINE_STEP);
	for (unsigned k = count_of(LOOPS); k > 0 && good; k--)
		good = loop_is_right(&r, &tail, &step, 0, false);
	cr_assert(good);
	runner_free(&tail);
	runner_free(&step);
}

static bool loops_are_right(struct insn_random r, bool crossing)
{
	static struct runner tail, step;
	bool good = true;

	for (unsigned k = count_of(crossing ? LOOPS / 4 : LOOPS) / LOOPS_OF_A_MEMORY; k > 0 && good; k--) {
		runner_init_waiting(&r, &tail, &step);
		for (unsigned i = 0; i < LOOPS_OF_A_MEMORY && good; i++)
			good = loop_is_right(&r, &tail, &step, 0x201 | insn_random_below(&r, 4) << 16, crossing); /* caches on and off */
		runner_free(&tail);
		runner_free(&step);
	}
	return good;
}

Test(loops, in_memories_with_wait_states_take_the_same_time)
{
	cr_assert(loops_are_right(random_of(8), false));
}

Test(loops, pay_for_the_line_behind_an_access_that_is_refused)
{
	cr_assert(loops_are_right(random_of(9), true));
}
