/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of scalar floating-point instructions. */
#ifndef CPU_INSN_FORM_FP_H
#define CPU_INSN_FORM_FP_H

#include "cpu/exec/fp_round.h"
#include "cpu/fp/fp.h"
#include "cpu/insn/form_int.h"

FORM(fp_s3) { s->a = insn_sreg(F('d')); s->b = (u8)F('n'); s->c = insn_sreg(F('m')); s->d = (u8)F('z'); }
FORM(fp_d3) { s->a = (u8)F('d'); s->b = (u8)F('n'); s->c = (u8)F('m'); s->d = (u8)F('z'); }
/* Two operands; d: the field e, g or t of the row, at most one of which is there. */
static inline void fp_two(struct slot *s, u32 a, u32 c, const struct fields *f)
{
	s->a = (u8)a;
	s->b = FP_ROUND_CURRENT;
	s->c = (u8)c;
	s->d = (u8)(F('e') | F('g') | F('t'));
}
FORM(fp_ss) { fp_two(s, insn_sreg(F('d')), insn_sreg(F('m')), f); }
FORM(fp_dd) { fp_two(s, F('d'), F('m'), f); }
FORM(fp_sd) { fp_two(s, insn_sreg(F('d')), F('m'), f); }
FORM(fp_ds) { fp_two(s, F('d'), insn_sreg(F('m')), f); }
/* The same, always towards zero; with inexact. */
FORM(fp_ss_z) { form_fp_ss(s, f, at); s->b = ROUND_ZERO; }
FORM(fp_sd_z) { form_fp_sd(s, f, at); s->b = ROUND_ZERO; }
FORM(fp_dd_z) { form_fp_dd(s, f, at); s->b = ROUND_ZERO; }
FORM(fp_ss_x) { form_fp_ss(s, f, at); s->d = 1; }
FORM(fp_dd_x) { form_fp_dd(s, f, at); s->d = 1; }
/* Rounding mode in field r: A N P M. */
static inline u8 fp_rm(u32 r)
{
	static const u8 mode[4] = { ROUND_AWAY, ROUND_NEAREST, ROUND_PLUS, ROUND_MINUS };
	return mode[r & 3];
}
FORM(fp_ss_rm) { form_fp_ss(s, f, at); s->b = fp_rm(F('r')); }
FORM(fp_sd_rm) { form_fp_sd(s, f, at); s->b = fp_rm(F('r')); }
FORM(fp_dd_rm) { form_fp_dd(s, f, at); s->b = fp_rm(F('r')); }
/* Fixed point: fraction bits = size - i, z: 32-bit integers. A fraction below zero is UNPREDICTABLE
 * and taken as none. */
static inline void fp_fix(struct slot *s, u32 reg, const struct fields *f)
{
	u32 size = F('z') ? 32 : 16, i = F('i') << 1 | F('j');
	s->a = (u8)reg;
	s->b = (u8)(i > size ? 0 : size - i);
	s->c = (u8)F('z');
	s->d = (u8)F('u');
}
FORM(fp_fix_s) { fp_fix(s, insn_sreg(F('d')), f); }
FORM(fp_fix_d) { fp_fix(s, F('d'), f); }
FORM(fp_imm_h) { s->a = insn_sreg(F('d')); s->imm = fp16_expand(F('i')); }
FORM(fp_imm_s) { s->a = insn_sreg(F('d')); s->imm = fp32_expand(F('i')); }
FORM(fp_imm_d) { s->a = (u8)F('d'); s->imm = (u32)(fp64_expand(F('i')) >> 32); }
/* Moves: core registers t and v, S register n or m, D register m (as its first S), lane x of D n. */
FORM(fp_rs) { s->a = (u8)F('t'); s->c = (u8)F('n'); }
FORM(fp_rrs) { s->a = (u8)F('t'); s->b = (u8)F('v'); s->c = insn_sreg(F('m')); }
FORM(fp_rrd) { s->a = (u8)F('t'); s->b = (u8)F('v'); s->c = (u8)(F('m') * 2); }
#define LANE(index, shift) do { s->a = (u8)F('t'); s->c = (u8)(index); \
				s->d = (u8)(SLOT_LANE_MOVE | (s->c >> (shift) & 3)); } while (0)
