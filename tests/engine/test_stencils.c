/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of every row, among others: translated code does what the stepping engine does. */
#include "tests/engine/runner.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 4 /* sequences for each row of the table */
#define STATES 6 /* in which each sequence runs */

static void print_sequence(const struct draw *d, unsigned number, const struct drawn *code, u32 pc, unsigned cycles,
			   unsigned after, const struct start *start)
{
	fprintf(stderr, "%s:", d->rows[number]->id);
	for (unsigned i = 0; i < code->halfwords; i++)
		fprintf(stderr, " %04x", code->code[i]);
	fprintf(stderr, "\n  at %08x, interrupted after %u cycles%s, from xPSR %08x", pc, cycles, after ? " and 24 more" : "",
		start->core.xpsr);
	for (unsigned i = 0; i < 15; i++)
		fprintf(stderr, " %08x", start->core.r[i]);
	fprintf(stderr, "\n");
}

static bool agree(struct runner *tail, struct runner *step, struct draw *d, unsigned number)
{
	static struct start start;
	static struct end a[2], b[2];
	struct drawn code;
	const u32 pc = RIG_PC + 2 * insn_random_below(&d->random, 1024);

	if (!draw_sequence(d, number, pc, &code)) {
		fprintf(stderr, "%s: no instructions found\n", d->rows[number]->id);
		return false;
	}
	for (unsigned state = 0; state < STATES; state++) {
		const u64 cycles = 1 + insn_random_below(&d->random, 16);
		runner_draw(&d->random, state, &start);
		runner_run(tail, pc, pc, &code, &start, cycles, a);
		runner_run(step, pc, pc, &code, &start, cycles, b);
		for (unsigned k = 0; k < 2; k++)
			if (memcmp(&a[k], &b[k], sizeof(*a)) != 0) {
				print_sequence(d, number, &code, pc, (unsigned)cycles, k, &start);
				runner_print(&a[k], &b[k]);
				return false;
			}
	}
	return true;
}

Test(stencils, every_instruction_does_among_others_what_it_does_alone)
{
	static struct runner tail, step;
	static struct draw d;
	unsigned bad = 0;
	const char *seed = getenv("STENCILS_SEED"), *rounds = getenv("STENCILS_ROUNDS");

	draw_init(&d, seed ? strtoull(seed, NULL, 0) : 1);
	runner_init(&tail, CPU_ENGINE_TAIL);
	runner_init(&step, CPU_ENGINE_STEP);
	for (unsigned k = rounds ? (unsigned)atoi(rounds) : ROUNDS; k > 0; k--)
		for (unsigned i = 0; i < d.count && bad < 10; i++)
			bad += !agree(&tail, &step, &d, i);
	cr_assert_eq(bad, 0, "%u sequences differ", bad);
	runner_free(&tail);
	runner_free(&step);
	draw_free(&d);
}

/* ---- loads and stores off the same bases, at a page's end, with flags that are set again --------------------------- */
#define LOOPS_DRAWN 1500

