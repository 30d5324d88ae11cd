/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of floating-point registers and of their system registers. */
#ifndef CPU_EXEC_FP_MEMORY_H
#define CPU_EXEC_FP_MEMORY_H

#include "cpu/exec/fp_regs.h"
#include "cpu/sysop.h"

/* Words to or from memory, all or (fast) nothing; a fault on the way leaves the earlier ones done. */
BODY bool fp_load_words(struct cpu *c, const enum path path, u32 addr, u32 *to, unsigned words)
{
	if (path != SLOW) {
		if (!page_open(c, path, addr, words * 4, 4, PAGE_READ))
			return false;
		tell_access(c, path, addr, 4, words, NULL);
		memcpy(to, MEMORY(c, path) + addr, words * 4);
		return true;
	}
	for (unsigned i = 0; i < words; i++)
		if (!cpu_load(c, addr + i * 4, 4, ACC_ALIGNED, &to[i]))
			return false;
	return true;
}

BODY bool fp_store_words(struct cpu *c, const enum path path, u32 addr, const u32 *from, unsigned words)
{
	if (path != SLOW) {
		if (!page_open(c, path, addr, words * 4, 4, PAGE_WRITE))
			return false;
		tell_access(c, path, addr, 4, words, from);
		memcpy(MEMORY(c, path) + addr, from, words * 4);
		return true;
	}
	for (unsigned i = 0; i < words; i++)
		if (!cpu_store(c, addr + i * 4, 4, ACC_ALIGNED, from[i]))
			return false;
	return true;
}

