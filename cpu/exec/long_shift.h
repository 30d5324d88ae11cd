/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts of Armv8.1-M MVE on core registers: 64 bits in a (low) and d (high), or 32 bits in a;
 * amount in imm or in register c. DDI0553 ASRL, LSLL, SQRSHRL and so on. */
#ifndef CPU_EXEC_LONG_SHIFT_H
#define CPU_EXEC_LONG_SHIFT_H

#include "cpu/exec/dsp.h"

BODY u64 pair(const struct cpu *c, const struct slot *s) { return (u64)RD << 32 | OLD_A; }
BODY void pair_set(struct cpu *c, const struct slot *s, u64 x)
{
	RA = (u32)x;
	NEW_D = (u32)(x >> 32);
}

/* Positive amounts shift left, negative ones right: -128..127. */
BODY u64 lsl64(u64 x, i32 by)
{
	if (by >= 64 || by <= -64)
		return 0;
	return by >= 0 ? x << by : x >> -by;
}
BODY u64 asr64(u64 x, i32 by) /* by to the right */
{
	if (by >= 64)
		return (i64)x < 0 ? UINT64_MAX : 0;
	if (by >= 0)
		return (u64)((i64)x >> by);
	return by <= -64 ? 0 : x << -by;
}
ALU_OP(lsll_ri) { pair_set(c, s, lsl64(pair(c, s), (i32)s->imm)); }
ALU_OP(lsrl_ri) { pair_set(c, s, lsl64(pair(c, s), -(i32)s->imm)); }
ALU_OP(asrl_ri) { pair_set(c, s, asr64(pair(c, s), (i32)s->imm)); }
ALU_OP(lsll_rr) { pair_set(c, s, lsl64(pair(c, s), (i8)RC)); }
ALU_OP(asrl_rr) { pair_set(c, s, asr64(pair(c, s), (i8)RC)); }

/* Saturating shift of a `bits`-bit value (32, 48 or 64), by to the left when positive; a right
 * shift rounds when told. Q is set when it saturates. 128-bit arithmetic keeps it plain. */
BODY u64 shift_saturate(struct cpu *c, __int128 x, i32 by, const unsigned bits, const bool is_signed,
			const bool round)
{
	__int128 high = ((__int128)1 << (is_signed ? bits - 1 : bits)) - 1;
	__int128 low = is_signed ? -high - 1 : 0, r;

	if (by >= 0) {
		i32 n = by > 63 ? 63 : by;
		r = x < 0 ? -(-x << n) : x << n;
		if (by > 63 && x) /* certainly out of range, but for a single bit in 64 */
			r = x < 0 ? low - 1 : high + 1;
	} else {
		i32 n = -by > 65 ? 65 : -by;
		r = (x + (round ? (__int128)1 << (n - 1) : 0)) >> n;
	}
	if (r > high || r < low) {
		c->core.apsr |= APSR_Q;
		r = r > high ? high : low;
	}
	return (u64)r;
}

/* The 48-bit forms saturate to 48 bits and sign- or zero-extend. */
#define PAIR_S ((__int128)(i64)pair(c, s))
#define PAIR_U ((__int128)pair(c, s))
ALU_OP(uqshll_ri) { pair_set(c, s, shift_saturate(c, PAIR_U, (i32)s->imm, 64, false, false)); }
ALU_OP(sqshll_ri) { pair_set(c, s, shift_saturate(c, PAIR_S, (i32)s->imm, 64, true, false)); }
ALU_OP(urshrl_ri) { pair_set(c, s, shift_saturate(c, PAIR_U, -(i32)s->imm, 64, false, true)); }
ALU_OP(srshrl_ri) { pair_set(c, s, shift_saturate(c, PAIR_S, -(i32)s->imm, 64, true, true)); }
ALU_OP(uqrshll64) { pair_set(c, s, shift_saturate(c, PAIR_U, (i8)RC, 64, false, true)); }
ALU_OP(sqrshrl64) { pair_set(c, s, shift_saturate(c, PAIR_S, -(i8)RC, 64, true, true)); }
ALU_OP(uqrshll48) { pair_set(c, s, shift_saturate(c, PAIR_U, (i8)RC, 48, false, true)); }
ALU_OP(sqrshrl48) { pair_set(c, s, shift_saturate(c, PAIR_S, -(i8)RC, 48, true, true)); }
ALU_OP(uqshl_ri) { RA = (u32)shift_saturate(c, OLD_A, (i32)s->imm, 32, false, false); }
ALU_OP(sqshl_ri) { RA = (u32)shift_saturate(c, (i32)OLD_A, (i32)s->imm, 32, true, false); }
ALU_OP(urshr_ri) { RA = (u32)shift_saturate(c, OLD_A, -(i32)s->imm, 32, false, true); }
ALU_OP(srshr_ri) { RA = (u32)shift_saturate(c, (i32)OLD_A, -(i32)s->imm, 32, true, true); }
ALU_OP(uqrshl_rr) { RA = (u32)shift_saturate(c, OLD_A, (i8)RC, 32, false, true); }
ALU_OP(sqrshr_rr) { RA = (u32)shift_saturate(c, (i32)OLD_A, -(i8)RC, 32, true, true); }
#undef PAIR_S
#undef PAIR_U

#endif
