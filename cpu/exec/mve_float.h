/* SPDX-License-Identifier: Apache-2.0 */
/* MVE floating point. The arithmetic uses the "standard" FPSCR: default NaN, flush to zero, round to
 * nearest; AHP and FZ16 as in FPSCR (Arm ARM DDI0553, StandardFPSCRValue). Only active lanes raise
 * flags. Suffix: 16 or 32. */
#ifndef CPU_EXEC_MVE_FLOAT_H
#define CPU_EXEC_MVE_FLOAT_H

#include "cpu/exec/fp_round.h"
#include "cpu/exec/mve_fast.h"
#include "cpu/exec/mve_pred.h"

BODY u32 mve_standard(const struct cpu *c)
{
	return (c->fp.fpscr & (FPSCR_AHP | FPSCR_FZ16 | FPSCR_IXC)) | FPSCR_DN | FPSCR_FZ;
}

/* Runs `statement` for each lane i with `u32 *fp` as its FPSCR, then keeps the flags of those whose
 * lowest byte is active (other bytes of a lane may be active all the same). */
#define FLOAT_LANES(f, statement) FLOAT_LANES_AT(f, 0, statement)
/* Where not the lane's first byte but a later one decides. */
#define FLOAT_LANES_AT(f, byte, statement) do { \
		if (ONLY_FAST) { \
			flags->refused = true; \
			return; \
		} \
		u32 fpscr_ = mve_standard(c), scratch_ = fpscr_, mask_ = mve_mask(c, pred) >> (byte); \
		EACH(f) { \
			u32 *fp = !pred || LANE_ON(f, mask_, i) ? &fpscr_ : &scratch_; \
			(void)fp; \
			statement; \
		} \
		c->fp.fpscr |= fpscr_ & FPSCR_FLAGS; \
	} while (0)
#ifdef OPERANDS_ARE_HOLES /* stencils do only what the host's FPU does */
#define ONLY_FAST true
#else
#define ONLY_FAST false
#endif

/* One lane in integers. */
#define FLOAT_LANE2(op) \
	static inline u32 lane32_##op(u32 a, u32 b, u32 *fp) { return fp32_##op(a, b, fp); } \
	static inline u32 lane16_##op(u32 a, u32 b, u32 *fp) { return fp16_##op(a, b, fp); }
FLOAT_LANE2(add)
FLOAT_LANE2(sub)
FLOAT_LANE2(mul)
FLOAT_LANE2(maxnm)
FLOAT_LANE2(minnm)
static inline u32 lane32_fma(u32 z, u32 a, u32 b, u32 *fp) { return fp32_fma(z, a, b, fp); }
static inline u32 lane16_fma(u32 z, u32 a, u32 b, u32 *fp) { return fp16_fma(z, a, b, fp); }
/* A signalling NaN becomes quiet before it is compared (the reductions). */
static inline u32 lane32_quiet(u32 a, u32 *fp)
{
	bool signalling = (a & 0x7fffffff) > 0x7f800000 && !(a & 0x400000);
	*fp |= signalling ? FPSCR_IOC : 0;
	return signalling ? a | 0x400000 : a;
}
static inline u32 lane16_quiet(u32 a, u32 *fp)
{
	bool signalling = (a & 0x7fff) > 0x7c00 && !(a & 0x200);
	*fp |= signalling ? FPSCR_IOC : 0;
	return signalling ? a | 0x200 : a;
}
static inline u32 lane32_abd(u32 a, u32 b, u32 *fp) { return lane32_sub(a, b, fp) & ~NEG32; }
static inline u32 lane16_abd(u32 a, u32 b, u32 *fp) { return lane16_sub(a, b, fp) & ~NEG16; }

/* M(member, bits, ...) for both formats. */
#define EACH_F(M, ...) M(h, 16, __VA_ARGS__) M(w, 32, __VA_ARGS__)