#define FP_LOAD(suffix, base) \
	FPMEM_OP(vldr_h##suffix) \
	{ \
		u32 v; \
		if (!load(c, path, (base) + s->imm, 2, ACC_ALIGNED, &v)) \
			return false; \
		SA = v; \
		return true; \
	} \
	FPMEM_OP(vldr_s##suffix) { return fp_load_words(c, path, (base) + s->imm, &SA, 1); } \
	FPMEM_OP(vldr_d##suffix) \
	{ \
		u32 v[2]; \
		if (!fp_load_words(c, path, (base) + s->imm, v, 2)) \
			return false; \
		memcpy(&SA, v, 8); \
		return true; \
	}
FP_LOAD(, RB)
FP_LOAD(_lit, 0)

FPMEM_OP(vstr_h) { return store(c, path, RB + s->imm, 2, ACC_ALIGNED, SA & 0xffff); }
FPMEM_OP(vstr_s) { return fp_store_words(c, path, RB + s->imm, &SA, 1); }
FPMEM_OP(vstr_d) { return fp_store_words(c, path, RB + s->imm, &SA, 2); }

/* SP is limited as where core registers are loaded and stored: its lower end, old or new. */
BODY bool fp_base_fits(const struct slot *s, struct cpu *c, const enum path path, u32 end)
{
	u32 old = RB;
	return LIKELY(s->b != 13) || s->c == 0 || sp_fits(c, path, old < end ? old : end);
}

/* Multiples: the form has the operands. */
BODY u32 fp_multiple_start(const struct slot *s, const struct cpu *c)
{
	return c->core.r[s->b] - (s->c == 2 ? s->imm : 0);
}
BODY u32 fp_multiple_end(const struct slot *s, const struct cpu *c)
{
	return s->c == 0 ? c->core.r[s->b] : s->c == 1 ? c->core.r[s->b] + s->imm : c->core.r[s->b] - s->imm;
}

FPMEM_OP(vldm)
{
	if (!fp_base_fits(s, c, path, fp_multiple_end(s, c)) ||
	    !fp_load_words(c, path, fp_multiple_start(s, c), &SA, s->d))
		return false;
	RB = fp_multiple_end(s, c);
	return true;
}

FPMEM_OP(vstm)
{
	if (!fp_base_fits(s, c, path, fp_multiple_end(s, c)) ||
	    !fp_store_words(c, path, fp_multiple_start(s, c), &SA, s->d))
		return false;
	RB = fp_multiple_end(s, c);
	return true;
}

SYS_OP(vscclrm) { return sysop_vscclrm(c, s->a, s->d); }
SYS_OP(vlstm) { return sysop_vlstm(c, s->a, s->b); }
SYS_OP(vlldm) { return sysop_vlldm(c, s->a, s->b); }

/* System registers in memory. a: 1 FPSCR, 2 FPSCR_nzcvqc, 12 VPR, 13 P0. */
BODY u32 fp_sysreg_get(const struct cpu *c, unsigned reg)
{
	return reg == 1 ? fp_get_fpscr(c) : reg == 2 ? (c->fp.fpscr & FPSCR_NZCVQC) :
	       reg == 12 ? c->fp.vpr : c->fp.vpr & 0xffff;
}
BODY void fp_sysreg_set(struct cpu *c, unsigned reg, u32 v)
{
	if (reg == 1)
		fp_set_fpscr(c, v);
	else if (reg == 2)
		c->fp.fpscr = (c->fp.fpscr & ~FPSCR_NZCVQC) | (v & FPSCR_NZCVQC);
	else
		c->fp.vpr = reg == 12 ? v & 0xffffff : (c->fp.vpr & 0xff0000) | (v & 0xffff);
}
/* VPR as a whole is for privileged code; for others only the base register is written. */
BODY bool fp_sysreg_open(const struct slot *s, struct cpu *c, const enum path path)
{
	return s->a != 12 || (path == SLOW && cpu_privileged(c));
}
/* c: 0 offset, 1 with write-back, 2 post-indexed. */
FPMEM_OP(vldr_sys)
{
	u32 v, end = RB + s->imm;
	if (!fp_base_fits(s, c, path, end))
		return false;
	if (s->a == 12 && path != SLOW)
		return false;
	if (fp_sysreg_open(s, c, path)) {
		if (!load(c, path, s->c == 2 ? RB : end, 4, ACC_ALIGNED, &v))
			return false;
		fp_sysreg_set(c, s->a, v);
	}
	if (s->c)
		RB = end;
	return true;
}
FPMEM_OP(vstr_sys)
{
	u32 end = RB + s->imm;
	if (!fp_base_fits(s, c, path, end))
		return false;
	if (s->a == 12 && path != SLOW)
		return false;
	if (fp_sysreg_open(s, c, path) &&
	    !store(c, path, s->c == 2 ? RB : end, 4, ACC_ALIGNED, fp_sysreg_get(c, s->a)))
		return false;
	if (s->c)
		RB = end;
	return true;
}

/* FPCXT: a = core register, or as above; NS for register 14, S for 15. */
SYS_OP(vmrs_fpcxt)
{
	u32 v;
	if (!sysop_fpcxt_get(c, s->d == 14, &v))
		return false;
	RA = v;
	sysop_fpcxt_got(c, s->d == 14);
	return true;
}
SYS_OP(vmsr_fpcxt) { return sysop_fpcxt_set(c, s->d == 14, RA); }
SYS_OP(vldr_fpcxt)
{
	u32 v, end = RB + s->imm;
	if (!fp_base_fits(s, c, SLOW, end) ||
	    !sysop_fpcxt_open(c, s->a == 14) || !cpu_load(c, s->c == 2 ? RB : end, 4, ACC_ALIGNED, &v) ||
	    !sysop_fpcxt_set(c, s->a == 14, v))
		return false;
	if (s->c)
		RB = end;
	return true;
}
SYS_OP(vstr_fpcxt)
{
	u32 v, end = RB + s->imm;
	if (!fp_base_fits(s, c, SLOW, end) || !sysop_fpcxt_get(c, s->a == 14, &v) ||
	    !cpu_store(c, s->c == 2 ? RB : end, 4, ACC_ALIGNED, v))
		return false;
	sysop_fpcxt_got(c, s->a == 14);
	if (s->c)
		RB = end;
	return true;
}

#endif
