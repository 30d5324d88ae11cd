/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of integer instructions: which fields become which slot operands. Named after the
 * operands: d destination, n first and m second register, i immediate, t and u data registers. */
#ifndef CPU_INSN_FORM_INT_H
#define CPU_INSN_FORM_INT_H

#include "cpu/insn/insn.h"

#define FORM(name) static void form_##name(struct slot *s, const struct fields *f, const struct insn_at *at)
#define F(letter) (f->v[letter])
#define SET_A(letter) (s->a = (u8)F(letter))
#define SET_B(letter) (s->b = (u8)F(letter))
#define SET_C(letter) (s->c = (u8)F(letter))
#define SET_D(letter) (s->d = (u8)F(letter))

static inline u32 sign_extend(u32 x, unsigned bits)
{
	return (u32)((i32)(x << (32 - bits)) >> (32 - bits));
}
/* ThumbExpandImm of a 12-bit immediate. */
static inline u32 expand_imm(u32 i)
{
	u32 b = i & 0xff;
	switch (i >> 8) {
	case 0: return b;
	case 1: return b << 16 | b;
	case 2: return b << 24 | b << 8;
	case 3: return b << 24 | b << 16 | b << 8 | b;
	}
	u32 x = 0x80 | (i & 0x7f), by = i >> 7;
	return x >> by | x << (32 - by);
}
static inline u32 aligned_pc(const struct insn_at *at) { return (at->pc + 4) & ~3u; }

