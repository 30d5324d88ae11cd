/* SPDX-License-Identifier: Apache-2.0 */
/* What MVE bodies are written with: lane types, predicated write-back, saturation.
 *
 * A body computes all lanes into a local vector and hands it to mve_write, which merges it under the
 * byte predicate when there is one (`pred` is a constant in each copy of the body). */
#ifndef CPU_EXEC_MVE_LANES_H
#define CPU_EXEC_MVE_LANES_H

#include "cpu/exec/fp_regs.h"

/* Q registers named by the slot. */
#ifdef OPERANDS_ARE_HOLES
#define QA AT(H_QA, union vec)
#define QB AT(H_QB, union vec)
#define QC AT(H_QC, union vec)
#else
#define QA (c->fp.q[s->a])
#define QB (c->fp.q[s->b])
#define QC (c->fp.q[s->c])
#endif

/* Facts about the lanes of union vec by member name. WIDE holds sums and products exactly. */
#define TYPE_b u8
#define TYPE_sb i8
#define TYPE_h u16
#define TYPE_sh i16
#define TYPE_w u32
#define TYPE_sw i32
#define WIDE_b i32
#define WIDE_sb i32
#define WIDE_h i64
#define WIDE_sh i32
#define WIDE_w i64
#define WIDE_sw i64
#define BITS_b 8
#define BITS_sb 8
#define BITS_h 16
#define BITS_sh 16
#define BITS_w 32
#define BITS_sw 32
#define LOW_b 0
#define LOW_sb (-0x80)
#define LOW_h 0
#define LOW_sh (-0x8000)
#define LOW_w 0
#define LOW_sw (-0x80000000ll)
#define HIGH_b 0xff
#define HIGH_sb 0x7f
#define HIGH_h 0xffff
#define HIGH_sh 0x7fff
#define HIGH_w 0xffffffffll
#define HIGH_sw 0x7fffffffll
#define LANES(f) (128u / BITS_##f)
#define EACH(f) for (unsigned i = 0; i < LANES(f); i++)
/* Predicate bit of lane i: the one of its lowest byte. */
#define LANE_ON(f, mask, i) ((mask) >> ((i) * (BITS_##f / 8)) & 1)

/* M(member, suffix, ...) for the three sizes. */
#define EACH_S(M, ...) M(sb, s8, __VA_ARGS__) M(sh, s16, __VA_ARGS__) M(sw, s32, __VA_ARGS__)
#define EACH_U(M, ...) M(b, u8, __VA_ARGS__) M(h, u16, __VA_ARGS__) M(w, u32, __VA_ARGS__)
#define EACH_SU(M, ...) EACH_S(M, __VA_ARGS__) EACH_U(M, __VA_ARGS__)
#define EACH_I(M, ...) M(b, i8, __VA_ARGS__) M(h, i16, __VA_ARGS__) M(w, i32, __VA_ARGS__)

/* Bit i of a byte to byte i, as 0 or 0xff. */
BODY u64 mve_spread(u32 bits8)
{
	u64 each = (bits8 & 0xff) * 0x0101010101010101ull & 0x8040201008040201ull;
	return ((each + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull) * 0xff;
}

BODY void mve_merge(union vec *to, const union vec *r, u32 mask)
{
	for (unsigned i = 0; i < 2; i++) {
		u64 m = mve_spread(mask >> (8 * i));
		to->d[i] = (to->d[i] & ~m) | (r->d[i] & m);
	}
}

/* The predicate of this instruction, as bits per byte. */
BODY u32 mve_mask(const struct cpu *c, const bool pred) { return pred ? mve_lanes(c) : 0xffff; }

/* What predicated bodies do at their ends: functions of their own (cpu/exec/predicated.c). */
void mve_write_some(struct cpu *c, union vec *q, const union vec *r);
void mve_some_saturated(struct cpu *c, const union vec *sat);
void mve_put_some_p0(struct cpu *c, u32 bits);
/* Lanes that are not active become `other`. */
void mve_keep_active(const struct cpu *c, union vec *v, unsigned lane_bytes, u32 other);

/* Ends a body that wrote no Q register. */
BODY void mve_done(struct cpu *c, const bool pred)
{
	if (pred)
		mve_advance(c);
}

/* Ends a body with its result. */
BODY void mve_write(struct cpu *c, union vec *q, const union vec *r, const bool pred)
{
	if (pred)
		mve_write_some(c, q, r);
	else
		*q = *r;
}

/* Sets QC when an active lane saturated: `sat` has 1 in the lowest byte of such lanes. Before mve_write. */
BODY void mve_saturated(struct cpu *c, const union vec *sat, const bool pred)
{
	if (pred)
		mve_some_saturated(c, sat);
	else
		c->fp.fpscr |= (u32)((sat->d[0] | sat->d[1]) != 0) << 27;
}

/* Wide value to the limits of member f. */
#define CLAMP(f, v) ((v) < LOW_##f ? LOW_##f : (v) > HIGH_##f ? HIGH_##f : (v))

#endif
