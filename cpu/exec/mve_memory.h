/* SPDX-License-Identifier: Apache-2.0 */
/* MVE loads and stores. Elements must be aligned to their size in memory, whatever CCR says (Arm ARM
 * DDI0553, "MVE alignment"). All lanes active: one check for the whole access; else one per element. */
#ifndef CPU_EXEC_MVE_MEMORY_H
#define CPU_EXEC_MVE_MEMORY_H

#include "cpu/exec/mve_lanes.h"

/* One element; as body.h's load and store, with the alignment rule. */
BODY bool mve_load_one(struct cpu *c, const enum path path, u32 addr, const unsigned bytes, u32 *v)
{
	return load(c, path, addr, bytes, ACC_ALIGNED, v);
}
BODY bool mve_store_one(struct cpu *c, const enum path path, u32 addr, const unsigned bytes, u32 v)
{
	return store(c, path, addr, bytes, ACC_ALIGNED, v);
}

/* Stores check all their elements before the first is written on the fast path. */
BODY bool mve_may_store(struct cpu *c, const enum path path, u32 addr, const unsigned bytes)
{
	return path == SLOW || page_open(c, path, addr, bytes, bytes, PAGE_WRITE);
}

/* Lanes that are one access when the memory is open to all of them: all that are there; predicated loads too, unless somebody wants to
 * know which bytes are read. */
BODY bool mve_one_access(const struct cpu *c, u32 mask) { return mask == 0xffff || !c->observed; }

/* Contiguous: base b, imm = offset of the access, d = what the base moves by, in elements (signed).
 * element: its type in memory. Inactive lanes are loaded with zero; lanes of beats already executed
 * (ECI) stay. */
