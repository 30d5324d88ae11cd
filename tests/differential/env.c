/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/env.h"
#include "tests/differential/plan.h"

#define FPCCR_LSPEN (1u << 30)
#define FPCCR_ASPEN (1u << 31)
#define STIR 0xe000ef00u

static void privileged(struct emit *e, struct case_env *env)
{
	env->control = 0;
	if (insn_random_below(&e->r, 3) == 0)
		env->basepri = insn_random_below(&e->r, 8) << 5;
}

static void traps(struct emit *e, struct case_env *env)
{
	env->ccr = insn_random_u32(&e->r) & (CCR_UNALIGN_TRP | CCR_DIV_0_TRP);
	if (insn_random_below(&e->r, 2))
		env->psplim = (e->out->in.r[13] - 8 * insn_random_below(&e->r, 24)) & ~7u;
	if (insn_random_below(&e->r, 2))
		env->hole = CASE_BLOCK + 0x100 + 32 * insn_random_below(&e->r, 14);
}

/* Fewer cycles than these and a sequence makes no progress. */
static void interrupts(struct emit *e, struct case_env *env)
{
	env->tick = 60 + insn_random_below(&e->r, 60);
	env->psplim = 0;
	e->out->in.r[13] = emit_stack(e);
	if (insn_random_below(&e->r, 3))
		env->fpccr = FPCCR_ASPEN | (insn_random_u32(&e->r) & FPCCR_LSPEN);
}

void env_choose(struct emit *e)
{
	struct case_env *env = &e->out->in.env;
	u32 kind = insn_random_below(&e->r, 16);

	env->control = 1;
	if (kind < 2)
		privileged(e, env);
	if (kind == 2 || kind == 3)
		traps(e, env);
	if (kind == 4 || kind == 5)
		interrupts(e, env);
	if (kind == 6) {
		traps(e, env);
		if (insn_random_below(&e->r, 2))
			privileged(e, env);
		else
			interrupts(e, env);
	}
	env->nonsecure = insn_random_below(&e->r, 3) == 0;
	e->beats = kind == 7 || (kind < 7 && insn_random_below(&e->r, 6) == 0);
}

void env_beats(struct emit *e)
{
	static const u8 legal[] = {1, 2, 4, 5};
	u32 eci = legal[insn_random_below(&e->r, 4)]; /* others may stop QEMU with an assertion */

	e->out->in.xpsr |= eci << 12;
	for (unsigned i = 0; i < 2 && e->g->mve_count; i++) {
		bool vector = insn_random_below(&e->r, 8);
		u16 row = vector ? e->g->mve[insn_random_below(&e->r, e->g->mve_count)] :
				   e->g->plain[insn_random_below(&e->r, e->g->plain_count)];
		struct plan p = {0};
		plan_preset(&p, e, &insn_rows[row]);
		plan_emit(&p);
	}
}

void env_call(struct emit *e)
{
	bool nonsecure = e->out->in.env.nonsecure;
	u32 count = nonsecure ? CASE_GATE_COUNT : CASE_FUNCTION_COUNT;
	u32 to = (nonsecure ? CASE_GATES | 1 : CASE_FUNCTIONS) + CASE_ENTRY_BYTES * insn_random_below(&e->r, count);

	if (e->keep)
		return;
	emit_movw(e, 3, to);
	emit_half(e, nonsecure ? 0x4798 : 0x479c); /* blx r3, blxns r3 */
	e->bases = 0;
}

void env_interrupt(struct emit *e)
{
	unsigned at = insn_random_below(&e->r, 8), number = (at + 1) & 7;

	if (e->keep & (1u << at | 1u << number))
		return;
	emit_address(e, at, STIR);
	emit_movw(e, number, 0);
	emit_wide(e, 0xf8c00000 | at << 16 | number << 12); /* str.w number, [at] */
}
