/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine/runner.h"
#include "tests/engine/draw_waits.h"

#include "cpu/sys/caches.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CPACR 0xe000ed88u
#define CCR 0xe000ed14u

void runner_init(struct runner *x, enum cpu_engine engine)
{
	struct cpu_config config = rig_config();

	config.engine = engine;
	runner_init_of(x, &config);
}

void runner_init_of(struct runner *x, const struct cpu_config *config)
{
	x->rig = rig_new_of(config);
	for (u32 at = RIG_PC - CODE; at < CODE_BYTES; at += 4)
		rig_poke(x->rig, CODE + at, (u32)NOP << 16 | NOP);
	x->code = bus_span(x->rig->bus, BUS_CPU, CODE, CODE_BYTES);
	memcpy(x->pristine, x->code, CODE_BYTES);
}

void runner_init_waiting(struct insn_random *r, struct runner *tail, struct runner *step)
{
	struct cpu_config config = rig_config();

	draw_waits(r, &config);
	config.engine = CPU_ENGINE_TAIL;
	runner_init_of(tail, &config);
	config.engine = CPU_ENGINE_STEP;
	runner_init_of(step, &config);
}

void runner_free(struct runner *x)
{
	rig_free(x->rig);
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

void runner_draw(struct insn_random *r, unsigned state, struct start *x)
{
	for (unsigned i = 0; i < 15; i++)
		x->core.r[i] = word(r, state < 2 ? 0 : state < 4 ? i & 1 : 3);
	x->core.r[13] = DATA + 0x1000 + insn_random_below(r, 64) * 8;
	x->core.xpsr = insn_random_u32(r) & 0xf80f0000; /* flags, GE */
	x->core.fpscr = insn_random_below(r, 4) ? 4u << 16 : insn_random_u32(r) & 0xf7c70000;
	x->core.vpr = state & 1 ? 0 : insn_random_u32(r) & 0xffff;
	for (unsigned i = 0; i < 32; i++)
		x->core.s[i] = state & 1 ? 0x3f800000 + (insn_random_u32(r) & 0xbfffff) : insn_random_u32(r);
	for (unsigned i = 0; i < ARRAY_LEN(x->memory); i++)
		x->memory[i] = word(r, i & 3);
}

static void put_start(struct runner *x, const struct start *start)
{
	struct cpu *c = x->rig->c;

	cpu_reset(c);
	rig_write(x->rig, CPACR, 0xf << 20);
	if (start->core.ccr)
		rig_write(x->rig, CCR, start->core.ccr);
	caches_forget(c);
	registers_put(c, &start->core);
	cr_assert(cpu_poke(c, DATA, start->memory, DATA_BYTES));
}

static void take_end(struct runner *x, struct end *end)
{
	struct cpu *c = x->rig->c;

	registers_take(c, &end->core);
	cr_assert(cpu_peek(c, DATA, end->memory, DATA_BYTES));
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

void runner_run(struct runner *x, u32 at, u32 pc, const struct drawn *code, const struct start *start, u64 cycles, struct end end[2])
{
	put_code(x, at, code);
	put_start(x, start);
	cpu_set_reg(x->rig->c, 15, pc);
	const u64 c0 = cpu_cycles(x->rig->c), i0 = cpu_instructions(x->rig->c);
	for (unsigned k = 0; k < 2; k++) {
		pass(x, k ? 24 : cycles);
		take_end(x, &end[k]);
		end[k].core.cycles -= c0;
		end[k].core.instructions -= i0;
	}
}

void runner_print(const struct end *got, const struct end *end)
{
	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		if (got->core.r[i] != end->core.r[i])
			fprintf(stderr, "  register %u: %08x in place of %08x\n", i, got->core.r[i], end->core.r[i]);
	for (unsigned i = 0; i < 32; i++)
		if (got->core.s[i] != end->core.s[i])
			fprintf(stderr, "  s%u: %08x in place of %08x\n", i, got->core.s[i], end->core.s[i]);
	for (unsigned i = 0; i < ARRAY_LEN(end->memory); i++)
		if (got->memory[i] != end->memory[i])
			fprintf(stderr, "  %08x: %08x in place of %08x\n", DATA + 4 * i, got->memory[i], end->memory[i]);
	if (got->core.cycles != end->core.cycles || got->core.instructions != end->core.instructions)
		fprintf(stderr, "  %" PRIu64 " cycles, %" PRIu64 " instructions in place of %" PRIu64 ", %" PRIu64 "\n", got->core.cycles,
			got->core.instructions, end->core.cycles, end->core.instructions);
}
