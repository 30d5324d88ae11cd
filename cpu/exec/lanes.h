/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies of FP and vector instructions begin and end with: the access check, the lanes that an instruction works on, the step of a
 * VPT block. Included by cpu/exec/body.h. */
#ifndef CPU_EXEC_LANES_H
#define CPU_EXEC_LANES_H

/* The FP access check, for bodies that make it themselves; false as the body must return it. */
BODY bool fp_prepared(struct cpu *c, const enum path path)
{
	if (LIKELY(c->core.fp_ready))
		return true;
	if (path == SLOW)
		c->core.fp_ready = cpu_fp_prepare(c, c->core.r[15]);
	return c->core.fp_ready;
}

/* True when no tail of a loop leaves lanes of the next MVE instruction out; the reserved values
 * of LTPSIZE (5 to 7, written to FPSCR) leave none out. */
BODY bool mve_whole(const struct cpu *c)
{
	return c->fp.ltpsize >= 4 || c->core.r[14] >> (4 - c->fp.ltpsize);
}

/* True when the next MVE instruction works on all lanes: no VPT block, no tail, no ECI. */
BODY bool mve_all_lanes(const struct cpu *c)
{
	return LIKELY(!(c->fp.vpr & 0x00ff0000) && mve_whole(c));
}

/* How many lanes the next MVE instruction works on, ECI apart: MVE_ALL: all, and no VPT block;
 * MVE_BLOCK: all, in a VPT block whose predicate is true everywhere; MVE_SOME: else. */
enum mve_activity { MVE_ALL, MVE_BLOCK, MVE_SOME };
BODY enum mve_activity mve_activity(const struct cpu *c)
{
	if (UNLIKELY(!mve_whole(c)))
		return MVE_SOME;
	if (LIKELY(!(c->fp.vpr & 0x00ff0000)))
		return MVE_ALL;
	return (c->fp.vpr & 0xffff) == 0xffff ? MVE_BLOCK : MVE_SOME;
}

/* Byte lanes that the beats still to be executed touch (EPSR.ECI). */
BODY u32 mve_eci_lanes(const struct cpu *c)
{
	static const u16 lanes[8] = { 0xffff, 0xfff0, 0xff00, 0xffff, 0xf000, 0xf000, 0xffff, 0xffff };
	return lanes[c->core.eci & 7];
}

/* Byte lanes (bit per byte) that a predicated instruction works on: VPR, tail and ECI. */
BODY u32 mve_lanes(const struct cpu *c)
{
	u32 mask = c->fp.vpr & 0xffff;

	if (!(c->fp.vpr & 0x000f0000))
		mask |= 0x00ff;
	if (!(c->fp.vpr & 0x00f00000))
		mask |= 0xff00;
	if (c->fp.ltpsize < 4 && c->core.r[14] < 16u >> c->fp.ltpsize)
		mask &= (1u << (c->core.r[14] << c->fp.ltpsize)) - 1;
	return mask & mve_eci_lanes(c);
}

/* Steps the VPT block and the ECI state after an instruction (VPTAdvance); every predicated
 * body ends with it, except those that start a block. */
BODY void mve_advance(struct cpu *c)
{
	u32 vpr = c->fp.vpr, mask01 = vpr >> 16 & 15, mask23 = vpr >> 20 & 15;
	u32 lanes = mve_eci_lanes(c);

	c->core.eci = c->core.eci == 5 ? 1 : 0; /* A0A1A2B0 leaves A0 for the next instruction */
	if (!(vpr & 0x00ff0000))
		return;
	/* P0 inverts for the next instruction where its mask bit says "else". */
	vpr ^= lanes & ((mask01 > 8 ? 0xff : 0) | (mask23 > 8 ? 0xff00 : 0));
	if (lanes & 0xf0)
		vpr = (vpr & ~0x000f0000u) | (mask01 << 1 & 15) << 16;
	c->fp.vpr = (vpr & ~0x00f00000u) | (mask23 << 1 & 15) << 20;
}

#endif
