/* SPDX-License-Identifier: Apache-2.0 */
/* Indirect branches on a Cortex-M85 with branch target identification and pointer authentication, which change under
 * way: random programs, interrupted anywhere, also between a branch and where it leads, do the same in all engines.
 * TARGETS_SEED and TARGETS_PROGRAMS choose others and more of them. */
#include "tests/cpu-sys/rig.h"
#include "tests/engine/registers.h"
#include "tests/engine/slice.h"
#include "cpu/insn/encode.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINES = 3, IRQS = 4, PROGRAMS = 60, RUNS = 12, SLICES = 60 };
#define CODE 0x2000u /* in the alias from 0 on, so that MOVW makes any address */
#define CODE_BYTES 0x2000u
#define DATA 0x30004000u
#define DATA_BYTES 0x2000u
#define SKIPS 0x1900u /* handler of UsageFault */
#define NVIC_ISER 0xe000e100u
#define SHCSR 0xe000ed24u
#define CPACR 0xe000ed88u
#define BTYPE (1u << 21) /* of the program status register */

static struct rig *rig[ENGINES];
static struct insn_random random_numbers;
static u16 image[CODE_BYTES / 2 + 32];
static unsigned used;
static u32 places[CODE_BYTES / 2];
static unsigned place_count;
static u64 targets_awaited, faults; /* so that the test says whether it tests anything */

static u32 below(u32 n) { return insn_random_below(&random_numbers, n); }

static void put(u16 halfword) { image[used++] = halfword; }
static void put_wide(u32 encoding)
{
	put((u16)(encoding >> 16));
	put((u16)encoding);
}

static void put_movw(unsigned rd, u32 imm)
{
	put_wide(0xf2400000 | (imm >> 12) << 16 | (imm >> 11 & 1) << 26 | (imm >> 8 & 7) << 12 | rd << 8 | (imm & 0xff));
}

/* R4: somewhere in the program, mostly where an element begins; r6: data. */
static void put_registers(void)
{
	const u32 at = place_count && below(8) ? places[below(place_count)] : CODE + below(CODE_BYTES / 2) * 2;

	put_movw(4, at | (below(64) != 0));
	put_movw(6, 0x4800);
	put_wide(0xf2c30600); /* movt r6, #0x3000 */
}

static void put_landing(void)
{
	put_wide(below(3) ? 0xf3af800f : 0xf3af800d); /* BTI, PACBTI */
}

static void put_branch(void)
{
	put_registers();
	switch (below(9)) {
	case 0: put(0x4720); break; /* bx r4 */
	case 1: put(0x47a0); break; /* blx r4 */
	case 2: put(0x6034); put_wide(0xf8d6f000); break; /* str r4, [r6]; ldr pc, [r6] */
	case 3: put(0x6034); put_wide(0xf856fb04); break; /* ldr pc, [r6], #4 */
	case 4: put(0x6034); put_wide(0xe8968000); break; /* ldm r6, {pc} */
	case 5: put(0x6074); put_wide(0xe8b68020); break; /* str r4, [r6, #4]; ldm r6!, {r5, pc} */
	case 6: put(0xb410); put(0xbd00); break; /* push {r4}; pop {pc} */
	case 7: put(0x46a7); break; /* mov pc, r4 */
	default: put(0x46a6); put(0x4770); break; /* mov lr, r4; bx lr */
	}
}

/* Signs and authenticates, at times what is not the same. */
static void put_signed(void)
{
	const bool spoil = below(6) == 0;

	put_registers();
	switch (below(3)) {
	case 0:
		put_wide(0xf3af801d); /* pac r12, lr, sp */
		put(spoil ? 0x46a6 : 0xbf00); /* mov lr, r4 */
		put_wide(0xf3af802d); /* aut r12, lr, sp */
		break;
	case 1:
		put_wide(0xfb64f300); /* pacg r3, r4, r0 */
		put(spoil ? 0x3001 : 0xbf00); /* adds r0, #1 */
		put_wide(0xfb543f00); /* autg r3, r4, r0 */
		break;
	default:
		put_wide(0xfb64f300);
		put(spoil ? 0x3001 : 0xbf00);
		put_wide(0xfb543f10); /* bxaut r3, r4, r0 */
	}
}

static void put_control(void)
{
	put_movw(5, below(16) << 4 | below(4) << 2);
	put_wide(0xf3858814); /* msr control, r5 */
}

static void put_others(void)
{
	static const u16 some[] = { 0x3001, 0x4041, 0x1c52, 0x185b, 0x6830, 0x6871, 0xbf00 };

	for (unsigned k = 1 + below(4); k > 0; k--)
		put(some[below(ARRAY_LEN(some))]);
}

/* The program as it was, and the same data in all engines. */
static void put_back(void)
{
	for (unsigned e = 0; e < ENGINES; e++) {
		cr_assert(cpu_poke(rig[e]->c, CODE, image, CODE_BYTES));
		cr_assert(cpu_poke(rig[e]->c, DATA, bus_span(rig[0]->bus, BUS_CPU, DATA, DATA_BYTES), DATA_BYTES));
	}
}

static void put_program(void)
{
	place_count = used = 0;
	while (used < CODE_BYTES / 2) {
		places[place_count++] = CODE + 2 * used;
		if (below(2))
			put_landing();
		switch (below(8)) {
		case 0: case 1: put_branch(); break;
		case 2: put_signed(); break;
		case 3: if (below(4) == 0) put_control(); break;
		default: put_others();
		}
	}
	put_back();
}

