/* SPDX-License-Identifier: Apache-2.0 */
/* Branches that go straight to code of another page, calls of what a register holds and returns: they notice when that code changes, or may not be executed any more. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define MPU_CTRL 0xe000ed94u
#define MPU_RNR 0xe000ed98u
#define MPU_RBAR 0xe000ed9cu
#define NEAR RIG_PC              /* calls FAR r1 times, stores r6 to [r5], and stays at STAYS */
#define FAR (RIG_PC + 0x1000)
#define STAYS (NEAR + 12)
#define READS (NEAR + 16)        /* from [r5] */
#define BX_LR 0x4770u
#define ADDS_R0(n) (0x3000u | (n))
#define CALLS 20
#define EXECUTE_NEVER 3u /* read and write as well */

/* Who calls, and how. */
struct caller { enum cpu_engine engine; bool by_register; };

static struct rig *rig_with_call(struct caller x)
{
	/* BL FAR; SUBS r1, #1; BNE NEAR; STR r6, [r5]; NOP; B to itself; NOP; LDR r6, [r5]; B to itself */
	static const u16 code[] = { 0xf000, 0xfffe, 0x3901, 0xd1fb, 0x602e, 0xbf00, 0xe7fe, 0xbf00, 0x682e, 0xe7fe };
	static const u16 by_register[] = { 0xbf00, 0x47b8 }; /* NOP; BLX r7 */
	struct rig *r = rig_new_engine(x.engine);

	cr_assert(cpu_poke(r->c, NEAR, code, sizeof(code)));
	if (x.by_register)
		cr_assert(cpu_poke(r->c, NEAR, by_register, sizeof(by_register)));
	rig_poke(r, FAR, ADDS_R0(1) | BX_LR << 16);
	rig_poke(r, FAR + 0x800, 0xbf00e7fe); /* B to itself */
	cr_assert(cpu_poke(r->c, rig_handler(EXC_HARD), (const u16[]){ 0xe7fe }, 2));
	return r;
}

static void go_on(struct rig *r)
{
	const u64 until = r->sched.now + 2000 * sched_period(25000000);

	cpu_run(r->c, until);
	sched_run(&r->sched, until);
}

/* What r0 grew by in CALLS calls; then word goes to `at`. */
static u32 run(struct rig *r, u32 at, u32 word)
{
	cpu_set_reg(r->c, 0, 0);
	cpu_set_reg(r->c, 1, CALLS);
	cpu_set_reg(r->c, 5, at);
	cpu_set_reg(r->c, 6, word);
	cpu_set_reg(r->c, 7, FAR | 1);
	cpu_set_reg(r->c, 15, NEAR);
	go_on(r);
	return cpu_get_reg(r->c, 0);
}

#define DATA 0x30004000u

static void far_code_that_changes(struct caller x)
{
	struct rig *r = rig_with_call(x);

	cr_expect_eq(run(r, DATA, 0), CALLS);
	cr_expect_eq(run(r, FAR, ADDS_R0(3) | BX_LR << 16), CALLS); /* changed at its end */
	cr_expect_eq(run(r, DATA, 0), 3 * CALLS);
	rig_poke(r, FAR, ADDS_R0(7) | BX_LR << 16); /* as a debugger does */
	cr_expect_eq(run(r, DATA, 0), 7 * CALLS);
	cr_expect_eq(run(r, DATA, 0), 7 * CALLS);
	cr_expect_eq(cpu_get_reg(r->c, 15), STAYS);
	rig_free(r);
}

/* FAR's page is in use in several views: whole, and cut by regions. */
static void far_code_behind_regions(struct caller x)
{
	struct rig *r = rig_with_call(x);

	cr_expect_eq(run(r, DATA, 0), CALLS);
	for (unsigned round = 0; round < 3; round++) {
		rig_write(r, MPU_RNR, 0); /* half of the page, with FAR, is not to be executed */
		rig_write(r, MPU_RBAR, FAR | EXECUTE_NEVER);
		rig_write(r, MPU_RBAR + 4, ((FAR + 0x7ff) & ~31u) | 1);
		rig_write(r, MPU_CTRL, 5);
		cpu_set_reg(r->c, 15, FAR + 0x800); /* so that the page's executable part is in use */
		go_on(r);
		cr_expect_eq(cpu_get_reg(r->c, 15), FAR + 0x800);
		run(r, DATA, 0);
		cr_expect_eq(cpu_get_reg(r->c, 15), rig_handler(EXC_HARD));
		cr_expect_eq(cpu_get_reg(r->c, 0), 0);
		cpu_reset(r->c);
		cr_expect_eq(run(r, DATA, 0), CALLS);
		rig_write(r, MPU_RNR, 0); /* the page is cut, but FAR may be executed */
		rig_write(r, MPU_RBAR, (FAR + 0x800) | EXECUTE_NEVER);
		rig_write(r, MPU_RBAR + 4, ((FAR + 0xfff) & ~31u) | 1);
		rig_write(r, MPU_CTRL, 5);
		cr_expect_eq(run(r, DATA, 0), CALLS);
		cr_expect_eq(cpu_get_reg(r->c, 15), STAYS);
		cpu_reset(r->c);
	}
	rig_free(r);
}

/* All of FAR's page may not be executed, but read: no other view of it comes into use. */
static void far_page_that_is_closed(struct caller x)
{
	struct rig *r = rig_with_call(x);

	for (unsigned round = 0; round < 2; round++) {
		cr_expect_eq(run(r, DATA, 0), CALLS);
		rig_write(r, MPU_RNR, 0);
		rig_write(r, MPU_RBAR, FAR | EXECUTE_NEVER);
		rig_write(r, MPU_RBAR + 4, ((FAR + 0xfff) & ~31u) | 1);
		rig_write(r, MPU_CTRL, 5);
		cpu_set_reg(r->c, 5, FAR + 0x800);
		cpu_set_reg(r->c, 15, READS);
		go_on(r);
		cr_expect_eq(cpu_get_reg(r->c, 15), READS + 2);
		cr_expect_eq(run(r, DATA, 0), 0);
		cr_expect_eq(cpu_get_reg(r->c, 15), rig_handler(EXC_HARD));
		cpu_reset(r->c);
	}
	rig_free(r);
}

static const struct caller callers[] = { { CPU_ENGINE_TAIL, false }, { CPU_ENGINE_TAIL, true }, { CPU_ENGINE_STEP, false }, { CPU_ENGINE_STEP, true } };

Test(far, code_that_changes_is_seen)
{
	for (unsigned i = 0; i < ARRAY_LEN(callers); i++)
		far_code_that_changes(callers[i]);
}

Test(far, code_that_may_not_be_executed_any_more_faults)
{
	for (unsigned i = 0; i < ARRAY_LEN(callers); i++)
		far_code_behind_regions(callers[i]);
	for (unsigned i = 0; i < ARRAY_LEN(callers); i++)
		far_page_that_is_closed(callers[i]);
}
