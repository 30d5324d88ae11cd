/* SPDX-License-Identifier: Apache-2.0 */
/* Branches and low-overhead loops. A direct branch's target is in imm, by the engine. */
#ifndef CPU_EXEC_BRANCH_H
#define CPU_EXEC_BRANCH_H

#include "cpu/exec/body.h"

GO_OP(b) { }
#define BRANCH_IF(name, cond) BR_OP(b_##name) { return flags_hold(f, cond); }
BRANCH_IF(eq, 0) BRANCH_IF(ne, 1) BRANCH_IF(cs, 2) BRANCH_IF(cc, 3) BRANCH_IF(mi, 4)
BRANCH_IF(pl, 5) BRANCH_IF(vs, 6) BRANCH_IF(vc, 7) BRANCH_IF(hi, 8) BRANCH_IF(ls, 9)
BRANCH_IF(ge, 10) BRANCH_IF(lt, 11) BRANCH_IF(gt, 12) BRANCH_IF(le, 13)
BR_OP(cbz) { return OLD_A == 0; }
BR_OP(cbnz) { return OLD_A != 0; }

/* Calls. abcd (bl) or imm (blx) = return address with bit 0 set. */
GO_OP(bl) { c->core.r[14] = SLOT_ABCD; }
JMP_OP(bx)
{
	*target = OLD_A;
	return (path == SLOW || jump_plain(*target)) && (s->a == 14 || branches_indirectly(c, path));
}
/* Even, so an INVSTATE UsageFault where it goes. imm = pc + 4. */
JMP_OP(bx_pc)
{
	*target = s->imm;
	return path == SLOW;
}
JMP_OP(blx)
{
	u32 to = OLD_A;
	/* A call cannot return from an exception or function: any even target takes the slow path,
	 * where it faults at its destination. */
	if ((path != SLOW && !jump_plain(to)) || !branches_indirectly(c, path))
		return false;
	c->core.r[14] = s->imm;
	*target = to;
	return true;
}
/* MOV pc, Rm and ADD pc, Rm (imm = pc + 4): bit 0 does not matter. */
JMP_OP(mov_pc)
{
	*target = RC | 1;
	return path == SLOW || jump_plain(*target);
}
JMP_OP(add_pc)
{
	*target = (s->imm + RC) | 1;
	return path == SLOW || jump_plain(*target);
}
/* Table branches: imm = pc + 4; b = table, c = index. */
BODY bool table_branch(const struct slot *s, struct cpu *c, const enum path path, u32 address,
		       const unsigned bytes, u32 *target)
{
	u32 distance;

	if (!load(c, path, address, bytes, ACC_NORMAL, &distance))
		return false;
	*target = (s->imm + 2 * distance) | 1;
	return path == SLOW || jump_plain(*target);
}
JMP_OP(tbb) { return table_branch(s, c, path, RB + RC, 1, target); }
JMP_OP(tbh) { return table_branch(s, c, path, RB + 2 * RC, 2, target); }
JMP_OP(tbb_pc) { return table_branch(s, c, path, s->imm + RC, 1, target); }
JMP_OP(tbh_pc) { return table_branch(s, c, path, s->imm + 2 * RC, 2, target); }

/* ---- low-overhead loops (Armv8.1-M): LR counts iterations, or elements with tail predication --- */
ALU_OP(dls) { c->core.r[14] = OLD_A; }
BR_OP(wls)
{
	u32 count = OLD_A;
	if (!count)
		return true;
	c->core.r[14] = count;
	return false;
}
/* LE inside a tail-predicated loop is an INVSTATE UsageFault; LTPSIZE counts only in an active FP context. */
BODY bool le_allowed(struct cpu *c, const enum path path)
{
	if (LIKELY(c->fp.ltpsize == 4))
		return true;
	if (path != SLOW)
		return false;
	if (cpu_fp_active(c)) {
		fault_raise(c, FAULT_INVSTATE, 0);
		return false;
	}
	return true;
}
BRM_OP(le)
{
	if (!le_allowed(c, path))
		return false;
	*taken = c->core.r[14] > 1;
	if (*taken)
		c->core.r[14]--;
	return true;
}
BRM_OP(le_always)
{
	*taken = true;
	return le_allowed(c, path);
}
BRM_OP(letp)
{
	if (!fp_prepared(c, path))
		return false;
	u32 lanes = 16u >> c->fp.ltpsize;
	*taken = c->core.r[14] > lanes;
	if (*taken)
		c->core.r[14] -= lanes;
	else
		c->fp.ltpsize = 4;
	return true;
}
/* c = LTPSIZE. */
FP_OP(dlstp)
{
	c->core.r[14] = OLD_A;
	c->fp.ltpsize = s->c;
}
BRM_OP(wlstp)
{
	if (!fp_prepared(c, path))
		return false;
	u32 count = OLD_A;
	*taken = count == 0;
	if (count) {
		c->core.r[14] = count;
		c->fp.ltpsize = s->c;
	}
	return true;
}
FP_OP(lctp) { c->fp.ltpsize = 4; }

#endif