FORM(none) { }
FORM(pac) { s->a = 12; s->b = 14; s->c = 13; }
FORM(i) { s->imm = F('i'); }
FORM(d_i) { SET_A('d'); s->imm = F('i'); }
FORM(dn_i) { SET_A('d'); SET_B('n'); s->imm = F('i'); }
FORM(dn_neg) { SET_A('d'); SET_B('n'); s->imm = -F('i'); }
FORM(dd_i) { SET_A('d'); SET_B('d'); s->imm = F('i'); }
FORM(dd_neg) { SET_A('d'); SET_B('d'); s->imm = -F('i'); }
FORM(n_i) { SET_B('n'); s->imm = F('i'); }
FORM(dn) { SET_A('d'); SET_B('n'); }
FORM(dm) { SET_A('d'); SET_C('m'); }
FORM(nm) { SET_B('n'); SET_C('m'); }
FORM(dnm) { SET_A('d'); SET_B('n'); SET_C('m'); }
FORM(ddm) { SET_A('d'); SET_B('d'); SET_C('m'); }
/* T16 MUL: Rd = Rn * Rd. */
FORM(dmul) { SET_A('d'); SET_B('n'); SET_C('d'); }
FORM(dnma) { SET_A('d'); SET_B('n'); SET_C('m'); SET_D('a'); }
/* Constant shifts: an amount of 0 means 32 for LSR and ASR; the rows keep 0 away from the rest. */
FORM(dnm_i) { SET_A('d'); SET_B('n'); SET_C('m'); s->imm = F('i'); }
FORM(dnm_i32) { SET_A('d'); SET_B('n'); SET_C('m'); s->imm = F('i') ? F('i') : 32; }
FORM(dm_i) { SET_A('d'); SET_C('m'); s->imm = F('i'); }
FORM(dm_i32) { SET_A('d'); SET_C('m'); s->imm = F('i') ? F('i') : 32; }
FORM(dnm_r8) { SET_A('d'); SET_B('n'); SET_C('m'); s->imm = F('r') * 8; }
/* Modified immediates; d = carry out where the row's operation takes it. */
FORM(dn_mod) { SET_A('d'); SET_B('n'); s->imm = expand_imm(F('i')); s->d = s->imm >> 31; }
FORM(dn_modnot) { SET_A('d'); SET_B('n'); s->imm = expand_imm(F('i')); s->d = s->imm >> 31; s->imm = ~s->imm; }
FORM(dn_modneg) { SET_A('d'); SET_B('n'); s->imm = -expand_imm(F('i')); }
FORM(dn13_mod) { s->b = 13; s->imm = expand_imm(F('i')); }
FORM(dn13_modneg) { s->b = 13; s->imm = -expand_imm(F('i')); }
FORM(n13_i) { s->b = 13; s->imm = F('i'); }
FORM(n13_neg) { s->b = 13; s->imm = -F('i'); }
FORM(d_m13) { SET_A('d'); s->c = 13; }
FORM(sp_m_i) { s->b = 13; SET_C('m'); s->imm = F('i'); }
FORM(movw) { SET_A('d'); s->imm = F('n') << 12 | F('i'); }
/* PC-relative values; SP as destination stays word aligned. */
static inline u32 pc_for(u32 d, const struct insn_at *at) { return (at->pc + 4) & (d == 13 ? ~3u : ~0u); }
FORM(d_pc) { SET_A('d'); s->imm = pc_for(s->a, at); }
FORM(dd_pc) { SET_A('d'); SET_B('d'); s->imm = pc_for(s->a, at); }
FORM(pc4) { s->imm = at->pc + 4; }
FORM(m_pc) { SET_C('m'); s->imm = at->pc + 4; }
FORM(adr4) { SET_A('d'); s->imm = aligned_pc(at) + F('i') * 4; }
FORM(adr_add) { SET_A('d'); s->imm = aligned_pc(at) + F('i'); }
FORM(adr_sub) { SET_A('d'); s->imm = aligned_pc(at) - F('i'); }
FORM(d_sp_i4) { SET_A('d'); s->b = 13; s->imm = F('i') * 4; }
FORM(sp_i4) { s->b = 13; s->imm = F('i') * 4; }
FORM(sp_neg4) { s->b = 13; s->imm = -(F('i') * 4); }
FORM(sp_m) { s->b = 13; SET_C('m'); }
/* Bit fields: i = lsb, w = width - 1 or msb. */
FORM(ubfx) { SET_A('d'); SET_B('n'); SET_C('i'); s->imm = 0xffffffffu >> (31 - F('w')); }
FORM(sbfx) { SET_A('d'); SET_B('n'); s->c = (u8)(31 - F('i') - F('w')); s->d = (u8)(31 - F('w')); }
FORM(bfi) { SET_A('d'); SET_B('n'); SET_C('i'); s->imm = (0xffffffffu >> (31 - (F('w') - F('i')))) << F('i'); }
FORM(bfc) { SET_A('d'); SET_C('i'); s->imm = ~((0xffffffffu >> (31 - (F('w') - F('i')))) << F('i')); s->b = s->a; }
FORM(ssat) { SET_A('d'); SET_C('n'); s->imm = F('i'); s->d = (u8)(F('w') + 1); }
FORM(usat) { SET_A('d'); SET_C('n'); s->imm = F('i'); SET_D('w'); }
FORM(csel) { SET_A('d'); SET_B('n'); SET_C('m'); s->imm = F('c'); }
FORM(lhnm) { SET_A('l'); SET_D('h'); SET_B('n'); SET_C('m'); }
/* Halfword multiplies: x = top of n, y = top of m (or exchange). */
FORM(half) { SET_A('d'); SET_B('n'); SET_C('m'); SET_D('a'); s->imm = F('x') << 1 | F('y'); }
FORM(half_long) { SET_A('l'); SET_D('h'); SET_B('n'); SET_C('m'); s->imm = F('x') << 1 | F('y'); }
FORM(round) { SET_A('d'); SET_B('n'); SET_C('m'); SET_D('a'); s->imm = F('r') ? 0x80000000u : 0; }
/* Long shifts: l = low register / 2, h = high / 2; amount 0 means 32. */
FORM(long_i) { s->a = (u8)(F('l') * 2); s->d = (u8)(F('h') * 2 + 1); s->imm = F('i') ? F('i') : 32; }
FORM(long_m) { s->a = (u8)(F('l') * 2); s->d = (u8)(F('h') * 2 + 1); SET_C('m'); }

