/* SPDX-License-Identifier: Apache-2.0 */
/* Moves between floating-point, vector and core registers, and of the system registers. */
#ifndef CPU_EXEC_FP_MOVE_H
#define CPU_EXEC_FP_MOVE_H

#include "cpu/exec/fp_regs.h"
#include "cpu/sysop.h"

FP_OP(vmov_s) { SA = SC; }
FP_OP(vmov_d) { DA = DC; }
FP_OP(vmov_s_imm) { SA = s->imm; }
FP_OP(vmov_d_imm) { DA = (u64)s->imm << 32; } /* the low word of every such constant is 0 */
FP_OP(vins) { SA = (SA & 0xffff) | SC << 16; }
FP_OP(vmovx) { SA = SC >> 16; }

/* Core registers: a; two: a and b. S register: c (and c + 1). */
FP_OP(vmov_r_h) { RA = HC; }
FP_OP(vmov_h_r) { SC = RA & 0xffff; }
FP_OP(vmov_r_s) { RA = SC; }
FP_OP(vmov_s_r) { SC = RA; }
FP_OP(vmov_rr_ss)
{
	u32 first = SC, second = *fp_s(c, s->c + 1u);
	RA = first;
	RB = second;
}
FP_OP(vmov_ss_rr)
{
	SC = RA;
	*fp_s(c, s->c + 1u) = RB;
}

/* Lanes: c = index of the byte, halfword or word counted from S0. */
FP_OP(vmov_r_lane8s) { RA = (u32)(i32)((const i8 *)c->fp.q)[s->c]; }
FP_OP(vmov_r_lane8u) { RA = ((const u8 *)c->fp.q)[s->c]; }
FP_OP(vmov_r_lane16s) { RA = (u32)(i32)((const i16 *)c->fp.q)[s->c]; }
FP_OP(vmov_r_lane16u) { RA = ((const u16 *)c->fp.q)[s->c]; }
FP_OP(vmov_lane8) { ((u8 *)c->fp.q)[s->c] = (u8)RA; }
FP_OP(vmov_lane16) { ((u16 *)c->fp.q)[s->c] = (u16)RA; }

/* Two lanes n and n + 2 of a Q register: c = S register of the first. */
FP_OP(vmov_rr_lanes)
{
	RA = SC;
	RB = *fp_s(c, s->c + 2u);
}
FP_OP(vmov_lanes_rr)
{
	SC = RA;
	*fp_s(c, s->c + 2u) = RB;
}

FP_OP(vmrs_apsr) { *f = flags_from_apsr(c->fp.fpscr); }
FP_OP(vmrs_fpscr) { RA = fp_get_fpscr(c); }
FP_OP(vmsr_fpscr) { fp_set_fpscr(c, RA); }

/* FPSCR_nzcvqc: flags and QC only. */
#define FPSCR_NZCVQC 0xf8000000u
FP_OP(vmrs_nzcvqc) { RA = c->fp.fpscr & FPSCR_NZCVQC; }
FP_OP(vmsr_nzcvqc) { c->fp.fpscr = (c->fp.fpscr & ~FPSCR_NZCVQC) | (RA & FPSCR_NZCVQC); }

FP_OP(vmrs_p0) { RA = c->fp.vpr & 0xffff; }
FP_OP(vmsr_p0) { c->fp.vpr = (c->fp.vpr & 0xff0000) | (RA & 0xffff); }
/* VPR as a whole is for privileged code; to others these are NOPs. */
FPMEM_OP(vmrs_vpr)
{
	if (path == FAST)
		return false;
	if (cpu_privileged(c))
		RA = c->fp.vpr;
	return true;
}
FPMEM_OP(vmsr_vpr)
{
	if (path == FAST)
		return false;
	if (cpu_privileged(c))
		c->fp.vpr = RA & 0xffffff;
	return true;
}

#endif
