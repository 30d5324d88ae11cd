/* SPDX-License-Identifier: Apache-2.0 */
/* Unaligned accesses that code makes, in every engine: handlers make them at once. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define CCR 0xE000ED14u
#define SHCSR 0xE000ED24u
#define DEMCR 0xE000EDFCu
#define PMU_EVCNTR0 0xE0003000u
#define PMU_EVTYPER0 0xE0003400u
#define PMU_CNTENSET 0xE0003C00u
#define PMU_CTRL 0xE0003E04u
#define UNALIGN_TRP 8u
#define DATA 0x30000000u
#define LOAD 0x6802      /* ldr r2, [r0] */
#define STORE 0x600B     /* str r3, [r1] */
#define STAY 0xE7FE      /* b . */

static struct rig *r;
static struct cpu *c;

/* A core that will run the program with r0 at an unaligned word. */
static void prepare(enum cpu_engine engine, const u16 *program, size_t bytes)
{
	r = rig_new();
	c = r->c;
	c->config.engine = engine;
	rig_write(r, DATA, 0x44332211);
	rig_write(r, DATA + 4, 0x88776655);
	cr_assert(cpu_poke(c, RIG_PC, program, bytes));
	c->core.r[0] = DATA + 1;
	c->core.r[15] = RIG_PC;
}

static void run(void) { cpu_run(c, r->sched.now + 50 * sched_period(25000000)); }

Test(unaligned, traps_from_the_instruction_after_the_one_that_asks_for_it)
{
	static const u16 program[] = { LOAD, STORE, LOAD, STAY };

	for (enum cpu_engine engine = CPU_ENGINE_TAIL; engine <= CPU_ENGINE_STEP; engine++) {
		prepare(engine, program, sizeof(program));
		rig_write(r, SHCSR, 1 << 18); /* USGFAULTENA */
		rig_poke(r, rig_handler(6), STAY);
		c->core.r[1] = CCR;
		c->core.r[3] = rig_read(r, CCR) | UNALIGN_TRP;
		run();
		cr_expect_eq(rig_peek(r, RIG_STACK - 0x18), 0x55443322, "r2 in the frame");
		cr_expect_eq(c->core.ipsr, 6);
		cr_expect_eq(rig_peek(r, RIG_STACK - 8), RIG_PC + 4);
		rig_free(r);
	}
}

Test(unaligned, trap_is_banked)
{
	static const u16 program[] = { STAY };

	prepare(CPU_ENGINE_TAIL, program, sizeof(program));
	rig_write(r, CCR, UNALIGN_TRP);
	cr_expect_not(c->unaligned);
	state_set_secure(c, false);
	cr_expect(c->unaligned);
	rig_free(r);
}

Test(unaligned, counted_when_nothing_else_is)
{
	static const u16 program[] = { LOAD, LOAD, STORE, LOAD, STAY };

	for (enum cpu_engine engine = CPU_ENGINE_TAIL; engine <= CPU_ENGINE_STEP; engine++) {
		prepare(engine, program, sizeof(program));
		rig_write(r, DEMCR, 1 << 24); /* TRCENA */
		rig_write(r, PMU_EVTYPER0, 0x0F);
		rig_write(r, PMU_CNTENSET, 1);
		rig_write(r, PMU_CTRL, 1);
		c->core.r[1] = DATA + 8;
		run();
		cr_expect_eq(rig_read(r, PMU_EVCNTR0), 3);
		rig_free(r);
	}
}
