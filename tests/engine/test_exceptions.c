/* SPDX-License-Identifier: Apache-2.0 */
/* Time that exceptions take while an engine runs. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define NVIC_ISER 0xe000e100u
#define NOPS 0xbf00bf00u
#define BX_LR_NOP 0xbf004770u /* bx lr; nop */
#define TAIL_CYCLES 6

/* A core whose thread does nothing for ever, with interrupts 0 and 1 enabled, whose handlers return at once. */
static struct rig *rig_with_handlers(enum cpu_engine engine)
{
	struct rig *r = rig_new_with(engine, CPU_TIMING_M55);

	for (u32 at = RIG_PC; at < RIG_PC + 0x1000; at += 4)
		rig_poke(r, at, NOPS);
	for (unsigned irq = 0; irq < 2; irq++)
		rig_poke(r, rig_handler(EXC_IRQ0 + irq), BX_LR_NOP);
	rig_write(r, NVIC_ISER, 3);
	return r;
}

/* Cycles of the return from interrupt 0, with interrupt 1 waiting or not. */
static u64 return_cycles(bool waiting)
{
	struct rig *r = rig_with_handlers(CPU_ENGINE_TAIL);

	cpu_step(r->c);
	cpu_irq_set(r->c, 0, true);
	cpu_irq_set(r->c, 0, false);
	cr_assert(exception_poll(r->c));
	if (waiting) {
		cpu_irq_set(r->c, 1, true);
		cpu_irq_set(r->c, 1, false);
	}
	u64 before = cpu_cycles(r->c);
	cpu_step(r->c);
	u64 cycles = cpu_cycles(r->c) - before;
	cr_assert_eq(r->c->core.ipsr, waiting ? EXC_IRQ0 + 1 : 0);
	rig_free(r);
	return cycles;
}

Test(exceptions, the_next_one_behind_a_return_takes_its_cycles)
{
	cr_assert_eq(return_cycles(true), return_cycles(false) + TAIL_CYCLES);
}

/* Cycles and instructions when both interrupts come in the middle of a run. */
static void run_both(enum cpu_engine engine, u64 *cycles, u64 *instructions)
{
	struct rig *r = rig_with_handlers(engine);
	const u64 period = sched_period(25000000);

	cpu_run(r->c, r->sched.now + 40 * period);
	for (unsigned irq = 0; irq < 2; irq++) {
		cpu_irq_set(r->c, irq, true);
		cpu_irq_set(r->c, irq, false);
	}
	cpu_run(r->c, r->sched.now + 200 * period);
	*cycles = cpu_cycles(r->c);
	*instructions = cpu_instructions(r->c);
	rig_free(r);
}

Test(exceptions, take_the_same_time_in_all_engines)
{
	u64 cycles[3], instructions[3];
	static const enum cpu_engine engines[] = { CPU_ENGINE_TAIL, CPU_ENGINE_SWITCH, CPU_ENGINE_STEP };

	for (unsigned i = 0; i < 3; i++)
		run_both(engines[i], &cycles[i], &instructions[i]);
	for (unsigned i = 1; i < 3; i++) {
		cr_assert_eq(cycles[i], cycles[0]);
		cr_assert_eq(instructions[i], instructions[0]);
	}
}
