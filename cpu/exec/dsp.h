/* SPDX-License-Identifier: Apache-2.0 */
/* DSP extension: saturation, parallel arithmetic on halfwords and bytes, halfword multiplies. */
#ifndef CPU_EXEC_DSP_H
#define CPU_EXEC_DSP_H

#include "cpu/exec/body.h"
#include "cpu/exec/shift.h"

#define APSR_Q (1u << 27)

BODY u32 saturated(struct cpu *c, i64 x, i64 low, i64 high)
{
	if (x >= low && x <= high)
		return (u32)x;
	c->core.apsr |= APSR_Q;
	return (u32)(x < low ? low : high);
}
BODY u32 saturated32(struct cpu *c, i64 x) { return saturated(c, x, INT32_MIN, INT32_MAX); }

/* d = bits - 1 (signed) or bits (unsigned), imm = shift amount. */
BODY u32 saturate_signed(struct cpu *c, i32 x, unsigned bits)
{
	return saturated(c, x, -((i64)1 << (bits - 1)), ((i64)1 << (bits - 1)) - 1);
}
BODY u32 saturate_unsigned(struct cpu *c, i32 x, unsigned bits)
{
	return saturated(c, x, 0, ((i64)1 << bits) - 1);
}
ALU_OP(ssat_lsl) { RA = saturate_signed(c, (i32)(RC << s->imm), s->d); }
ALU_OP(ssat_asr) { RA = saturate_signed(c, (i32)((i64)(i32)RC >> s->imm), s->d); }
ALU_OP(usat_lsl) { RA = saturate_unsigned(c, (i32)(RC << s->imm), s->d); }
ALU_OP(usat_asr) { RA = saturate_unsigned(c, (i32)((i64)(i32)RC >> s->imm), s->d); }
ALU_OP(ssat16)
{
	u32 x = RC, low = saturate_signed(c, (i16)x, s->d) & 0xffff;
	RA = low | saturate_signed(c, (i32)x >> 16, s->d) << 16;
}
ALU_OP(usat16)
{
	u32 x = RC, low = saturate_unsigned(c, (i16)x, s->d);
	RA = low | saturate_unsigned(c, (i32)x >> 16, s->d) << 16;
}

/* QADD Rd, Rm, Rn: b = n, c = m. */
ALU_OP(qadd) { RA = saturated32(c, (i64)(i32)RC + (i32)RB); }
ALU_OP(qsub) { RA = saturated32(c, (i64)(i32)RC - (i32)RB); }
ALU_OP(qdadd) { RA = saturated32(c, (i64)(i32)RC + (i32)saturated32(c, 2 * (i64)(i32)RB)); }
ALU_OP(qdsub) { RA = saturated32(c, (i64)(i32)RC - (i32)saturated32(c, 2 * (i64)(i32)RB)); }

/* ---- parallel add and subtract -------------------------------------------------------------- */
/* Each lane: x and y widened, sub per lane; result mapped by `done`; GE per byte where kept. */
BODY i32 lane_signed(u32 word, unsigned bits, unsigned at) { return (i32)(word << (32 - bits - at)) >> (32 - bits); }
BODY i32 lane_unsigned(u32 word, unsigned bits, unsigned at) { return (i32)(word >> at & ((1u << bits) - 1)); }

enum parallel { PAR_S, PAR_Q, PAR_SH, PAR_U, PAR_UQ, PAR_UH };

BODY i32 clamp(i32 x, i32 low, i32 high) { return x < low ? low : x > high ? high : x; }

BODY u32 parallel(struct cpu *c, u32 x, u32 y, const enum parallel how, const unsigned bits,
		  const bool sub_low, const bool sub_high, const bool cross)
{
	u32 out = 0, ge = 0;

	for (unsigned at = 0; at < 32; at += bits) {
		unsigned other = cross ? 16 - at : at;
		bool sub = at ? sub_high : sub_low;
		bool is_signed = how <= PAR_SH;
		i32 p = is_signed ? lane_signed(x, bits, at) : lane_unsigned(x, bits, at);
		i32 q = is_signed ? lane_signed(y, bits, other) : lane_unsigned(y, bits, other);
		i32 r = sub ? p - q : p + q;
		bool keeps = is_signed || sub ? r >= 0 : r >> bits != 0;
		if (keeps)
			ge |= ((1u << bits / 8) - 1) << at / 8;
		if (how == PAR_Q)
			r = clamp(r, -(1 << (bits - 1)), (1 << (bits - 1)) - 1);
		else if (how == PAR_UQ)
			r = clamp(r, 0, (1 << bits) - 1);
		else if (how == PAR_SH || how == PAR_UH)
			r >>= 1;
		out |= ((u32)r & ((bits == 8 ? 0xffu : 0xffffu))) << at;
	}
	if (how == PAR_S || how == PAR_U)
		c->core.apsr = (c->core.apsr & ~0x000f0000u) | ge << 16;
	return out;
}

