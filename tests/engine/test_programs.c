/* SPDX-License-Identifier: Apache-2.0 */
/* Long random programs that change their own code, are interrupted anywhere, and lie in pages that MPU and SAU regions
 * cut: the three engines do the same; also in memories with wait states, behind small caches that the programs turn on and off and
 * maintain. PROGRAMS_SEED and PROGRAMS_INSTRUCTIONS choose others and more of them. */
#include "cpu/sys/caches.h"
#include "tests/cpu-sys/rig.h"
#include "tests/engine/draw.h"
#include "tests/engine/draw_waits.h"
#include "tests/engine/registers.h"
#include "tests/engine/slice.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPACR 0xe000ed88u
#define NVIC_ISER 0xe000e100u
#define MPU_CTRL 0xe000ed94u
#define MPU_RNR 0xe000ed98u
#define MPU_RBAR 0xe000ed9cu
#define CCR 0xe000ed14u
#define SAU_CTRL 0xe000edd0u
#define SAU_RNR 0xe000edd8u
#define SAU_RBAR 0xe000eddcu
#define CODE 0x2000u /* in the Non-secure alias, so that SAU regions count */
#define CODE_BYTES 0x3000u
#define CODE_END (CODE + CODE_BYTES)
#define DATA 0x30004000u
#define DATA_BYTES 0x2000u
#define MEMORY 0x10000u /* the code's memory from 0 on */
#define IRQS 4
#define ENGINES 3
#define INSTRUCTIONS 500000 /* in all, when nothing else is asked for */
#define WAITS_INSTRUCTIONS 300000
#define WAITS_PROGRAM 20000 /* instructions, then other memories and caches */
#define STARTS 800        /* of one program: drawing one takes longer */
#define SLICES 60         /* of one start */


static struct rig *rig[ENGINES];
static struct draw d;
static u32 starts[CODE_BYTES / 2]; /* where the program's sequences begin */
static unsigned start_count;
static u16 image[CODE_END / 2]; /* vector table, exception handlers and the program, before it writes over them */
static bool waits; /* memories have wait states */

static u32 below(u32 n) { return insn_random_below(&d.random, n); }

static void poke(u32 at, const void *bytes, u32 size)
{
	for (unsigned e = 0; e < ENGINES; e++)
		cr_assert(cpu_poke(rig[e]->c, at, bytes, size));
}

static const u16 harmless[] = { 0xbf00, 0x3001, 0x4051, 0x1c5b, 0x0089, 0x43da };

/* The store of a word, in instructions: MOVW, MOVT, MOVW, MOVT, STR. */
static void put_store(struct drawn *out, u32 at, u32 word)
{
	const u32 moves[4] = { at & 0xffff, at >> 16, word & 0xffff, word >> 16 };

	*out = (struct drawn){ 0 };
	for (unsigned i = 0; i < 4; i++) {
		const u32 v = moves[i], rd = i < 2 ? 5 : 6;
		const u32 encoding = (i & 1 ? 0xf2c00000 : 0xf2400000) | (v >> 12) << 16 | (v >> 11 & 1) << 26 | (v >> 8 & 7) << 12 |
				     rd << 8 | (v & 0xff);
		out->code[out->halfwords++] = (u16)(encoding >> 16);
		out->code[out->halfwords++] = (u16)encoding;
	}
	out->code[out->halfwords++] = 0x602e; /* str r6, [r5] */
}

/* Two of them come to some place of the code. */
static void put_change(struct drawn *out)
{
	const u32 at = CODE + below(CODE_BYTES / 4) * 4;
	const u32 word = harmless[below(6)] | (u32)harmless[below(6)] << 16;

	put_store(out, at, word);
}

/* Caches on or off, or maintained. */
static void put_cache_work(struct drawn *out)
{
	static const u32 code[] = { 0xe000ef50, 0xe000ef58 }; /* ICIALLU, ICIMVAU */
	static const u32 data[] = { 0xe000ef5c, 0xe000ef64, 0xe000ef68, 0xe000ef70 }; /* DCIMVAC, DCCMVAU, DCCMVAC, DCCIMVAC */
	static const u32 ways[] = { 0xe000ef60, 0xe000ef6c, 0xe000ef74 };             /* DCISW, DCCSW, DCCISW */

	switch (below(4)) {
	case 0: put_store(out, CCR, below(4) << 16 | 0x201); break;
	case 1: put_store(out, code[below(2)], CODE + below(CODE_BYTES)); break;
	case 2: put_store(out, data[below(4)], DATA + 0x800 + below(0x1000)); break;
	default: put_store(out, ways[below(3)], below(4) << 30 | below(64) << 5);
	}
}

/* Around an instruction of any row but IT's, whose block would take in what is drawn next, a vector instruction or a branch;
 * IT blocks come with the others. */
