/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints of a debugger (cpu/cpu.h): they stop before the instruction, once. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#include "cpu/engine/engine.h"

#define NOP_NOP 0xbf00bf00u
#define LOOP_NOP 0xe7fdbf00u /* nop; b to the instruction before it */

static struct rig *r;
static void setup(void)
{
	r = rig_new();
	rig_poke(r, RIG_PC, NOP_NOP);
	rig_poke(r, RIG_PC + 4, LOOP_NOP);
}
static void teardown(void) { rig_free(r); }
TestSuite(breakpoints, .init = setup, .fini = teardown);

static enum cpu_stop run_cycles(u64 cycles)
{
	return cpu_run(r->c, (cpu_cycles(r->c) + cycles) * r->c->engine->period);
}

Test(breakpoints, stop_before_the_instruction_each_time_round)
{
	cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 4));
	for (u64 round = 0; round < 3; round++) {
		cr_assert_eq(run_cycles(100), CPU_STOP_BREAK);
		cr_expect_eq(r->c->core.r[15], RIG_PC + 4);
		cr_expect_eq(cpu_instructions(r->c), 2 + 2 * round);
	}
}

Test(breakpoints, removed_ones_do_not_stop)
{
	cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 2));
	cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 4));
	cpu_remove_breakpoint(r->c, RIG_PC + 2);
	cr_assert_eq(run_cycles(100), CPU_STOP_BREAK);
	cpu_remove_breakpoint(r->c, RIG_PC + 4);
	cr_assert_eq(run_cycles(100), CPU_STOP_HORIZON);
}

Test(breakpoints, more_than_any_table_has_room_for)
{
	for (u32 i = 0; i < 1000; i++)
		cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 0x100 + 2 * (i * 7 % 1000)));
	cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 0x100), "one that is there is not added again");
	cr_expect_eq(r->c->engine->breakpoint_count, 1000);
	for (u32 i = 0; i < 1000; i++)
		cpu_remove_breakpoint(r->c, RIG_PC + 0x100 + 2 * i);
	cr_expect_eq(r->c->engine->breakpoint_count, 0);
}

/* A loop with a sequence, an IT block of four and one of one branch, memory, and a loop of LE. */
static const u16 program[] = {
	0x2000, 0x2107, 0x2414, 0x46a6, /* movs r0, #0; movs r1, #7; movs r4, #20; mov lr, r4 */
	0xf04e, 0xe001, /* dls lr, lr */
	0x3001, 0xeb00, 0x0201, 0x4053, 0x4288, /* 0xc: adds r0, #1; add.w r2, r0, r1; eors r3, r2; cmp r0, r1 */
	0xbfa7, 0x2000, 0x3501, 0x3603, 0x1b77, /* ittee ge; movge r0, #0; addge r5, #1; addlt r6, #3; sublt r7, r6, r5 */
	0x9a00, 0x9201, 0xf00f, 0xc00f, /* ldr r2, [sp]; str r2, [sp, #4]; le lr, 0xc */
	0x2d64, 0xbf18, 0xe7e8, 0xe7e7, /* cmp r5, #100; it ne; bne 0; b 0 */
};
/* Where instructions begin. */
static const u8 place[] = { 0, 2, 4, 6, 8, 0xc, 0xe, 0x12, 0x14, 0x16, 0x18, 0x1a, 0x1c, 0x1e, 0x20, 0x22, 0x24, 0x28,
			    0x2a, 0x2c };
/* Across a page's end with an instruction, with an IT block, and not. */
static const u32 bases[] = { RIG_PC, RIG_PC + 0x1000 - 0xe - 2, RIG_PC + 0x1000 - 0x1a };

enum { INSTRUCTIONS = 1500 };

static struct rig *rig_with_program(enum cpu_engine engine, enum cpu_timing timing, u32 base)
{
	struct rig *p = rig_new_with(engine, timing);

	cr_assert(cpu_poke(p->c, base, program, sizeof program));
	cpu_set_reg(p->c, 15, base);
	return p;
}

struct seen { u64 insns, cycles; u32 pc; };

static struct seen now(const struct cpu *c)
{
	return (struct seen){ cpu_instructions(c), cpu_cycles(c), cpu_get_reg(c, 15) };
}

/* What instruction after instruction shows: every engine and every way to stop must show the same. */
static void step_all(struct seen *seen, enum cpu_timing timing, u32 base)
{
	struct rig *p = rig_with_program(CPU_ENGINE_STEP, timing, base);

	for (unsigned i = 0; i < INSTRUCTIONS; i++) {
		seen[i] = now(p->c);
		cr_assert_eq(cpu_step(p->c), CPU_STOP_HORIZON);
	}
	rig_free(p);
}

