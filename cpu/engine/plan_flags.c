/* SPDX-License-Identifier: Apache-2.0 */
/* Which flags nobody sees: those that are set again before the code can be left, or in front of an access that leaves but can compute
 * them then (engine/direct_flags.c). */
#include "cpu/engine/direct.h"
#include "cpu/engine/plan.h"

#define FAR 24u /* steps */

/* True when step j, whose plan is made, computes flags where it is laid. */
static bool computes_flags(const struct piece *x, unsigned j)
{
	return op_infos[x->p->info[x->step[j].slot] & INFO_OP].uses & W_FLAGS && !x->step[j].flags_until;
}

/* The step that sets the flags of step k again; 0: they may be seen. */
static unsigned set_again(const struct piece *x, unsigned k)
{
	const unsigned op = x->p->info[x->step[k].slot] & INFO_OP, sets = direct_flags_set(op);
	unsigned need = direct_flags_need(op, &x->p->slots[x->step[k].slot]);
	const unsigned first = x->step[k].how == HOW_DIRECT_PAIR ? k + 2 : k + 1;
	unsigned changed = 0;

	if (first > k + 1 && (!need || !x->step[k].seldom))
		return 0;
	for (unsigned j = first; j < x->n && j < k + FAR && !x->step[j].label; j++) {
		const struct step *t = &x->step[j];
		const unsigned next = x->p->info[t->slot] & INFO_OP;
		const bool direct = t->how == HOW_DIRECT || t->how == HOW_DIRECT_PAIR, branches = t->how == HOW_DIRECT_BRANCH && t->seldom;
		const bool alone = t->how == HOW_STENCIL && (op_infos[next].kind == KIND_ALU || op_infos[next].kind == KIND_ALUA);
		/* shifts by registers are without flags, or they would be stencils */
		const bool blind = direct && (direct_recipes[next].what == DO_SHIFT_BY || direct_is_list(next));
		if (op_infos[next].kind == KIND_JMP || (op_infos[next].uses & (R_FLAGS | OWN_REGS) && !blind) || !(direct || branches || alone))
			return 0;
		if (fetch_may_leave(x, j - 1, j) && (!need || changed & need))
			return 0;
		if (direct && !blind && direct_flags_set(next) >= sets)
			return j;
		if (t->how == HOW_DIRECT_PAIR || ((branches || direct_recipes[next].what >= DO_LOAD) && (!need || changed & need)))
			return 0;
		if (computes_flags(x, j)) /* who leaves behind it must not put the older ones over them */
			need = 0;
		changed |= op_written(next, &x->p->slots[t->slot]);
	}
	return 0;
}

/* From the end: shifts by registers read C as well, so they are laid directly only where their flags are not seen. */
void flags_plan(struct piece *x)
{
	for (unsigned k = x->n; k-- > 0;) {
		struct step *t = &x->step[k];
		const unsigned how = t->how, op = x->p->info[t->slot] & INFO_OP;
		if ((how != HOW_DIRECT && how != HOW_DIRECT_PAIR) || !direct_flags_set(op))
			continue;
		t->flags_until = (u16)set_again(x, k);
		if (direct_recipes[op].what == DO_SHIFT_BY && !t->flags_until) {
			t->how = HOW_STENCIL;
			t->stencil = stencil_of[V_plain][op];
		}
	}
}
