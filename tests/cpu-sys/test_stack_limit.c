/* SPDX-License-Identifier: Apache-2.0 */
/* Stack limits where a program of random instructions rarely comes: the address of the code in SP, and
 * the frame of a call to Non-secure state (Armv8-M ARM B3.21, pseudocode ViolatesSPLim). */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "cpu/engine/engine.h"

#define CFSR 0xE000ED28u
#define STKOF (1u << 20)
#define DACCVIOL (1u << 1)
#define MPU_CTRL 0xE000ED94u
#define ADD_SP_PC 0x44fdu
#define MOV_SP_PC 0x46fdu

struct move { u32 encoding, limit, sp, cfsr; };

ParameterizedTestParameters(stack_limit, code_address_into_sp)
{
	static struct move moves[] = {
		{MOV_SP_PC, 0, RIG_PC + 4, 0},
		{MOV_SP_PC, RIG_PC + 8, RIG_STACK, STKOF},
		{ADD_SP_PC, RIG_STACK, RIG_STACK + RIG_PC + 4, 0},
		{ADD_SP_PC, RIG_STACK + RIG_PC + 8, RIG_STACK, STKOF},
	};
	return cr_make_param_array(struct move, moves, ARRAY_LEN(moves));
}

ParameterizedTest(struct move *m, stack_limit, code_address_into_sp)
{
	struct rig *r = rig_new();

	rig_poke(r, RIG_PC, m->encoding);
	r->c->sys->splim[BANK_S][0] = m->limit;
	state_set_secure(r->c, true);
	engine_run_one(r->c);
	cr_expect_eq(rig_read(r, CFSR) & STKOF, m->cfsr);
	cr_expect_eq(r->c->core.r[13], m->sp, "sp is %08x", r->c->core.r[13]);
	rig_free(r);
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
