/* SPDX-License-Identifier: Apache-2.0 */
/* MVE predication: VCMP and VPT, VPST, VPNOT, VPSEL, VCTP. Compares: b with c; d = VPT mask, 0 for
 * a plain VCMP. */
#ifndef CPU_EXEC_MVE_PRED_H
#define CPU_EXEC_MVE_PRED_H

#include "cpu/exec/mve_lanes.h"

/* Starts a VPT block; beats that were executed before the exception keep their mask. */
BODY void mve_start_block(struct cpu *c, u32 mask4)
{
	bool first_done = c->core.eci == 2 || c->core.eci == 4 || c->core.eci == 5;
	c->fp.vpr = first_done ? (c->fp.vpr & ~0xf00000u) | mask4 << 20 : (c->fp.vpr & 0xffff) | mask4 * 0x110000;
}

/* Puts new predicate bits (already ANDed with the lanes of this instruction) into P0. */
BODY void mve_put_p0(struct cpu *c, u32 bits, const bool pred)
{
	if (pred)
		mve_put_some_p0(c, bits);
	else
		c->fp.vpr = (c->fp.vpr & 0xff0000) | bits;
}

/* One bit per byte from vectors of 0 and ~0 lanes. */
BODY u32 mve_bits(const union vec *r)
{
#ifdef __SSE2__
	typedef char bytes16 __attribute__((vector_size(16)));
	bytes16 bytes;
	memcpy(&bytes, r, sizeof(bytes));
	return (u32)__builtin_ia32_pmovmskb128(bytes);
#else
	u64 low = (r->d[0] & 0x0101010101010101ull) * 0x0102040810204080ull >> 56;
	u64 high = (r->d[1] & 0x0101010101010101ull) * 0x0102040810204080ull >> 56;
	return (u32)(low | high << 8);
#endif
}

BODY void mve_compared(const struct slot *s, struct cpu *c, const union vec *r, const bool pred)
{
	u32 eci = c->core.eci;
	mve_put_p0(c, mve_bits(r), pred);
	if (s->d) {
		u32 after = c->core.eci;
		c->core.eci = eci;
		mve_start_block(c, s->d);
		c->core.eci = after;
	}
}

#define COMPARE_LANES(f, suffix, op, compare) \
	MVE_OP(vcmp_##op##_##suffix) \
	{ \
		union vec n = QB, m = QC, r; \
		EACH(f) \
			r.f[i] = n.f[i] compare m.f[i] ? (TYPE_##f)-1 : 0; \
		mve_compared(s, c, &r, pred); \
	} \
	MVE_OP(vcmp_##op##_r_##suffix) \
	{ \
		union vec n = QB, r; \
		TYPE_##f y = (TYPE_##f)(s->c == 15 ? 0 : RC); \
		EACH(f) \
			r.f[i] = n.f[i] compare y ? (TYPE_##f)-1 : 0; \
		mve_compared(s, c, &r, pred); \
	}
EACH_I(COMPARE_LANES, eq, ==)
EACH_I(COMPARE_LANES, ne, !=)
EACH_U(COMPARE_LANES, cs, >=)
EACH_U(COMPARE_LANES, hi, >)
EACH_S(COMPARE_LANES, ge, >=)
EACH_S(COMPARE_LANES, lt, <)
EACH_S(COMPARE_LANES, gt, >)
EACH_S(COMPARE_LANES, le, <=)

MVE_OP(vpst)
{
	mve_start_block(c, s->d);
	if (pred)
		c->core.eci = c->core.eci == 5 ? 1 : 0;
}

MVE_OP(vpnot) { mve_put_p0(c, ~c->fp.vpr & 0xffff, pred); }

MVE_OP(vpsel)
{
	union vec n = QB, r = QC;
	mve_merge(&r, &n, c->fp.vpr & 0xffff);
	mve_write(c, &QA, &r, pred);
}

/* imm = log2 of the element's bytes. */
MVE_OP(vctp)
{
	u32 bytes = RB < 16u >> s->imm ? RB << s->imm : 16;
	mve_put_p0(c, (1u << bytes) - 1, pred);
}

#endif
