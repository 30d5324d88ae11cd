/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that put the address of the code into SP obey the stack limit as others do
 * (Armv8-M ARM B3.21). */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "cpu/engine/engine.h"

#define CFSR 0xE000ED28u
#define STKOF (1u << 20)
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
