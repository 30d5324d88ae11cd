/* SPDX-License-Identifier: Apache-2.0 */
/* Stack limits (Armv8-M ARM B3.21, pseudocode ViolatesSPLim): each way to write SP, and the frame of a call to
 * Non-secure state. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "cpu/engine/engine.h"

#define CFSR 0xE000ED28u
#define CPACR 0xE000ED88u
#define STKOF (1u << 20)
#define DACCVIOL (1u << 1)
#define MPU_CTRL 0xE000ED94u

/* Moves SP by `by`; `lowest` is what the limit is held against, from the old SP on. */
struct write { const char name[28]; u32 encoding; i32 by, lowest; u32 r1; };
#define NEVER (-0x1000) /* not held against the limit */

static struct write writes[] = {
	{"sub sp, #8", 0xb082, -8, -8, 0},
	{"add sp, #8", 0xb002, 8, 8, 0},
	{"mov sp, r1", 0x468d, -16, -16, RIG_STACK - 16},
	{"mov sp, pc", 0x46fd, RIG_PC + 4 - RIG_STACK, RIG_PC + 4 - RIG_STACK, 0},
	{"add sp, r1", 0x448d, -16, -16, -16u},
	{"add sp, pc", 0x44fd, RIG_PC + 4, RIG_PC + 4, 0},
	{"mov.w sp, r1", 0x0d01ea4f, -16, -16, RIG_STACK - 16},
	{"sub.w sp, sp, #16", 0x0d10f1ad, -16, -16, 0},
	{"subs.w sp, sp, #16", 0x0d10f1bd, -16, -16, 0},
	{"subw sp, sp, #16", 0x0d10f2ad, -16, -16, 0},
	{"add.w sp, sp, #16", 0x0d10f10d, 16, 16, 0},
	{"adds.w sp, sp, #16", 0x0d10f11d, 16, 16, 0},
	{"addw sp, sp, #16", 0x0d10f20d, 16, 16, 0},
	{"add.w sp, sp, r1", 0x0d01eb0d, -16, -16, -16u},
	{"adds.w sp, sp, r1", 0x0d01eb1d, -16, -16, -16u},
	{"sub.w sp, sp, r1", 0x0d01ebad, -16, -16, 16},
	{"subs.w sp, sp, r1", 0x0d01ebbd, -16, -16, 16},
	{"push {r0, r1}", 0xb403, -8, -8, 0},
	{"pop {r0, r1}", 0xbc03, 8, 0, 0},
	{"pop {r0, pc}", 0xbd01, 8, 0, 0},
	{"push.w {r4, r5}", 0x0030e92d, -8, -8, 0},
	{"pop.w {r4, r5}", 0x0030e8bd, 8, 0, 0},
	{"pop.w {r4, pc}", 0x8010e8bd, 8, 0, 0},
	{"stmia sp!, {r4, r5}", 0x0030e8ad, 8, 0, 0},
	{"ldmdb sp!, {r4, r5}", 0x0030e93d, -8, -8, 0},
	{"str r0, [sp, #-8]!", 0x0d08f84d, -8, -8, 0},
	{"str r0, [sp], #-8", 0x0908f84d, -8, -8, 0},
	{"str r0, [sp, #8]!", 0x0f08f84d, 8, 0, 0},
	{"str r0, [sp, #-8]", 0x0c08f84d, 0, NEVER, 0},
	{"strb r0, [sp, #-8]!", 0x0d08f80d, -8, -8, 0},
	{"strh r0, [sp, #-8]!", 0x0d08f82d, -8, -8, 0},
	{"ldr r0, [sp], #8", 0x0b08f85d, 8, 0, 0},
	{"ldr r0, [sp, #8]!", 0x0f08f85d, 8, 0, 0},
	{"ldr r0, [sp, #-8]!", 0x0d08f85d, -8, -8, 0},
	{"ldr pc, [sp], #8", 0xfb08f85d, 8, 0, 0},
	{"ldr pc, [sp, #-8]!", 0xfd08f85d, -8, -8, 0},
	{"ldrb r0, [sp, #-8]!", 0x0d08f81d, -8, -8, 0},
	{"ldrh r0, [sp, #-8]!", 0x0d08f83d, -8, -8, 0},
	{"ldrsb r0, [sp, #-8]!", 0x0d08f91d, -8, -8, 0},
	{"ldrsh r0, [sp, #-8]!", 0x0d08f93d, -8, -8, 0},
	{"strd r0, r1, [sp, #-8]!", 0x0102e96d, -8, -8, 0},
	{"strd r0, r1, [sp], #8", 0x0102e8ed, 8, 0, 0},
	{"ldrd r0, r1, [sp], #8", 0x0102e8fd, 8, 0, 0},
	{"ldrd r0, r1, [sp, #-8]!", 0x0102e97d, -8, -8, 0},
	{"vpush {s0, s1}", 0x0a02ed2d, -8, -8, 0},
	{"vpop {s0, s1}", 0x0a02ecbd, 8, 0, 0},
	{"vpush {d0}", 0x0b02ed2d, -8, -8, 0},
	{"vpop {d0}", 0x0b02ecbd, 8, 0, 0},
	{"vstmia sp!, {s0, s1}", 0x0a02ecad, 8, 0, 0},
	{"vldmdb sp!, {s0, s1}", 0x0a02ed3d, -8, -8, 0},
	{"vstr fpscr, [sp, #-8]!", 0x2f82ed2d, -8, -8, 0},
	{"vldr fpscr, [sp], #8", 0x2f82ecbd, 8, 0, 0},
	{"vstr fpcxtns, [sp, #-8]!", 0xcf82ed6d, -8, -8, 0},
	{"vldr fpcxtns, [sp], #8", 0xcf82ecfd, 8, 0, 0},
	{"vstr fpcxts, [sp, #-8]!", 0xef82ed6d, -8, -8, 0},
	{"vldr fpcxts, [sp], #8", 0xef82ecfd, 8, 0, 0},
	{"ldr sp, [r1]", 0xd000f8d1, RIG_PC + 0x100 - RIG_STACK, NEVER, RIG_STACK},
	{"msr msp, r1", 0x8808f381, -16, NEVER, RIG_STACK - 16},
};