FORM(fp_lane32) { LANE(F('n') * 2 + F('x'), 0); }
FORM(fp_lane16) { LANE(F('n') * 4 + F('x'), 1); }
FORM(fp_lane8) { LANE(F('n') * 8 + F('x'), 2); }
#undef LANE
FORM(fp_sysreg) { s->a = (u8)F('t'); s->d = (u8)F('s'); }
/* Loads and stores: a = first S register, b = base, imm = offset; literal: imm = address. */
static inline u32 fp_offset(const struct fields *f, u32 scale) { return F('u') ? F('i') * scale : -(F('i') * scale); }
FORM(fp_mem_h) { s->a = insn_sreg(F('d')); s->b = (u8)F('n'); s->imm = fp_offset(f, 2); }
FORM(fp_mem_s) { s->a = insn_sreg(F('d')); s->b = (u8)F('n'); s->imm = fp_offset(f, 4); }
FORM(fp_mem_d) { s->a = (u8)(F('d') * 2); s->b = (u8)F('n'); s->imm = fp_offset(f, 4); }
FORM(fp_lit_h) { form_fp_mem_h(s, f, at); s->imm += (at->pc + 4) & ~3u; }
FORM(fp_lit_s) { form_fp_mem_s(s, f, at); s->imm += (at->pc + 4) & ~3u; }
FORM(fp_lit_d) { form_fp_mem_d(s, f, at); s->imm += (at->pc + 4) & ~3u; }
/* Multiple: a = first S register, d = words (VSCCLRM: 0 where the list goes beyond S31), c = 1 write back,
 * 2 downwards (with write-back); imm = bytes that the base moves. */
static inline void fp_multiple(struct slot *s, u32 first, u32 words, u8 mode, const struct fields *f)
{
	s->a = (u8)first;
	s->b = (u8)F('n');
	s->c = mode;
	s->d = (u8)(first + words > 32 ? 0 : words);
	s->imm = F('i') * 4;
}
FORM(fp_mia_s) { fp_multiple(s, insn_sreg(F('d')), F('i'), (u8)F('w'), f); }
FORM(fp_mia_d) { fp_multiple(s, F('d') * 2, F('i') & ~1u, (u8)F('w'), f); }
FORM(fp_mdb_s) { fp_multiple(s, insn_sreg(F('d')), F('i'), 2, f); }
FORM(fp_mdb_d) { fp_multiple(s, F('d') * 2, F('i') & ~1u, 2, f); }
FORM(fp_pop_s) { fp_multiple(s, insn_sreg(F('d')), F('i'), 1, f); s->b = 13; }
FORM(fp_pop_d) { fp_multiple(s, F('d') * 2, F('i') * 2, 1, f); s->b = 13; s->imm *= 2; }
FORM(fp_push_s) { fp_multiple(s, insn_sreg(F('d')), F('i'), 2, f); s->b = 13; }
FORM(fp_push_d) { fp_multiple(s, F('d') * 2, F('i') * 2, 2, f); s->b = 13; s->imm *= 2; }
FORM(fp_clear_s) { fp_multiple(s, insn_sreg(F('d')), F('i'), 0, f); }
FORM(fp_clear_d) { fp_multiple(s, F('d') * 2, F('i') * 2, 0, f); }
/* System registers in memory: a = register, b = base, c = 0 offset, 1 write back, 2 post-indexed. */
static inline void fp_sysmem(struct slot *s, const struct fields *f, u8 mode)
{
	s->a = (u8)F('s');
	s->b = (u8)F('n');
	s->c = mode;
	s->imm = fp_offset(f, 4);
}
FORM(fp_sysmem) { fp_sysmem(s, f, 0); }
FORM(fp_sysmem_pre) { fp_sysmem(s, f, 1); }
FORM(fp_sysmem_post) { fp_sysmem(s, f, 2); }
FORM(fp_vlm) { s->a = (u8)F('n'); s->b = (u8)F('t'); }

#endif