static bool any_sequence(u32 at, struct drawn *out)
{
	const unsigned row = below(d.count);

	return d.rows[row]->op != OP_it && draw_sequence(&d, row, at, out);
}

/* Branching into an IT block is unpredictable: a program has either. */
static void put_program(void)
{
	const bool its = below(2);
	struct drawn x;

	start_count = 0;
	for (u32 at = CODE; at + 2 * DRAW_HALFWORDS < CODE_END; at += 2 * x.halfwords) {
		const u32 kind = below(10);
		if (kind == 0)
			put_change(&x);
		else if (waits && kind == 9 && below(3) == 0)
			put_cache_work(&x);
		else if (kind < 3 ? !draw_vectors(&d, at, &x) : !any_sequence(at, &x))
			x.halfwords = 0;
		if (!x.halfwords || (its ? x.branches : x.it))
			x = (struct drawn){ .code = { 0xbf00 }, .halfwords = 1 };
		memcpy(&image[at / 2], x.code, 2 * x.halfwords);
		starts[start_count++] = at;
	}
	poke(0, image, sizeof(image));
}

/* A region of some 32-byte granules around the middle of a page. */
static void region(struct rig *r, u32 rbar, u32 base, u32 flags, u32 limit, u32 limit_flags)
{
	rig_write(r, rbar, base | flags);
	rig_write(r, rbar + 4, (limit & ~31u) | limit_flags);
}

/* How pages are cut this time. */
struct cuts { bool mpu, sau; u32 base[3], bytes[3]; };

static void draw_cuts(struct cuts *x)
{
	x->mpu = below(2);
	x->sau = below(2);
	for (unsigned i = 0; i < 3; i++) {
		x->base[i] = (i == 1 ? DATA : CODE) + below(0x1800) / 32 * 32;
		x->bytes[i] = 32 + below(24) * 32;
	}
}

static void put_cuts(struct rig *r, const struct cuts *x)
{
	if (x->mpu) {
		rig_write(r, MPU_RNR, 0);
		region(r, MPU_RBAR, x->base[0], 2 | 1, x->base[0] + x->bytes[0] - 32, 1); /* execute never */
		rig_write(r, MPU_RNR, 1);
		region(r, MPU_RBAR, x->base[1], 2 << 1, x->base[1] + x->bytes[1] - 32, 1); /* read only */
		rig_write(r, MPU_CTRL, 5); /* with the default map around them */
	}
	if (x->sau) {
		rig_write(r, SAU_RNR, 0);
		region(r, SAU_RBAR, x->base[2], 0, x->base[2] + x->bytes[2] - 32, 1); /* Non-secure: not to be executed here */
		rig_write(r, SAU_CTRL, 1);
	}
}

static void draw_start(struct registers_start *x)
{
	x->ccr = waits ? below(4) << 16 | 0x201 : 0x201;
	for (unsigned i = 0; i < 15; i++)
		x->r[i] = below(3) ? DATA + 0x800 + below(0x400) * 4 : below(2) ? below(70) : insn_random_u32(&d.random);
	x->r[13] = DATA + 0x1000 + below(64) * 8;
	x->xpsr = insn_random_u32(&d.random) & 0xf80f0000;
	x->fpscr = below(4) ? 4u << 16 | below(2) << 4 : insn_random_u32(&d.random) & 0xf7c70000;
	x->vpr = below(2) ? 0 : insn_random_u32(&d.random) & 0xffff;
	for (unsigned i = 0; i < 32; i++)
		x->s[i] = below(2) ? 0x3f800000 + (insn_random_u32(&d.random) & 0xbfffff) : insn_random_u32(&d.random);
}

static void put_start(struct rig *r, const struct cuts *cuts, const struct registers_start *x, u32 pc)
{
	struct cpu *c = r->c;

	cpu_reset(c);
	rig_write(r, CPACR, 0xf << 20);
	rig_write(r, NVIC_ISER, (1 << IRQS) - 1);
	put_cuts(r, cuts);
	rig_write(r, CCR, x->ccr);
	caches_forget(c);
	registers_put(c, x);
	cpu_set_reg(c, 15, pc);
}

static void print_lines(const char *name, const u32 *x, const u32 *y, unsigned n, unsigned e)
{
	for (unsigned i = 0; i < n; i++)
		if (x[i] != y[i])
			fprintf(stderr, "  %s %u: %08x, engine %u: %08x\n", name, i, x[i], e, y[i]);
}