/* ---- loads and stores -------------------------------------------------------------------------- */
FORM(tn_i) { SET_A('t'); SET_B('n'); s->imm = F('i'); }
FORM(tn_i2) { SET_A('t'); SET_B('n'); s->imm = F('i') * 2; }
FORM(tn_i4) { SET_A('t'); SET_B('n'); s->imm = F('i') * 4; }
FORM(t_sp_i4) { SET_A('t'); s->b = 13; s->imm = F('i') * 4; }
FORM(tn_neg) { SET_A('t'); SET_B('n'); s->imm = -F('i'); }
FORM(tn_u) { SET_A('t'); SET_B('n'); s->imm = F('u') ? F('i') : -F('i'); } /* u: add */
FORM(tnm) { SET_A('t'); SET_B('n'); SET_C('m'); }
FORM(tnm_i) { SET_A('t'); SET_B('n'); SET_C('m'); s->imm = F('i'); }
FORM(lit4) { SET_A('t'); s->imm = aligned_pc(at) + F('i') * 4; }
FORM(lit_u) { SET_A('t'); s->imm = aligned_pc(at) + (F('u') ? F('i') : -F('i')); }
FORM(pair) { SET_A('t'); SET_C('s'); SET_B('n'); s->imm = F('u') ? F('i') * 4 : -(F('i') * 4); }
FORM(pair_lit) { SET_A('t'); SET_C('s'); s->imm = aligned_pc(at) + (F('u') ? F('i') * 4 : -(F('i') * 4)); }
FORM(tn) { SET_A('t'); SET_B('n'); }
FORM(tnd) { SET_A('t'); SET_B('n'); SET_C('d'); }
FORM(tnd_i4) { SET_A('t'); SET_B('n'); SET_C('d'); s->imm = F('i') * 4; }
static inline void list_form(struct slot *s, u32 base, u32 list)
{
	s->a = (u8)base;
	s->imm = list;
	s->d = (u8)(4 * __builtin_popcount(list));
}
FORM(list) { list_form(s, F('n'), F('l')); }
/* The lists of 32-bit encodings leave out bit 13 (and 15, which the row fixes). */
FORM(list_e) { list_form(s, F('n'), (F('l') & 0x1fff) | F('l') >> 13 << 14); }
FORM(list_pc) { list_form(s, F('n'), F('l') | 0x8000); }
FORM(list_push) { list_form(s, 13, F('l') | F('e') << 14); }
FORM(list_pop) { list_form(s, 13, F('l') | F('e') << 15); }
FORM(list_clear) { s->imm = (F('l') & 0x1fff) | F('l') >> 13 << 14; }

/* ---- branches: byte offset from pc + 4 in imm ---------------------------------------------------- */
FORM(a_m) { SET_A('m'); }
FORM(a_n) { SET_A('n'); }
FORM(b_i8) { s->imm = sign_extend(F('i'), 8) * 2; }
FORM(b_i11) { s->imm = sign_extend(F('i'), 11) * 2; }
FORM(b_cond) { s->imm = sign_extend(F('S') << 19 | F('K') << 18 | F('J') << 17 | F('i'), 20) * 2; }
static inline u32 long_offset(const struct fields *f)
{
	u32 i1 = !(F('J') ^ F('S')), i2 = !(F('K') ^ F('S'));
	return sign_extend(F('S') << 23 | i1 << 22 | i2 << 21 | F('i'), 24) * 2;
}
FORM(b_long) { s->imm = long_offset(f); }
FORM(bl) { s->imm = long_offset(f); s->abcd = (at->pc + 4) | 1; }
FORM(blx) { SET_A('m'); s->imm = (at->pc + 2) | 1; }
FORM(cb) { SET_A('n'); s->imm = F('i') * 2; }
FORM(loop_fwd) { SET_A('n'); s->imm = F('i') * 4 + F('j') * 2; }
FORM(loop_fwd_tp) { SET_A('n'); SET_C('z'); s->imm = F('i') * 4 + F('j') * 2; }
FORM(loop_back) { s->imm = -(F('i') * 4 + F('j') * 2); }
FORM(loop_tp) { SET_A('n'); SET_C('z'); }
FORM(table) { SET_B('n'); SET_C('m'); s->imm = at->pc + 4; }
/* IT: a = first condition, d = ITSTATE of the instruction after it. */
FORM(it) { s->a = (u8)F('c'); s->d = (u8)(F('c') << 4 | F('m')); }

/* ---- system -------------------------------------------------------------------------------------- */
FORM(mrs) { SET_A('d'); s->imm = F('s'); }
FORM(msr) { SET_A('n'); SET_C('m'); s->imm = F('s'); }
FORM(cps) { SET_D('d'); s->imm = F('i') << 1 | F('f'); }
FORM(tt) { SET_A('d'); SET_B('n'); s->imm = F('a') << 1 | F('t'); }
FORM(coprocessor_fp) { s->imm = 10; }
FORM(coprocessor) { s->imm = F('p'); }

#endif
