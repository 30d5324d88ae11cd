/* SPDX-License-Identifier: Apache-2.0 */
/* System instructions: all outside the fast path, through cpu/sysop.h. */
#ifndef CPU_EXEC_SYSTEM_H
#define CPU_EXEC_SYSTEM_H

#include "cpu/exec/body.h"

ALU_OP(nop) { }
SYS_OP(udf) { return sysop_udf(c); }
SYS_OP(svc) { return sysop_svc(c, s->imm); }
SYS_OP(bkpt) { return sysop_bkpt(c, s->imm); }
SYS_OP(wfi) { return sysop_wfi(c); }
SYS_OP(wfe) { return sysop_wfe(c); }
SYS_OP(sev) { return sysop_sev(c); }
SYS_OP(sg) { return sysop_sg(c); }
SYS_OP(mrs) { return sysop_mrs(c, s->a, s->imm); }
SYS_OP(msr) { return sysop_msr(c, s->a, s->c, s->imm); }
/* d: 1 = disable; imm bit 1 = PRIMASK, bit 0 = FAULTMASK. */
SYS_OP(cps) { return sysop_cps(c, s->d, s->imm & 2, s->imm & 1); }
SYS_OP(bxns) { return sysop_bxns(c, s->a); }
SYS_OP(blxns) { return sysop_blxns(c, s->a); }
/* imm bit 1 = A, bit 0 = T. */
SYS_OP(tt) { return sysop_tt(c, s->a, s->b, s->imm & 2, s->imm & 1); }
/* PACBTI-M: without pointer authentication these do nothing, in the fast path. */
/* Disabled, the result is what the register holds. */
BODY bool sign(const struct slot *s, struct cpu *c, const enum path path)
{
	if (path == SLOW)
		return sysop_pac(c, s->a, s->b, s->c);
	if (c->pac)
		return false;
	RA = OLD_A;
	return true;
}
MEM_OP(pac) { return sign(s, c, path); }
MEM_OP(pac_bti)
{
	if (path != SLOW && c->pac)
		return false;
	c->core.btype = false;
	return sign(s, c, path);
}
MEM_OP(aut) { return path != SLOW ? !c->pac : sysop_aut(c, s->a, s->b, s->c); }
JMP_OP(bxaut)
{
	if (path != SLOW ? c->pac : !sysop_aut(c, s->a, s->b, s->c))
		return false;
	*target = RB;
	return (path == SLOW || jump_plain(*target)) && (s->b == 14 || branches_indirectly(c, path));
}
ALU_OP(bti) { c->core.btype = false; }
/* Barriers take part in self-modifying code: the run loop drops what was decoded from changed
 * memory anyway, so they are order only. */
ALU_OP(barrier) { }
ALU_OP(clrm)
{
	for (u32 m = s->imm & 0x5fff; m; m &= m - 1)
		c->core.r[__builtin_ctz(m)] = 0;
	if (s->imm & 0x8000) { /* APSR */
		*f = flags_from_apsr(0);
		c->core.apsr &= ~0x080f0000u;
	}
}
/* Coprocessor space: imm = coprocessor. 8, 9, 10, 11, 14 and 15 belong to FP and MVE, so that
 * what has no row is undefined once the FP check has passed; the others do not exist. */
SYS_OP(coprocessor)
{
	if (0xcf00u >> s->imm & 1)
		return sysop_undefined_fp(c);
	fault_raise(c, FAULT_NOCP, 0);
	return false;
}

#endif
