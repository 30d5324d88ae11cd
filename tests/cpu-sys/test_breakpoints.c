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

Test(breakpoints, as_many_as_there_is_room_for)
{
	for (u32 i = 0; i < 64; i++)
		cr_assert(cpu_add_breakpoint(r->c, RIG_PC + 0x100 + 2 * i));
	cr_expect(cpu_add_breakpoint(r->c, RIG_PC + 0x100), "one that is there is not added again");
	cr_expect_not(cpu_add_breakpoint(r->c, RIG_PC));
}