/* r = op(x, y) in each lane. */
#define FLOAT_LANES2(f, bits, op, r, x, y) do { \
		if (bits != 32 || !fast4_##op(&(r), &(x), &(y), mve_standard(c))) \
			FLOAT_LANES(f, (r).f[i] = (TYPE_##f)lane##bits##_##op((x).f[i], (y).f[i], fp)); \
	} while (0)
#define FLOAT2(f, bits, op) \
	MVE_OP(v##op##_f##bits) \
	{ \
		union vec n = QB, m = QC, r = n; \
		FLOAT_LANES2(f, bits, op, r, n, m); \
		mve_write(c, &QA, &r, pred); \
	}
#define SPLAT_h(v) ((u16)(v) * 0x10001u)
#define SPLAT_w(v) (v)
#define FLOAT2_SCALAR(f, bits, op) \
	MVE_OP(v##op##_r_f##bits) \
	{ \
		u32 y = SPLAT_##f(RC); \
		union vec n = QB, m = { .w = { y, y, y, y } }, r = n; \
		FLOAT_LANES2(f, bits, op, r, n, m); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_F(FLOAT2, add)
EACH_F(FLOAT2, sub)
EACH_F(FLOAT2, mul)
EACH_F(FLOAT2, abd)
EACH_F(FLOAT2, maxnm)
EACH_F(FLOAT2, minnm)
EACH_F(FLOAT2_SCALAR, add)
EACH_F(FLOAT2_SCALAR, sub)
EACH_F(FLOAT2_SCALAR, mul)

/* r = z + x * y in each lane. */
#define FLOAT_LANES3(f, bits, r, z, x, y) do { \
		if (bits != 32 || !fast4_fma(&(r), &(z), &(x), &(y), mve_standard(c))) \
			FLOAT_LANES(f, (r).f[i] = (TYPE_##f)lane##bits##_fma((z).f[i], (x).f[i], (y).f[i], fp)); \
	} while (0)

/* Fused: addend + left * right; k: core register c in all lanes. */
#define FLOAT_FUSED(f, bits, name, addend, left, right) \
	MVE_OP(name##_f##bits) \
	{ \
		u32 scalar = SPLAT_##f(RC_IF_SCALAR); \
		union vec k = { .w = { scalar, scalar, scalar, scalar } }; \
		union vec z = addend, x = left, y = right, r = z; \
		(void)k; \
		FLOAT_LANES3(f, bits, r, z, x, y); \
		mve_write(c, &QA, &r, pred); \
	}
BODY union vec mve_negated(union vec v, u32 sign)
{
	for (unsigned i = 0; i < 4; i++)
		v.w[i] ^= sign;
	return v;
}
#define RC_IF_SCALAR 0
EACH_F(FLOAT_FUSED, vfma, QA, QB, QC)
FLOAT_FUSED(h, 16, vfms, QA, mve_negated(QB, 0x80008000), QC)
FLOAT_FUSED(w, 32, vfms, QA, mve_negated(QB, NEG32), QC)
#undef RC_IF_SCALAR
#define RC_IF_SCALAR RC
EACH_F(FLOAT_FUSED, vfma_r, QA, QB, k)
EACH_F(FLOAT_FUSED, vfmas_r, k, QA, QB)
#undef RC_IF_SCALAR

/* Signs. */
#define FLOAT_SIGN(f, bits, op) \
	MVE_OP(vabs_f##bits) \
	{ \
		union vec r = QC; \
		EACH(f) \
			r.f[i] &= (TYPE_##f)~NEG##bits; \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(vneg_f##bits) \
	{ \
		union vec r = QC; \
		EACH(f) \
			r.f[i] ^= (TYPE_##f)NEG##bits; \
		mve_write(c, &QA, &r, pred); \
	}
EACH_F(FLOAT_SIGN, )

/* VMAXNMA, VMINNMA: of |a| and |c|. */
#define FLOAT_ABSOLUTE(f, bits, op) \
	MVE_OP(v##op##a_f##bits) \
	{ \
		union vec m = QC, r = QA; \
		FLOAT_LANES(f, r.f[i] = (TYPE_##f)lane##bits##_##op(r.f[i] & ~NEG##bits, m.f[i] & ~NEG##bits, fp)); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_F(FLOAT_ABSOLUTE, maxnm)
EACH_F(FLOAT_ABSOLUTE, minnm)

/* Across a vector into core register a; the A forms take absolute values of the lanes. */
#define FLOAT_ACROSS(f, bits, op) \
	MVE_OP(v##op##v_f##bits) \
	{ \
		union vec m = QC; \
		u32 best = (TYPE_##f)RA; \
		FLOAT_LANES(f, if (fp == &fpscr_) \
			best = lane##bits##_##op(lane##bits##_quiet(best, fp), lane##bits##_quiet(m.f[i], fp), fp)); \
		RA = best; \
		mve_done(c, pred); \
	} \
	MVE_OP(v##op##av_f##bits) \
	{ \
		union vec m = QC; \
		u32 best = (TYPE_##f)RA; \
		FLOAT_LANES(f, if (fp == &fpscr_) \
			best = lane##bits##_##op(lane##bits##_quiet(best, fp), \
						 lane##bits##_quiet(m.f[i], fp) & ~NEG##bits, fp)); \
		RA = best; \
		mve_done(c, pred); \
	}
EACH_F(FLOAT_ACROSS, maxnm)
EACH_F(FLOAT_ACROSS, minnm)

/* Complex: imm = rotation in quarters (VCADD: 1 or 3). Each is one operation on lanes in another order, some
 * with the other sign. */
#define FLOAT_COMPLEX(f, bits, op) \
	MVE_OP(vcadd_f##bits) \
	{ \
		union vec n = QB, m = QC, y = m, r = n; \
		EACH(f) \
			y.f[i] = (TYPE_##f)(m.f[i ^ 1] ^ ((i & 1) == (s->imm == 3) ? NEG##bits : 0)); \
		FLOAT_LANES2(f, bits, add, r, n, y); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(vcmul_f##bits) \
	{ \
		union vec n = QB, m = QC, x = n, y = m, r = n; \
		EACH(f) \
			MVE_COMPLEX_FACTORS(f, bits); \
		FLOAT_LANES2(f, bits, mul, r, x, y); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(vcmla_f##bits) \
	{ \
		union vec n = QB, m = QC, x = n, y = m, z = QA, r = z; \
		EACH(f) \
			MVE_COMPLEX_FACTORS(f, bits); \
		FLOAT_LANES3(f, bits, r, z, x, y); \
		mve_write(c, &QA, &r, pred); \
	}
/* Real part of b for rotations 0 and 180, imaginary for 90 and 270, times c rotated. */
#define MVE_COMPLEX_FACTORS(f, bits) \
	x.f[i] = n.f[(i & ~1u) | (s->imm & 1)], \
	y.f[i] = (TYPE_##f)(m.f[i ^ (s->imm & 1)] ^ mve_complex_sign(s->imm, i, NEG##bits))
BODY u32 mve_complex_sign(u32 rotation, unsigned lane, u32 sign)
{
	bool negative = rotation == 2 || (rotation == 1 && !(lane & 1)) || (rotation == 3 && (lane & 1));
	return negative ? sign : 0;
}
EACH_F(FLOAT_COMPLEX, )

/* Conversions: b = rounding, d = signed, imm = fraction bits. */
BODY enum fp_round mve_round(const struct slot *s)
{
	return s->b == FP_ROUND_CURRENT ? ROUND_NEAREST : (enum fp_round)s->b;
}
/* Singles to integers towards zero, and back to nearest; a fraction is a power of two, which rounds nothing. */
BODY bool fast4_to_int(union vec *r, const union vec *m, const struct slot *s, u32 fpscr)
{
	bool ok = mve_round(s) == ROUND_ZERO;
	double scale = (double)(1ull << s->imm);
	for (unsigned i = 0; i < 4; i++)
		ok = ok && fp32_plain(m->w[i]) &&
		     fp64_fast_to_int(&r->w[i], fp_b64(fp_f32(m->w[i]) * scale), !s->d, fpscr);
	return ok;
}
BODY bool fast4_from_int(union vec *r, const union vec *m, const struct slot *s, u32 fpscr)
{
	bool ok = true;
	for (unsigned i = 0; i < 4; i++) {
		ok = ok && fp32_fast_from_int(&r->w[i], s->d ? (i64)m->sw[i] : (i64)m->w[i], fpscr);
		r->w[i] -= r->w[i] ? s->imm << 23 : 0;
	}
	return ok;
}
#define FLOAT_CONVERT(f, bits, op) \
	MVE_OP(vcvt_int_f##bits) \
	{ \
		union vec m = QC, r = m; \
		if (bits != 32 || !fast4_to_int(&r, &m, s, mve_standard(c))) \
			FLOAT_LANES(f, r.f[i] = (TYPE_##f)fp##bits##_to_fixed(m.f[i], s->imm, bits, !s->d, mve_round(s), fp)); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(vcvt_f##bits##_int) \
	{ \
		union vec m = QC, r = m; \
		if (bits != 32 || !fast4_from_int(&r, &m, s, mve_standard(c))) \
			FLOAT_LANES(f, r.f[i] = (TYPE_##f)fp##bits##_from_fixed(s->d ? (i64)m.s##f[i] : (i64)m.f[i], s->imm, \
										ROUND_NEAREST, fp)); \
		mve_write(c, &QA, &r, pred); \
	} \
	MVE_OP(vrint_f##bits) \
	{ \
		union vec m = QC, r = m; \
		FLOAT_LANES(f, r.f[i] = (TYPE_##f)fp##bits##_round_int(m.f[i], mve_round(s), s->d, fp)); \
		mve_write(c, &QA, &r, pred); \
	}
EACH_F(FLOAT_CONVERT, )

/* VCVTB, VCVTT: halves 2i + top (d) and singles. */
MVE_OP(vcvt_half_single)
{
	union vec m = QC, r = QA;
	FLOAT_LANES(w, r.h[2 * i + s->d] = (u16)fp32_to_fp16(m.w[i], fp));
	mve_write(c, &QA, &r, pred);
}
MVE_OP(vcvt_single_half)
{
	union vec m = QC, r = m;
	FLOAT_LANES_AT(w, 2 * s->d, r.w[i] = fp16_to_fp32(m.h[2 * i + s->d], fp));
	mve_write(c, &QA, &r, pred);
}

/* Comparisons: imm = 0 EQ, 1 NE, 2 GE, 3 LT, 4 GT, 5 LE. Quiet NaNs are invalid operands of all of them, also of EQ
 * and NE, unlike those of Neon (not from the manual but as QEMU's mve_helper.c reads it). */
BODY bool mve_float_holds(u32 nzcv, u32 which)
{
	bool z = nzcv & FPSCR_Z, less = nzcv & FPSCR_N, unordered = nzcv & FPSCR_V;
	switch (which) {
	case 0: return z;
	case 1: return !z;
	case 2: return !less && !unordered;
	case 3: return less || unordered;
	case 4: return !less && !unordered && !z;
	default: return less || unordered || z;
	}
}
#define FLOAT_COMPARE(f, bits, name, right) \
	MVE_OP(name##_f##bits) \
	{ \
		u32 scalar = SPLAT_##f(s->c == 15 ? 0 : RC_IF_SCALAR); \
		union vec k = { .w = { scalar, scalar, scalar, scalar } }; \
		union vec n = QB, m = right, r = n; \
		(void)k; \
		if (bits != 32 || !fast4_compare(&r, &n, &m, s->imm)) \
			FLOAT_LANES(f, r.f[i] = mve_float_holds(fp##bits##_compare(n.f[i], m.f[i], true, fp), s->imm) ? \
				(TYPE_##f)-1 : 0); \
		mve_compared(s, c, &r, pred); \
	}
#define RC_IF_SCALAR 0
EACH_F(FLOAT_COMPARE, vcmp, QC)
#undef RC_IF_SCALAR
#define RC_IF_SCALAR RC
EACH_F(FLOAT_COMPARE, vcmp_r, k)
#undef RC_IF_SCALAR

#endif