#define PARALLEL(prefix, how) \
	ALU_OP(prefix##add8) { RA = parallel(c, RB, RC, how, 8, false, false, false); } \
	ALU_OP(prefix##sub8) { RA = parallel(c, RB, RC, how, 8, true, true, false); } \
	ALU_OP(prefix##add16) { RA = parallel(c, RB, RC, how, 16, false, false, false); } \
	ALU_OP(prefix##sub16) { RA = parallel(c, RB, RC, how, 16, true, true, false); } \
	ALU_OP(prefix##asx) { RA = parallel(c, RB, RC, how, 16, true, false, true); } \
	ALU_OP(prefix##sax) { RA = parallel(c, RB, RC, how, 16, false, true, true); }
PARALLEL(s, PAR_S)
PARALLEL(q, PAR_Q)
PARALLEL(sh, PAR_SH)
PARALLEL(u, PAR_U)
PARALLEL(uq, PAR_UQ)
PARALLEL(uh, PAR_UH)

ALU_OP(sel)
{
	u32 mask = (c->core.apsr >> 16 & 15) * 0x00204081 & 0x01010101;
	mask *= 0xff;
	RA = (RB & mask) | (RC & ~mask);
}

ALU_OP(pkhbt) { RA = (RB & 0xffff) | (RC << s->imm & 0xffff0000); }
ALU_OP(pkhtb) { RA = (RB & 0xffff0000) | ((u32)((i64)(i32)RC >> s->imm) & 0xffff); }
/* Two halfwords from bytes; b = 15 in the table's plain form: no addend. */
BODY u32 extend16(u32 x, bool is_signed)
{
	return is_signed ? ((u32)(i8)x & 0xffff) | (u32)(i8)(x >> 16) << 16 : x & 0x00ff00ff;
}
BODY u32 add16(u32 x, u32 y) { return ((x + y) & 0xffff) | ((x & 0xffff0000) + (y & 0xffff0000)); }
ALU_OP(sxtb16) { RA = extend16(ror32(RC, s->imm), true); }
ALU_OP(uxtb16) { RA = extend16(ror32(RC, s->imm), false); }
ALU_OP(sxtab16) { RA = add16(RB, extend16(ror32(RC, s->imm), true)); }
ALU_OP(uxtab16) { RA = add16(RB, extend16(ror32(RC, s->imm), false)); }

ALU_OP(usad8)
{
	u32 sum = 0;
	for (unsigned at = 0; at < 32; at += 8) {
		i32 d = lane_unsigned(RB, 8, at) - lane_unsigned(RC, 8, at);
		sum += (u32)(d < 0 ? -d : d);
	}
	RA = sum;
}
ALU_OP(usada8)
{
	u32 sum = RD;
	for (unsigned at = 0; at < 32; at += 8) {
		i32 d = lane_unsigned(RB, 8, at) - lane_unsigned(RC, 8, at);
		sum += (u32)(d < 0 ? -d : d);
	}
	RA = sum;
}

/* ---- halfword multiplies: imm bit 0 = top half of m (or exchange), bit 1 = top half of n ------ */
BODY i32 half(u32 x, bool top) { return (i16)(top ? x >> 16 : x); }
BODY u32 add_q(struct cpu *c, i64 sum)
{
	if (sum != (i32)sum)
		c->core.apsr |= APSR_Q;
	return (u32)sum;
}
BODY i32 product16(struct cpu *c, const struct slot *s) { return half(RB, s->imm & 2) * half(RC, s->imm & 1); }
ALU_OP(smul16) { RA = (u32)product16(c, s); }
ALU_OP(smla16) { RA = add_q(c, (i64)(i32)RD + product16(c, s)); }
ALU_OP(smulw) { RA = (u32)((i64)(i32)RB * half(RC, s->imm & 1) >> 16); }
ALU_OP(smlaw) { RA = add_q(c, (i64)(i32)RD + ((i64)(i32)RB * half(RC, s->imm & 1) >> 16)); }
ALU_OP(smlal16)
{
	u64 r = ((u64)RD << 32 | OLD_A) + (u64)(i64)product16(c, s);
	RA = (u32)r;
	NEW_D = (u32)(r >> 32);
}
/* Dual: low product and high product, the second operand exchanged by imm bit 0. */
BODY i64 dual(struct cpu *c, const struct slot *s, const bool sub)
{
	i64 low = (i64)half(RB, false) * half(RC, s->imm & 1);
	i64 high = (i64)half(RB, true) * half(RC, !(s->imm & 1));
	return sub ? low - high : low + high;
}
ALU_OP(smuad) { RA = add_q(c, dual(c, s, false)); }
ALU_OP(smusd) { RA = (u32)dual(c, s, true); }
ALU_OP(smlad) { RA = add_q(c, (i64)(i32)RD + dual(c, s, false)); }
ALU_OP(smlsd) { RA = add_q(c, (i64)(i32)RD + dual(c, s, true)); }
#define DUAL_LONG(name, sub) \
	ALU_OP(name) \
	{ \
		u64 r = ((u64)RD << 32 | OLD_A) + (u64)dual(c, s, sub); \
		RA = (u32)r; \
		NEW_D = (u32)(r >> 32); \
	}
DUAL_LONG(smlald, false)
DUAL_LONG(smlsld, true)
/* Most significant word; imm = rounding constant. */
ALU_OP(smmul) { RA = (u32)(((u64)((i64)(i32)RB * (i32)RC) + s->imm) >> 32); }
ALU_OP(smmla) { RA = (u32)((((u64)RD << 32) + (u64)((i64)(i32)RB * (i32)RC) + s->imm) >> 32); }
ALU_OP(smmls) { RA = (u32)((((u64)RD << 32) - (u64)((i64)(i32)RB * (i32)RC) + s->imm) >> 32); }

#endif
