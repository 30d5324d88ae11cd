/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of MVE instructions. Fields d, n, m: Q registers (or core registers where the row says so),
 * t: top half, k: VPT mask, a: accumulate. */
#ifndef CPU_INSN_FORM_MVE_H
#define CPU_INSN_FORM_MVE_H

#include "cpu/insn/form_fp.h"

FORM(v_q3) { s->a = (u8)F('d'); s->b = (u8)F('n'); s->c = (u8)F('m'); s->d = (u8)F('t'); }
/* Shifts: imm as encoded, or element size - imm. */
FORM(v_left) { form_v_q3(s, f, at); s->imm = F('i'); }
FORM(v_right8) { form_v_q3(s, f, at); s->imm = 8 - F('i'); }
FORM(v_right16) { form_v_q3(s, f, at); s->imm = 16 - F('i'); }
FORM(v_right32) { form_v_q3(s, f, at); s->imm = 32 - F('i'); }
FORM(v_by8) { form_v_q3(s, f, at); s->imm = 8; }
FORM(v_by16) { form_v_q3(s, f, at); s->imm = 16; }
FORM(v_shlc) { s->a = (u8)F('d'); s->c = (u8)F('m'); s->imm = F('i') ? F('i') : 32; }
FORM(v_dup) { s->a = (u8)F('d'); s->c = (u8)F('t'); }
FORM(v_index)
{
	s->a = (u8)F('d');
	s->b = (u8)(F('n') * 2);
	s->c = (u8)(F('m') * 2 + 1);
	s->imm = 1u << F('i');
}
/* Constants: AdvSIMDExpandImm of cmode k and i, for one word. */
static inline u32 v_constant(const struct fields *f)
{
	u32 k = F('k'), i = F('i');
	if (k < 8)
		return i << k / 2 * 8;
	if (k < 12)
		return (i << (k & 2) * 4) * 0x10001;
	return k == 12 ? i << 8 | 0xff : k == 13 ? i << 16 | 0xffff : i * 0x01010101;
}
FORM(v_const) { s->a = (u8)F('d'); s->imm = v_constant(f); }
FORM(v_const_not) { s->a = (u8)F('d'); s->imm = ~v_constant(f); }
FORM(v_const_f32) { s->a = (u8)F('d'); s->imm = fp32_expand(F('i')); }
FORM(v_const_bytes) { s->a = (u8)F('d'); s->imm = F('i'); }
/* To core registers: a even register l, d odd register h. */
FORM(v_acc) { s->a = (u8)(F('l') * 2); s->b = (u8)F('n'); s->c = (u8)F('m'); s->imm = F('a'); }
FORM(v_acc_long) { form_v_acc(s, f, at); s->d = (u8)(F('h') * 2 + 1); }
FORM(v_to_r) { s->a = (u8)F('r'); s->b = (u8)F('n'); s->c = (u8)F('m'); }
/* Floating point: d = signed or exact, b = rounding, imm = fraction bits, rotation, condition. */
static inline void v_convert(struct slot *s, const struct fields *f, u8 mode)
{
	s->a = (u8)F('d');
	s->b = mode;
	s->c = (u8)F('m');
}
FORM(v_cvt) { v_convert(s, f, ROUND_ZERO); }
FORM(v_cvt_s) { v_convert(s, f, ROUND_ZERO); s->d = 1; }
/* Mode of field r: A N P M. */
FORM(v_cvt_rm) { v_convert(s, f, fp_rm(F('r'))); }
FORM(v_cvt_rm_s) { v_convert(s, f, fp_rm(F('r'))); s->d = 1; }
FORM(v_rint_n) { v_convert(s, f, ROUND_NEAREST); }
FORM(v_rint_x) { v_convert(s, f, ROUND_NEAREST); s->d = 1; }
FORM(v_rint_a) { v_convert(s, f, ROUND_AWAY); }
FORM(v_rint_z) { v_convert(s, f, ROUND_ZERO); }
FORM(v_rint_m) { v_convert(s, f, ROUND_MINUS); }
FORM(v_rint_p) { v_convert(s, f, ROUND_PLUS); }
FORM(v_fixed16) { v_convert(s, f, ROUND_ZERO); s->imm = 16 - F('i'); }
FORM(v_fixed32) { v_convert(s, f, ROUND_ZERO); s->imm = 32 - F('i'); }
FORM(v_fixed16s) { form_v_fixed16(s, f, at); s->d = 1; }
FORM(v_fixed32s) { form_v_fixed32(s, f, at); s->d = 1; }
FORM(v_rotate) { form_v_q3(s, f, at); s->imm = F('r'); }
FORM(v_rotate_odd) { form_v_q3(s, f, at); s->imm = F('r') * 2 + 1; }
/* Condition: EQ NE by field z; GE LT GT LE by fields y and z. */
FORM(v_equal)
{
	s->b = (u8)F('n');
	s->c = (u8)F('m');
	s->d = (u8)F('k');
	s->imm = F('z');
}
FORM(v_order) { form_v_equal(s, f, at); s->imm = 2 + F('y') * 2 + F('z'); }
/* Compares and predicates. */
FORM(v_cmp) { s->b = (u8)F('n'); s->c = (u8)F('m'); s->d = (u8)F('k'); }
FORM(v_ctp) { s->b = (u8)F('n'); s->imm = F('z'); }
/* Loads and stores: element size in memory, then offset, pre-indexed, post-indexed. */
static inline void v_memory(struct slot *s, const struct fields *f, u32 size, bool before, bool write_back)
{
	u32 elements = F('u') ? F('i') : -F('i');
	s->a = (u8)F('d');
	s->b = (u8)F('n');
	s->imm = before ? elements * size : 0;
	s->d = (u8)(write_back ? elements : 0);
}
FORM(v_off1) { v_memory(s, f, 1, true, false); }
FORM(v_off2) { v_memory(s, f, 2, true, false); }
FORM(v_off4) { v_memory(s, f, 4, true, false); }
FORM(v_pre1) { v_memory(s, f, 1, true, true); }
FORM(v_pre2) { v_memory(s, f, 2, true, true); }
FORM(v_pre4) { v_memory(s, f, 4, true, true); }
FORM(v_post1) { v_memory(s, f, 1, false, true); }
FORM(v_post2) { v_memory(s, f, 2, false, true); }
FORM(v_post4) { v_memory(s, f, 4, false, true); }
/* Gather: o = scaled by the element in memory. */
FORM(v_gather1) { form_v_q3(s, f, at); }
FORM(v_gather2) { form_v_q3(s, f, at); s->imm = F('o'); }
FORM(v_gather4) { form_v_q3(s, f, at); s->imm = F('o') * 2; }
FORM(v_gather8) { form_v_q3(s, f, at); s->imm = F('o') * 3; }
FORM(v_addresses4) { s->a = (u8)F('d'); s->c = (u8)F('m'); s->imm = fp_offset(f, 4); s->d = (u8)F('w'); }
FORM(v_addresses8) { s->a = (u8)F('d'); s->c = (u8)F('m'); s->imm = fp_offset(f, 8); s->d = (u8)F('w'); }
FORM(v_interleave) { s->a = (u8)F('d'); s->b = (u8)F('n'); s->c = (u8)F('w'); s->d = (u8)F('p'); }
FORM(v_lanes)
{
	s->a = (u8)F('t');
	s->b = (u8)F('v');
	s->c = (u8)(F('d') * 4 + F('i'));
	s->d = (u8)(SLOT_LANE_MOVE | F('i'));
}

#endif