static void begin_rigs(void)
{
	static const enum cpu_engine engines[ENGINES] = { CPU_ENGINE_STEP, CPU_ENGINE_SWITCH, CPU_ENGINE_TAIL };
	static const u32 returns[4] = { 0x3001bf00, 0x4770bf00, 0xe7fee7fe, 0xe7fee7fe }; /* nop; adds r0, #1; nop; bx lr */
	/* Without the target's bit in the frame: 4 bytes on; with it: not any more. */
	static const u16 skips[] = { 0x9807, 0xf410, 0x1f00, 0xd102, 0x9906, 0x3104, 0x9106, 0xf420, 0x1000, 0x9007, 0x4770 };
	struct cpu_config k = rig_config();

	k.model = CPU_CORTEX_M85;
	k.pacbti = true;
	for (unsigned e = 0; e < ENGINES; e++) {
		k.engine = engines[e];
		rig[e] = rig_new_of(&k);
		for (unsigned num = EXC_NMI; num < EXC_IRQ0 + IRQS; num++)
			cr_assert(cpu_poke(rig[e]->c, rig_handler(num), num < EXC_IRQ0 ? returns + 2 : returns, 8));
		for (unsigned irq = 0; irq < IRQS; irq++)
			cr_assert(cpu_poke(rig[e]->c, rig_handler(EXC_IRQ0 + irq), returns, sizeof(returns)));
		cr_assert(cpu_poke(rig[e]->c, SKIPS, skips, sizeof(skips)));
		rig_poke(rig[e], RIG_VECTORS + 4 * EXC_USAGE, SKIPS | 1);
	}
}

static void put_start(struct rig *r, const struct registers_start *x, u32 control, u32 pc)
{
	cpu_reset(r->c);
	rig_write(r, CPACR, 0xf << 20);
	rig_write(r, NVIC_ISER, (1 << IRQS) - 1);
	rig_write(r, SHCSR, 7 << 16);
	registers_put(r->c, x);
	cpu_set_reg(r->c, CPU_REG_CONTROL, control);
	cpu_set_reg(r->c, 15, pc);
}

static bool same(unsigned e, struct registers_state state[ENGINES])
{
	if (memcmp(&state[e], &state[0], sizeof(state[0])) == 0 &&
	    memcmp(bus_span(rig[0]->bus, BUS_CPU, DATA, DATA_BYTES), bus_span(rig[e]->bus, BUS_CPU, DATA, DATA_BYTES), DATA_BYTES) == 0)
		return true;
	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		if (state[0].r[i] != state[e].r[i])
			fprintf(stderr, "  register %u: %08x, engine %u: %08x\n", i, state[0].r[i], e, state[e].r[i]);
	fprintf(stderr, "  %" PRIu64 " and %" PRIu64 " cycles\n", state[0].cycles, state[e].cycles);
	return false;
}

/* A jump into the middle of an element may store over the code, and what then runs may be unpredictable. */
static bool is_overwritten(void)
{
	return memcmp(bus_span(rig[0]->bus, BUS_CPU, CODE, CODE_BYTES), image, CODE_BYTES) != 0;
}

/* One piece of a run, with an interrupt before it or not; false: the engines differ. */
static bool slice(void)
{
	static struct registers_state state[ENGINES];
	const u64 cycles = 1 + below(below(8) ? 12 : 200);
	const u32 irq = below(3 * IRQS);

	slice_run(rig, ENGINES, cycles, irq, IRQS, state);
	targets_awaited += (state[0].r[CPU_REG_XPSR] & BTYPE) != 0;
	faults += (state[0].r[CPU_REG_XPSR] & 511) == EXC_USAGE;
	for (unsigned e = 1; e < ENGINES; e++)
		if (!is_overwritten() && !same(e, state))
			return false;
	return true;
}

static bool run_from_somewhere(void)
{
	static struct registers_start start;
	const u32 pc = places[below(place_count)], control = below(16) << 4;

	for (unsigned i = 0; i < 15; i++)
		start.r[i] = below(2) ? DATA + 0x800 + below(0x400) * 4 : CODE + below(CODE_BYTES);
	start.r[13] = DATA + 0x1000 + below(64) * 8;
	for (unsigned e = 0; e < ENGINES; e++)
		put_start(rig[e], &start, control, pc);
	for (unsigned k = 0; k < SLICES; k++) {
		if (!slice())
			return false;
		if (rig[0]->c->core.activity != CPU_RUNNING || is_overwritten())
			break;
	}
	put_back();
	return true;
}

Test(targets, of_branches_are_looked_at_in_all_engines_alike)
{
	const char *seed = getenv("TARGETS_SEED"), *text = getenv("TARGETS_PROGRAMS");
	const unsigned programs = text ? (unsigned)strtoul(text, NULL, 0) : PROGRAMS;

	random_numbers.state = seed ? strtoull(seed, NULL, 0) : 1;
	begin_rigs();
	for (unsigned program = 0; program < programs; program++) {
		put_program();
		for (unsigned k = 0; k < RUNS; k++)
			cr_assert(run_from_somewhere(), "program %u, run %u", program, k);
	}
	if (text)
		fprintf(stderr, "%" PRIu64 " stops in front of a target, %" PRIu64 " in the handler of faults\n", targets_awaited, faults);
	cr_assert_gt(targets_awaited, programs);
	cr_assert_gt(faults, programs);
	for (unsigned e = 0; e < ENGINES; e++)
		rig_free(rig[e]);
}
