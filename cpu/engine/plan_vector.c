/* SPDX-License-Identifier: Apache-2.0 */
/* Which checks stand in front of vector instructions.
 *
 * A stencil of a vector instruction works on all lanes. What says that it may is checked once, and then known until
 * something may change it: FP access, the number of lanes left in LR, VPR. In a VPT block that begins in the piece, VPR
 * is compared with what it is when the predicate is true everywhere, and then set to what it is behind the
 * instruction. Nothing is taken on trust: who enters a slot from elsewhere passes all checks, or runs handlers until
 * the next vector instruction; what the checks refuse runs as handler and comes back by the next slot. */
#include "cpu/engine/plan.h"

#include "cpu/engine/engine.h"

/* Instructions that write VPR: in a VPT block they stay handlers. */
static bool writes_vpr(unsigned op)
{
	return op_infos[op].uses & STARTS_VPT || op == OP_vpnot || op == OP_vctp;
}

u32 vector_vpr(unsigned mask) { return 0xffff | mask * 0x110000; }

u32 vector_vpr_after(unsigned mask)
{
	return (mask > 8 ? 0 : 0xffff) | (mask << 1 & 15) * 0x110000;
}

bool vector_choose(const struct vectors *v, struct step *t, unsigned op)
{
	if (v->mask && (writes_vpr(op) || op_infos[op].uses & INTERLEAVES))
		return false;
	t->how = HOW_VECTOR;
	t->mask = v->mask;
	t->all_checks = !v->open;
	t->vpr_check = v->mask && !v->all;
	return true;
}

/* Behind a vector instruction with operand d, however it is executed. */
static void step_block(struct vectors *v, unsigned op, unsigned d)
{
	if (op_infos[op].uses & STARTS_VPT && d) {
		v->mask = d & 15;
		v->all = false;
	} else if (v->mask && !(op_infos[op].uses & INTERLEAVES)) {
		v->all = v->mask <= 8; /* else the predicate is inverted: true nowhere */
		v->mask = (u8)(v->mask << 1 & 15);
	}
}

/* True for what changes neither VPR nor LTPSIZE nor FP access. */
static bool is_harmless(const struct step *t, unsigned op)
{
	unsigned kind = op_infos[op].kind;

	switch (t->how) {
	case HOW_HANDLER: case HOW_IF: /* the next slot is entered from elsewhere */
		return false;
	default:
		break;
	}
	if (kind == KIND_FP || kind == KIND_FPMEM)
		return op_infos[op].class != C_FPMOVE && op != OP_vldr_sys && op != OP_vstr_sys;
	return kind == KIND_ALU || kind == KIND_ALUA || kind == KIND_MEM || kind == KIND_BR || kind == KIND_SKIP;
}

void vector_after(struct vectors *v, const struct step *t, unsigned op, const struct slot *s, bool writes_lr)
{
	if (op >= OP_MVE_FIRST)
		step_block(v, op, s->d);
	if (t->how == HOW_VECTOR)
		v->open = true;
	else if (!is_harmless(t, op))
		v->open = v->all = false;
	if (writes_lr)
		v->open = v->all = false;
}

void vector_rely(struct step *step, unsigned n)
{
	bool relies = false;

	for (unsigned k = n; k-- > 0;) {
		if (step[k].how == HOW_VECTOR)
			relies = !step[k].all_checks;
		else
			step[k].only_in_order = relies;
	}
}