/* r0 to r2 are bases, r3 to r6 hold data; what goes on in the other page is refused by the fast path. */
static void draw_access_loop(struct insn_random *r, struct drawn *out)
{
	static const u16 t16[] = { 0x6800, 0x6000, 0x7800, 0x7000, 0x8800, 0x8000 }; /* LDR, STR, LDRB, STRB, LDRH, STRH [Rn, #i] */
	static const u16 alu[] = { 0x1c00, 0x1e00, 0x0040, 0x0840, 0x1040 };         /* ADDS and SUBS #1 to 7, LSLS, LSRS, ASRS #1 to 7 */
	static const u16 by[] = { 0x4000, 0x4040, 0x4080, 0x40c0, 0x4100, 0x4140, 0x4180, 0x4240, 0x4280, 0x4300, 0x4340 };
	const unsigned end = 10 + insn_random_below(r, 10);
	unsigned n = 0;

	while (n < end) {
		const unsigned d = 3 + insn_random_below(r, 4), m = 3 + insn_random_below(r, 4), base = insn_random_below(r, 3);
		switch (insn_random_below(r, 9)) {
		case 0: case 1: case 2: case 3:
			out->code[n++] = (u16)(t16[insn_random_below(r, 6)] | insn_random_below(r, 8) << 6 | base << 3 | d);
			break;
		case 4:
			out->code[n++] = (u16)(alu[insn_random_below(r, 5)] | insn_random_below(r, 8) << 6 | m << 3 | d);
			break;
		case 5:
			out->code[n++] = (u16)(by[insn_random_below(r, ARRAY_LEN(by))] | m << 3 | d);
			break;
		case 6: /* CMP, and a branch over the next instruction or two */
			out->code[n++] = (u16)(0x2800 | d << 8 | insn_random_below(r, 64));
			out->code[n++] = (u16)(0xd000 | insn_random_below(r, 14) << 8 | insn_random_below(r, 2));
			break;
		case 7: /* SUBS; LSLS of itself, whose flags cannot be computed later, above flags that can; an access */
			out->code[n++] = (u16)(0x3800 | m << 8 | insn_random_below(r, 64));
			out->code[n++] = (u16)(0x0040 | d << 3 | d);
			out->code[n++] = (u16)(0x6000 | base << 3 | d);
			break;
		default: /* LDRD or STRD off r2, which is aligned */
			out->code[n++] = (u16)(insn_random_below(r, 2) ? 0xe9d2 : 0xe9c2);
			out->code[n++] = (u16)(d << 12 | (d == m ? 7 - (d & 3) : m) << 8 | insn_random_below(r, 8));
		}
	}
	out->code[n++] = NOP; /* what a branch may lead to */
	out->code[n++] = NOP;
	out->code[n++] = 0xf1b8; /* SUBS.W r8, r8, #1 */
	out->code[n++] = 0x0801;
	out->code[n] = (u16)(0xd100 | ((-(int)n - 2) & 0xff)); /* BNE to the first */
	out->halfwords = n + 1;
}

/* Three runs of four off bases of any alignment near the end of a page; ccr: 0 as after a reset. */
static bool access_loop_is_right(struct insn_random *r, struct runner *tail, struct runner *step, u32 ccr)
{
	static struct start start;
	static struct end a[2], b[2];
	struct drawn code = { .halfwords = 0 };

	draw_access_loop(r, &code);
	runner_draw(r, 5, &start);
	for (unsigned i = 0; i < 3; i++)
		start.core.r[i] = insn_random_below(r, 6) ? DATA + 0x1000 - 40 + insn_random_below(r, 48) : NOWHERE;
	start.core.r[2] &= ~3u;
	start.core.r[8] = 1 + insn_random_below(r, 6);
	start.core.ccr = ccr;
	const u64 cycles = 1 + insn_random_below(r, ccr ? 1000 : 120);
	runner_run(tail, RIG_PC, RIG_PC, &code, &start, cycles, a);
	runner_run(step, RIG_PC, RIG_PC, &code, &start, cycles, b);
	for (unsigned i = 0; i < 2; i++)
		if (memcmp(&a[i], &b[i], sizeof(*a)) != 0) {
			fprintf(stderr, "%" PRIu64 " cycles%s\n", cycles, i ? " and 24 more" : "");
			runner_print(&a[i], &b[i]);
			return false;
		}
	return true;
}

static struct insn_random accesses_random(u64 otherwise)
{
	const char *seed = getenv("ACCESSES_SEED");

	return (struct insn_random){ .state = seed ? strtoull(seed, NULL, 0) : otherwise };
}

Test(stencils, accesses_that_are_checked_together_do_what_each_does_alone)
{
	static struct runner tail, step;
	struct insn_random r = accesses_random(5);
	bool good = true;

	runner_init(&tail, CPU_ENGINE_TAIL);
	runner_init(&step, CPU_ENGINE_STEP);
	for (unsigned k = 0; k < LOOPS_DRAWN && good; k++)
		good = access_loop_is_right(&r, &tail, &step, 0);
	cr_assert(good);
	runner_free(&tail);
	runner_free(&step);
}

/* Caches on and off; the code or the data lie in memory that takes no time, or neither, or the code in the ITCM. */
Test(stencils, accesses_that_are_checked_together_take_the_same_time)
{
	static struct runner tail, step;
	struct insn_random r = accesses_random(6);
	bool good = true;

	for (unsigned k = 0; k < LOOPS_DRAWN / 10 && good; k++) {
		runner_init_waiting(&r, &tail, &step);
		for (unsigned i = 0; i < 20 && good; i++)
			good = access_loop_is_right(&r, &tail, &step, 0x201 | insn_random_below(&r, 4) << 16);
		runner_free(&tail);
		runner_free(&step);
	}
	cr_assert(good);
}