static void print_caches(const struct cpu *x, const struct cpu *y, unsigned e)
{
	print_lines("data line", x->caches->state.data.line, y->caches->state.data.line, CACHE_LINES_MAX, e);
	print_lines("line of code", x->caches->state.code.line, y->caches->state.code.line, CACHE_LINES_MAX, e);
	print_lines("line fetched", x->fetched, y->fetched, 2, e);
	for (unsigned i = COUNT_ICACHE_REFILL; i <= COUNT_BUS_ACCESS; i++)
		if (x->sys->count[i] != y->sys->count[i])
			fprintf(stderr, "  count %u: %" PRIu64 ", engine %u: %" PRIu64 "\n", i, x->sys->count[i], e, y->sys->count[i]);
}

/* What the caches hold, and what was counted of them. */
static bool same_caches(unsigned e)
{
	const struct cpu *x = rig[0]->c, *y = rig[e]->c;

	return !waits || (memcmp(&x->caches->state, &y->caches->state, sizeof(x->caches->state)) == 0 &&
			  memcmp(x->fetched, y->fetched, sizeof(x->fetched)) == 0 &&
			  memcmp(&x->sys->count[COUNT_ICACHE_REFILL], &y->sys->count[COUNT_ICACHE_REFILL],
				 (COUNT_BUS_ACCESS - COUNT_ICACHE_REFILL + 1) * sizeof(u64)) == 0);
}

static bool same_memory(u32 at, u32 bytes)
{
	const u8 *first = bus_span(rig[0]->bus, BUS_CPU, at, bytes);

	for (unsigned e = 1; e < ENGINES; e++)
		if (memcmp(first, bus_span(rig[e]->bus, BUS_CPU, at, bytes), bytes) != 0)
			return false;
	return true;
}

static void print_difference(const struct registers_state *x, const struct registers_state *y, unsigned e)
{
	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		if (x->r[i] != y->r[i])
			fprintf(stderr, "  register %u: %08x, engine %u: %08x\n", i, x->r[i], e, y->r[i]);
	for (unsigned i = 0; i < 32; i++)
		if (x->s[i] != y->s[i])
			fprintf(stderr, "  s%u: %08x, engine %u: %08x\n", i, x->s[i], e, y->s[i]);
	if (x->cycles != y->cycles || x->instructions != y->instructions)
		fprintf(stderr, "  cycles %" PRIu64 ", %" PRIu64 ", instructions %" PRIu64 ", %" PRIu64 "\n", x->cycles, y->cycles,
			x->instructions, y->instructions);
}

/* Whether stores wrote something else than put_change meant over code or vectors. What is executed may then be anything, also
 * what is unpredictable, as a branch into an IT block, or an IT before a vector instruction. */
static bool is_overwritten(void)
{
	const u16 *code = (const u16 *)bus_span(rig[0]->bus, BUS_CPU, 0, sizeof(image));

	for (unsigned i = 0; i < ARRAY_LEN(image); i++) {
		unsigned k = 0;
		while (code[i] != image[i] && k < ARRAY_LEN(harmless) && code[i] != harmless[k])
			k++;
		if (k == ARRAY_LEN(harmless))
			return true;
	}
	return false;
}

/* The program as it was, and the same data in all engines. */
static void put_back(void)
{
	poke(CODE_END, bus_span(rig[0]->bus, BUS_CPU, CODE_END, MEMORY - CODE_END), MEMORY - CODE_END);
	poke(DATA, bus_span(rig[0]->bus, BUS_CPU, DATA, DATA_BYTES), DATA_BYTES);
	poke(0, image, sizeof(image));
}

/* Whether an IT block may reach there: a change of the code makes an IT of what was the rest of an instruction. Entering such a
 * block without its ITSTATE is unpredictable, and the engines differ. */
static bool in_it_block(u32 pc)
{
	u16 before[8]; /* the longest block */

	cpu_peek(rig[0]->c, pc - sizeof(before), before, sizeof(before));
	for (unsigned i = 0; i < ARRAY_LEN(before); i++)
		if (before[i] >> 8 == 0xbf && before[i] & 15)
			return true;
	return false;
}

/* Whether an engine is in an IT block that it entered without its ITSTATE. */
static bool is_lost(const struct registers_state *x, const struct registers_state *y)
{
	return in_it_block(x->r[15]) && (x->r[CPU_REG_XPSR] ^ y->r[CPU_REG_XPSR]) & 0x0600fc00;
}

/* What others take of the memories, of 256 parts; another part at times. */
static u32 taken;
static u32 taken_now(void *ctx, u32 addr) { return addr & 0x20000000 ? taken : taken / 2; }

