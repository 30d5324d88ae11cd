/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of every row, among others: translated code does what the stepping engine does. */
#include "tests/cpu-sys/rig.h"
#include "tests/engine/draw.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPACR 0xe000ed88u
#define DATA 0x30004000u /* what sequences read and write lies around here */
#define DATA_BYTES 0x2000u
#define CODE (RIG_PC & 0xffff0000) /* sequences, and the vectors in front of them */
#define CODE_BYTES 0x10000u
#define NOP 0xbf00
#define ROUNDS 4 /* sequences for each row of the table */
#define STATES 6 /* in which each sequence runs */

/* What a sequence begins with. */
struct start { u32 r[16], xpsr, fpscr, vpr, s[32], memory[DATA_BYTES / 4]; };
/* What it leaves. */
struct end { u32 r[CPU_REG_VPR + 1], s[32], memory[DATA_BYTES / 4]; u64 cycles, instructions; };

/* A core with one engine, and its code as it was before sequences wrote to it. */
struct runner { struct rig *rig; u8 *code, pristine[CODE_BYTES]; };

static void runner_init(struct runner *x, enum cpu_engine engine)
{
	x->rig = rig_new_engine(engine);
	for (u32 at = RIG_PC - CODE; at < CODE_BYTES; at += 4)
		rig_poke(x->rig, CODE + at, (u32)NOP << 16 | NOP);
	x->code = bus_span(x->rig->bus, BUS_CPU, CODE, CODE_BYTES);
	memcpy(x->pristine, x->code, CODE_BYTES);
}

/* A word that a register or memory may hold: an address in the data, something small, anything. */
static u32 word(struct insn_random *r, unsigned kind)
{
	switch (kind == 3 ? insn_random_below(r, 3) : kind) {
	case 0: return DATA + 0x800 + insn_random_below(r, 0x400) * 4;
	case 1: return insn_random_below(r, 65);
	default: return insn_random_below(r, 4) ? insn_random_u32(r) : 0u - insn_random_below(r, 3);
	}
}

static void draw_start(struct insn_random *r, unsigned state, struct start *x)
{
	for (unsigned i = 0; i < 15; i++)
		x->r[i] = word(r, state < 2 ? 0 : state < 4 ? i & 1 : 3);
	x->r[13] = DATA + 0x1000 + insn_random_below(r, 64) * 8;
	x->xpsr = insn_random_u32(r) & 0xf80f0000; /* flags, GE */
	x->fpscr = insn_random_below(r, 4) ? 4u << 16 : insn_random_u32(r) & 0xf7c70000;
	x->vpr = state & 1 ? 0 : insn_random_u32(r) & 0xffff;
	for (unsigned i = 0; i < 32; i++)
		x->s[i] = state & 1 ? 0x3f800000 + (insn_random_u32(r) & 0xbfffff) : insn_random_u32(r);
	for (unsigned i = 0; i < ARRAY_LEN(x->memory); i++)
		x->memory[i] = word(r, i & 3);
}

static void put_start(struct runner *x, const struct start *start)
{
	struct cpu *c = x->rig->c;

	cpu_reset(c);
	rig_write(x->rig, CPACR, 0xf << 20);
	for (unsigned i = 0; i < 15; i++)
		cpu_set_reg(c, i, start->r[i]);
	cpu_set_reg(c, CPU_REG_XPSR, start->xpsr | 1 << 24);
	cpu_set_reg(c, CPU_REG_FPSCR, start->fpscr);
	cpu_set_reg(c, CPU_REG_VPR, start->vpr);
	for (unsigned i = 0; i < 32; i++)
		cpu_set_reg(c, CPU_REG_S0 + i, start->s[i]);
	cr_assert(cpu_poke(c, DATA, start->memory, DATA_BYTES));
}

static void take_end(struct runner *x, struct end *end)
{
	struct cpu *c = x->rig->c;

	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		end->r[i] = cpu_get_reg(c, i);
	for (unsigned i = 0; i < 32; i++)
		end->s[i] = cpu_get_reg(c, CPU_REG_S0 + i);
	cr_assert(cpu_peek(c, DATA, end->memory, DATA_BYTES));
	end->cycles = cpu_cycles(c);
	end->instructions = cpu_instructions(c);
}

static void pass(struct runner *x, u64 cycles)
{
	const u64 until = x->rig->sched.now + cycles * sched_period(25000000);

	cpu_run(x->rig->c, until);
	sched_run(&x->rig->sched, until);
}

/* Code at `pc`; what the last sequence left in the code is taken back. */
static void put_code(struct runner *x, u32 pc, const struct drawn *code)
{
	if (memcmp(x->code, x->pristine, CODE_BYTES) != 0)
		cr_assert(cpu_poke(x->rig->c, CODE, x->pristine, CODE_BYTES));
	cr_assert(cpu_poke(x->rig->c, pc, code->code, code->halfwords * 2));
}