ParameterizedTestParameters(stack_limit, writes_of_sp)
{
	return cr_make_param_array(struct write, writes, ARRAY_LEN(writes));
}

/* Runs it with the limit at `limit`; returns CFSR.STKOF. */
static u32 write_sp(struct write *w, u32 limit, u32 *sp)
{
	struct rig *r = rig_new();

	rig_write(r, CPACR, 0xf << 20);
	for (u32 at = RIG_STACK - 16; at < RIG_STACK + 16; at += 4)
		rig_poke(r, at, RIG_PC + 0x101);
	rig_poke(r, RIG_PC, w->encoding);
	r->c->core.r[1] = w->r1;
	r->c->sys->splim[BANK_S][0] = limit;
	state_set_secure(r->c, true);
	engine_run_one(r->c);
	*sp = r->c->core.r[13];
	u32 overflow = rig_read(r, CFSR) & STKOF;
	rig_free(r);
	return overflow;
}

ParameterizedTest(struct write *w, stack_limit, writes_of_sp)
{
	u32 lowest = (RIG_STACK + (u32)w->lowest) & ~7u, sp;

	cr_expect_not(write_sp(w, lowest, &sp), "%s down to the limit", w->name);
	cr_expect_eq(sp, RIG_STACK + (u32)w->by, "%s: sp is %08x", w->name, sp);
	if (w->lowest == NEVER) {
		cr_expect_not(write_sp(w, RIG_STACK + 0x1000, &sp), "%s has no limit", w->name);
		return;
	}
	cr_expect(write_sp(w, lowest + 8, &sp), "%s below the limit", w->name);
	cr_expect_eq(sp, RIG_STACK, "%s below the limit: sp is %08x", w->name, sp);
}

/* Non-secure SP by its name is held against the limit of the stack that it selects. */
Test(stack_limit, non_secure_sp_by_name)
{
	for (unsigned below = 0; below < 2; below++) {
		struct rig *r = rig_new();
		rig_poke(r, RIG_PC, 0x8898f381); /* msr sp_ns, r1 */
		r->c->core.r[1] = 0x20001000;
		r->c->sys->splim[BANK_NS][0] = 0x20001000 + 8 * below;
		engine_run_one(r->c);
		cr_expect_eq(rig_read(r, CFSR) & STKOF, below ? STKOF : 0);
		cr_expect_eq(cpu_get_reg(r->c, CPU_REG_MSP_NS) == 0x20001000, !below);
		rig_free(r);
	}
}

struct call { u32 sp, limit, cfsr; };

/* The limit alone decides: a frame that wraps around zero is above every limit, and the memory there
 * says no. */
ParameterizedTestParameters(stack_limit, frame_of_a_call_to_non_secure_state)
{
	static struct call calls[] = {
		{RIG_STACK, RIG_STACK - 8, 0},
		{RIG_STACK, RIG_STACK, STKOF},
		{4, 0, DACCVIOL},
		{0, RIG_STACK, DACCVIOL},
	};
	return cr_make_param_array(struct call, calls, ARRAY_LEN(calls));
}

ParameterizedTest(struct call *m, stack_limit, frame_of_a_call_to_non_secure_state)
{
	struct rig *r = rig_new();

	r->c->core.r[13] = m->sp;
	r->c->core.r[3] = 0x2000;
	r->c->sys->splim[BANK_S][0] = m->limit;
	state_set_secure(r->c, true);
	rig_write(r, MPU_CTRL, m->cfsr == DACCVIOL); /* without regions: nothing is permitted */
	cr_expect_eq(sysop_blxns(r->c, 3), !m->cfsr);
	cr_expect_eq(rig_read(r, CFSR) & (STKOF | DACCVIOL), m->cfsr);
	rig_free(r);
}