/* One piece of a run, with an interrupt before it or not; false: the engines differ. *lost: what follows is unpredictable. */
static bool slice(u32 from, bool *lost)
{
	static struct registers_state state[ENGINES];
	const u64 cycles = 1 + below(below(8) ? 12 : 200);
	const u32 irq = below(4 * IRQS);

	taken = below(8) ? taken : below(257);
	slice_run(rig, ENGINES, cycles, irq, IRQS, state);
	*lost = is_overwritten();
	for (unsigned e = 1; e < ENGINES; e++)
		*lost |= is_lost(&state[0], &state[e]);
	for (unsigned e = 1; e < ENGINES && !*lost; e++)
		if (memcmp(&state[e], &state[0], sizeof(state[0])) != 0 || !same_caches(e)) {
			fprintf(stderr, "%" PRIu64 " cycles from %08x, interrupt %u:\n", cycles, from, irq);
			print_difference(&state[0], &state[e], e);
			if (waits)
				print_caches(rig[0]->c, rig[e]->c, e);
			return false;
		}
	return true;
}

/* From a sequence of the program until it is lost in a fault or writes anything over itself, or long enough. Adds to *instructions. */
static bool run_from_somewhere(const struct cuts *cuts, u64 *instructions)
{
	static struct registers_start start;
	u32 pc = starts[below(start_count)];

	if (in_it_block(pc))
		return true;
	draw_start(&start);
	for (unsigned e = 0; e < ENGINES; e++)
		put_start(rig[e], cuts, &start, pc);
	const u64 before = cpu_instructions(rig[0]->c);
	for (unsigned k = 0; k < SLICES; k++) {
		bool lost;
		if (!slice(pc, &lost))
			return false;
		if (lost) {
			put_back();
			break;
		}
		pc = cpu_get_reg(rig[0]->c, 15);
		if (rig[0]->c->core.activity != CPU_RUNNING ||
		    (pc - CODE >= CODE_BYTES && pc - rig_handler(EXC_IRQ0) >= IRQS * 16))
			break;
	}
	*instructions += cpu_instructions(rig[0]->c) - before;
	return same_memory(0, MEMORY) && same_memory(DATA, DATA_BYTES);
}

static struct cpu_config with_waits(struct cpu_config k)
{
	k.taken = below(2) ? taken_now : NULL;
	draw_waits(&d.random, &k);
	return k;
}

static void begin_rigs(struct cpu_config k)
{
	static const enum cpu_engine engines[ENGINES] = { CPU_ENGINE_STEP, CPU_ENGINE_SWITCH, CPU_ENGINE_TAIL };
	static const u32 handler[4] = { 0x3001bf00, 0x4770bf00, 0xe7fee7fe, 0xe7fee7fe }; /* nop; adds r0, 1; nop; bx lr */

	for (unsigned e = 0; e < ENGINES; e++) {
		k.engine = engines[e];
		rig[e] = rig_new_of(&k);
	}
	for (unsigned irq = 0; irq < IRQS; irq++)
		poke(rig_handler(EXC_IRQ0 + irq), handler, sizeof(handler));
	for (unsigned num = EXC_NMI; num < EXC_IRQ0; num++)
		poke(rig_handler(num), handler + 2, 8);
	cpu_peek(rig[0]->c, 0, image, CODE);
}

static void end_rigs(void)
{
	for (unsigned e = 0; e < ENGINES; e++)
		rig_free(rig[e]);
}

/* One program; adds to *done. */
static void run_program(unsigned program, u64 wanted, u64 *done)
{
	const u64 before = *done;
	struct cuts cuts;

	put_program();
	draw_cuts(&cuts);
	for (unsigned k = 0; k < STARTS && *done < wanted; k++)
		cr_assert(run_from_somewhere(&cuts, done), "program %u, start %u", program, k);
	cr_assert(*done > before, "program %u executes nothing", program);
}

static void run_programs(u64 wanted)
{
	const char *text = getenv("PROGRAMS_INSTRUCTIONS"), *seed = getenv("PROGRAMS_SEED");
	u64 done = 0;

	wanted = text ? strtoull(text, NULL, 0) : wanted;
	draw_init(&d, seed ? strtoull(seed, NULL, 0) : 1);
	if (!waits)
		begin_rigs(rig_config());
	for (unsigned program = 0; done < wanted; program++) {
		if (waits)
			begin_rigs(with_waits(rig_config()));
		run_program(program, waits && wanted > done + WAITS_PROGRAM ? done + WAITS_PROGRAM : wanted, &done);
		if (waits)
			end_rigs();
	}
	if (text)
		fprintf(stderr, "%" PRIu64 " instructions\n", done);
	if (!waits)
		end_rigs();
	draw_free(&d);
}

Test(programs, that_change_are_interrupted_and_cut_do_the_same_in_all_engines)
{
	run_programs(INSTRUCTIONS);
}

Test(programs, in_memories_with_wait_states_do_the_same_in_all_engines)
{
	waits = true;
	run_programs(WAITS_INSTRUCTIONS);
}