/* Runs `cycles` from the start and then 24 more: a little way behind the sequence, or wherever a fault or branch led.
 * end[0] and end[1] are what is there then. */
static void run(struct runner *x, u32 pc, const struct drawn *code, const struct start *start, u64 cycles, struct end end[2])
{
	put_code(x, pc, code);
	put_start(x, start);
	cpu_set_reg(x->rig->c, 15, pc);
	const u64 c0 = cpu_cycles(x->rig->c), i0 = cpu_instructions(x->rig->c);
	for (unsigned k = 0; k < 2; k++) {
		pass(x, k ? 24 : cycles);
		take_end(x, &end[k]);
		end[k].cycles -= c0;
		end[k].instructions -= i0;
	}
}

static void print_sequence(const struct draw *d, unsigned number, const struct drawn *code, u32 pc, unsigned cycles,
			   unsigned after, const struct start *start)
{
	fprintf(stderr, "%s:", d->rows[number]->id);
	for (unsigned i = 0; i < code->halfwords; i++)
		fprintf(stderr, " %04x", code->code[i]);
	fprintf(stderr, "\n  at %08x, interrupted after %u cycles%s, from xPSR %08x", pc, cycles, after ? " and 24 more" : "",
		start->xpsr);
	for (unsigned i = 0; i < 15; i++)
		fprintf(stderr, " %08x", start->r[i]);
	fprintf(stderr, "\n");
}

/* What translated code left that the instructions one by one do not. */
static void print_difference(const struct end *got, const struct end *end)
{
	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		if (got->r[i] != end->r[i])
			fprintf(stderr, "  register %u: %08x in place of %08x\n", i, got->r[i], end->r[i]);
	for (unsigned i = 0; i < 32; i++)
		if (got->s[i] != end->s[i])
			fprintf(stderr, "  s%u: %08x in place of %08x\n", i, got->s[i], end->s[i]);
	for (unsigned i = 0; i < ARRAY_LEN(end->memory); i++)
		if (got->memory[i] != end->memory[i])
			fprintf(stderr, "  %08x: %08x in place of %08x\n", DATA + 4 * i, got->memory[i], end->memory[i]);
	if (got->cycles != end->cycles || got->instructions != end->instructions)
		fprintf(stderr, "  %" PRIu64 " cycles, %" PRIu64 " instructions in place of %" PRIu64 ", %" PRIu64 "\n", got->cycles,
			got->instructions, end->cycles, end->instructions);
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
		draw_start(&d->random, state, &start);
		run(tail, pc, &code, &start, cycles, a);
		run(step, pc, &code, &start, cycles, b);
		for (unsigned k = 0; k < 2; k++)
			if (memcmp(&a[k], &b[k], sizeof(*a)) != 0) {
				print_sequence(d, number, &code, pc, (unsigned)cycles, k, &start);
				print_difference(&a[k], &b[k]);
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
	rig_free(tail.rig);
	rig_free(step.rig);
	draw_free(&d);
}

/* ---- loads and stores off the same bases, at a page's end, with flags that are set again --------------------------- */
#define LOOPS_DRAWN 1500
#define NOWHERE 0x30fff800u /* accesses fault, and their exception keeps the flags */

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

Test(stencils, accesses_that_are_checked_together_do_what_each_does_alone)
{
	static struct runner tail, step;
	static struct start start;
	static struct end a[2], b[2];
	struct insn_random r = { .state = 5 };
	unsigned bad = 0;

	runner_init(&tail, CPU_ENGINE_TAIL);
	runner_init(&step, CPU_ENGINE_STEP);
	for (unsigned k = 0; k < LOOPS_DRAWN && !bad; k++) {
		struct drawn code = { .halfwords = 0 };
		draw_access_loop(&r, &code);
		draw_start(&r, 5, &start);
		for (unsigned i = 0; i < 3; i++)
			start.r[i] = insn_random_below(&r, 6) ? DATA + 0x1000 - 40 + insn_random_below(&r, 48) : NOWHERE;
		start.r[2] &= ~3u;
		start.r[8] = 1 + insn_random_below(&r, 6);
		const u64 cycles = 1 + insn_random_below(&r, 120);
		run(&tail, RIG_PC, &code, &start, cycles, a);
		run(&step, RIG_PC, &code, &start, cycles, b);
		for (unsigned i = 0; i < 2 && !bad; i++)
			if (memcmp(&a[i], &b[i], sizeof(*a)) != 0) {
				fprintf(stderr, "loop %u, %" PRIu64 " cycles%s\n", k, cycles, i ? " and 24 more" : "");
				print_difference(&a[i], &b[i]);
				bad++;
			}
	}
	cr_assert_eq(bad, 0);
	rig_free(tail.rig);
	rig_free(step.rig);
}