#define CONTIGUOUS(f, name, element, bytes) \
	MVEMEM_OP(vldr##name) \
	{ \
		u32 addr = RB + s->imm, mask = mve_mask(c, pred), beats = pred ? mve_eci_lanes(c) : 0xffff; \
		union vec r; \
		if (path != SLOW && mve_one_access(c, mask) && \
		    (page_open(c, path, addr, LANES(f) * bytes, bytes, PAGE_READ) || \
		     (pred && path == GRANULES && access_lanes(c, addr, bytes, LANES(f), mask)))) { \
			element raw[LANES(f)]; \
			tell_access(c, path, addr, bytes, LANES(f), NULL); \
			memcpy(raw, MEMORY(c, path) + addr, sizeof(raw)); \
			EACH(f) \
				r.f[i] = pred && !LANE_ON(f, mask, i) ? 0 : (TYPE_##f)raw[i]; \
		} else if (!pred) { \
			return false; \
		} else { \
			EACH(f) { \
				u32 v = 0; \
				if (LANE_ON(f, mask, i) && !mve_load_one(c, path, addr + i * bytes, bytes, &v)) \
					return false; \
				r.f[i] = (TYPE_##f)(element)v; \
			} \
		} \
		if (pred) \
			mve_merge(&QA, &r, beats); \
		else \
			QA = r; \
		RB += (u32)((i32)(i8)s->d * bytes); \
		mve_done(c, pred); \
		return true; \
	}
#define CONTIGUOUS_STORE(f, name, element, bytes) \
	MVEMEM_OP(vstr##name) \
	{ \
		u32 addr = RB + s->imm, mask = mve_mask(c, pred); \
		union vec d = QA; \
		if (path != SLOW && mask == 0xffff && page_open(c, path, addr, LANES(f) * bytes, bytes, PAGE_WRITE)) { \
			element raw[LANES(f)]; \
			EACH(f) \
				raw[i] = (element)d.f[i]; \
			tell_access(c, path, addr, bytes, LANES(f), raw); \
			memcpy(MEMORY(c, path) + addr, raw, sizeof(raw)); \
		} else if (!pred) { \
			return false; \
		} else { \
			EACH(f) \
				if (LANE_ON(f, mask, i) && !mve_may_store(c, path, addr + i * bytes, bytes)) \
					return false; \
			EACH(f) \
				if (LANE_ON(f, mask, i) && !mve_store_one(c, path, addr + i * bytes, bytes, d.f[i])) \
					return false; \
		} \
		RB += (u32)((i32)(i8)s->d * bytes); \
		mve_done(c, pred); \
		return true; \
	}
CONTIGUOUS(b, b_8, u8, 1)
CONTIGUOUS(sh, b_s16, i8, 1)
CONTIGUOUS(sw, b_s32, i8, 1)
CONTIGUOUS(h, b_u16, u8, 1)
CONTIGUOUS(w, b_u32, u8, 1)
CONTIGUOUS(h, h_16, u16, 2)
CONTIGUOUS(sw, h_s32, i16, 2)
CONTIGUOUS(w, h_u32, u16, 2)
CONTIGUOUS(w, w_32, u32, 4)
CONTIGUOUS_STORE(b, b_8, u8, 1)
CONTIGUOUS_STORE(h, b_16, u8, 1)
CONTIGUOUS_STORE(w, b_32, u8, 1)
CONTIGUOUS_STORE(h, h_16, u16, 2)
CONTIGUOUS_STORE(w, h_32, u16, 2)
CONTIGUOUS_STORE(w, w_32, u32, 4)

/* Gather and scatter: core register b + lane of Q register c << imm. */
#define GATHER(f, uf, name, element, bytes) \
	MVEMEM_OP(vldr##name) \
	{ \
		u32 mask = mve_mask(c, pred), beats = pred ? mve_eci_lanes(c) : 0xffff, base = RB; \
		union vec m = QC, r; \
		EACH(f) { \
			u32 v = 0; \
			if (LANE_ON(f, mask, i) && \
			    !mve_load_one(c, path, base + ((u32)m.uf[i] << s->imm), bytes, &v)) \
				return false; \
			r.f[i] = (TYPE_##f)(element)v; \
		} \
		mve_merge(&QA, &r, beats); \
		mve_done(c, pred); \
		return true; \
	}
#define SCATTER(f, name, bytes) \
	MVEMEM_OP(vstr##name) \
	{ \
		u32 mask = mve_mask(c, pred), base = RB; \
		union vec m = QC, d = QA; \
		EACH(f) \
			if (LANE_ON(f, mask, i) && \
			    !mve_may_store(c, path, base + ((u32)m.f[i] << s->imm), bytes)) \
				return false; \
		EACH(f) \
			if (LANE_ON(f, mask, i) && \
			    !mve_store_one(c, path, base + ((u32)m.f[i] << s->imm), bytes, d.f[i])) \
				return false; \
		mve_done(c, pred); \
		return true; \
	}
GATHER(b, b, b_8_g, u8, 1)
GATHER(sh, h, b_s16_g, i8, 1)
GATHER(sw, w, b_s32_g, i8, 1)
GATHER(h, h, b_u16_g, u8, 1)
GATHER(w, w, b_u32_g, u8, 1)
GATHER(h, h, h_16_g, u16, 2)
GATHER(sw, w, h_s32_g, i16, 2)
GATHER(w, w, h_u32_g, u16, 2)
GATHER(w, w, w_32_g, u32, 4)
SCATTER(b, b_8_g, 1)
SCATTER(h, b_16_g, 1)
SCATTER(w, b_32_g, 1)
SCATTER(h, h_16_g, 2)
SCATTER(w, h_32_g, 2)
SCATTER(w, w_32_g, 4)

/* Addresses of the four words of gathers by doublewords and by vector of addresses (c). wide: 64-bit
 * elements; imm: shift of the offset (with base) or what is added. */
BODY u32 mve_word_address(const struct slot *s, const struct cpu *c, unsigned i, const bool wide, const bool has_base)
{
	u32 lane = QC.w[wide ? i & 2 : i];
	u32 addr = has_base ? RB + (lane << s->imm) : lane + s->imm;
	return addr + (wide ? (i & 1) * 4 : 0);
}
/* Lanes of the vector of addresses that are written back: a doubleword's with its second beat. */
BODY u32 mve_address_beats(u32 beats, const bool wide) { return wide ? beats >> 4 & 0x0f0f : beats; }
BODY bool mve_gather_words(const struct slot *s, struct cpu *c, const enum path path, const bool pred,
			   const bool wide, const bool has_base)
{
	u32 mask = mve_mask(c, pred), beats = pred ? mve_eci_lanes(c) : 0xffff;
	union vec r, at;

	for (unsigned i = 0; i < 4; i++) {
		u32 addr = mve_word_address(s, c, i, wide, has_base);
		r.w[i] = 0;
		if (LANE_ON(w, mask, i) && !mve_load_one(c, path, addr, 4, &r.w[i]))
			return false;
		at.w[i] = wide && (i & 1) ? QC.w[i] : addr;
	}
	if (s->d)
		mve_merge(&QC, &at, mve_address_beats(beats, wide));
	mve_merge(&QA, &r, beats);
	mve_done(c, pred);
	return true;
}
BODY bool mve_scatter_words(const struct slot *s, struct cpu *c, const enum path path, const bool pred,
			    const bool wide, const bool has_base)
{
	u32 mask = mve_mask(c, pred), beats = pred ? mve_eci_lanes(c) : 0xffff;
	union vec d = QA, at;

	for (unsigned i = 0; i < 4; i++) {
		u32 addr = mve_word_address(s, c, i, wide, has_base);
		if (LANE_ON(w, mask, i) && !mve_may_store(c, path, addr, 4))
			return false;
		at.w[i] = wide && (i & 1) ? QC.w[i] : addr;
	}
	for (unsigned i = 0; i < 4; i++)
		if (LANE_ON(w, mask, i) &&
		    !mve_store_one(c, path, mve_word_address(s, c, i, wide, has_base), 4, d.w[i]))
			return false;
	if (s->d)
		mve_merge(&QC, &at, mve_address_beats(beats, wide));
	mve_done(c, pred);
	return true;
}
MVEMEM_OP(vldrd_g) { return mve_gather_words(s, c, path, pred, true, true); }
MVEMEM_OP(vstrd_g) { return mve_scatter_words(s, c, path, pred, true, true); }
MVEMEM_OP(vldrw_v) { return mve_gather_words(s, c, path, pred, false, false); }
MVEMEM_OP(vstrw_v) { return mve_scatter_words(s, c, path, pred, false, false); }
MVEMEM_OP(vldrd_v) { return mve_gather_words(s, c, path, pred, true, false); }
MVEMEM_OP(vstrd_v) { return mve_scatter_words(s, c, path, pred, true, false); }

#endif