static void expect_seen(const struct cpu *c, const struct seen *seen, const char *what)
{
	const struct seen at = now(c), *want = &seen[at.insns];

	cr_assert(at.cycles == want->cycles && at.pc == want->pc, "%s after %llu instructions: cycle %llu, pc 0x%x; stepped %llu, 0x%x",
		  what, (unsigned long long)at.insns, (unsigned long long)at.cycles, at.pc, (unsigned long long)want->cycles, want->pc);
}

/* Each instruction's breakpoint stops as often as it is executed, at the same times as without. */
static void stop_everywhere(enum cpu_engine engine, const struct seen *seen, enum cpu_timing timing, u32 base)
{
	for (unsigned k = 0; k < ARRAY_LEN(place); k++) {
		struct rig *p = rig_with_program(engine, timing, base);
		unsigned hits = 0, wanted = 0;

		for (unsigned i = 0; i < INSTRUCTIONS; i++)
			wanted += seen[i].pc == base + place[k];
		cr_assert(cpu_add_breakpoint(p->c, base + place[k]));
		cpu_set_last_instruction(p->c, INSTRUCTIONS - 1);
		for (enum cpu_stop stop; (stop = cpu_run(p->c, SCHED_NEVER)) != CPU_STOP_COUNT; hits++) {
			cr_assert_eq(stop, CPU_STOP_BREAK);
			cr_assert_eq(cpu_get_reg(p->c, 15), base + place[k]);
			expect_seen(p->c, seen, "breakpoint");
		}
		cr_expect_eq(cpu_instructions(p->c), INSTRUCTIONS - 1);
		expect_seen(p->c, seen, "end");
		wanted -= seen[INSTRUCTIONS - 1].pc == base + place[k];
		cr_expect_eq(hits, wanted, "at +0x%x: %u instead of %u", place[k], hits, wanted);
		rig_free(p);
	}
}

/* A run ends after any number of instructions, also where a run without an end has decoded everything before. */
static void end_everywhere(enum cpu_engine engine, const struct seen *seen, enum cpu_timing timing, u32 base)
{
	struct rig *p = rig_with_program(engine, timing, base);
	u64 step = 1;

	for (u64 last = 0; last < INSTRUCTIONS; last += step, step = step * 5 % 211) {
		cpu_set_last_instruction(p->c, last);
		cr_assert_eq(cpu_run(p->c, SCHED_NEVER), CPU_STOP_COUNT);
		cr_assert_eq(cpu_instructions(p->c), last);
		expect_seen(p->c, seen, "last instruction");
	}
	rig_free(p);
}

static void everywhere(enum cpu_engine engine)
{
	static struct seen seen[INSTRUCTIONS];

	for (enum cpu_timing timing = CPU_TIMING_IPC1; timing <= CPU_TIMING_M85; timing++)
		for (unsigned b = 0; b < ARRAY_LEN(bases); b++) {
			step_all(seen, timing, bases[b]);
			stop_everywhere(engine, seen, timing, bases[b]);
			end_everywhere(engine, seen, timing, bases[b]);
		}
}

Test(breakpoints, exact_in_the_tail_engine) { everywhere(CPU_ENGINE_TAIL); }
Test(breakpoints, exact_in_the_switch_engine) { everywhere(CPU_ENGINE_SWITCH); }
Test(breakpoints, exact_in_the_stepping_engine) { everywhere(CPU_ENGINE_STEP); }

Test(breakpoints, what_was_decoded_before_stops_too)
{
	struct rig *p = rig_with_program(CPU_ENGINE_TAIL, CPU_TIMING_IPC1, RIG_PC);

	cpu_set_last_instruction(p->c, 1000);
	cr_assert_eq(cpu_run(p->c, SCHED_NEVER), CPU_STOP_COUNT);
	cpu_set_last_instruction(p->c, UINT64_MAX);
	for (unsigned k = 0; k < ARRAY_LEN(place); k++) {
		cr_assert(cpu_add_breakpoint(p->c, RIG_PC + place[k]));
		cr_assert_eq(cpu_run(p->c, SCHED_NEVER), CPU_STOP_BREAK);
		cr_expect_eq(cpu_get_reg(p->c, 15), RIG_PC + place[k]);
		cpu_remove_breakpoint(p->c, RIG_PC + place[k]);
	}
	rig_free(p);
}
