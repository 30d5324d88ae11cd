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

/* What predicated bodies do in memory, for each size of elements: functions of their own, as it would be much code in each
 * (cpu/exec/plain_memory.c). path: GRANULES or SLOW, which bodies need not know when they are compiled; mask: the lanes, a bit per
 * byte; raw: elements as they lie in memory. */
struct lanes_access {
	u32 mask, shift;         /* shift of a gather's offsets */
	u8 bytes, lane_bytes;    /* of an element in memory and in its lane */
	bool extends_sign;
};
bool mve_load_some(struct cpu *c, const enum path path, u32 addr, unsigned bytes, unsigned lanes, u32 mask, void *raw);
bool mve_store_some(struct cpu *c, const enum path path, u32 addr, unsigned bytes, unsigned lanes, u32 mask, const void *raw);
bool mve_gather_some(struct cpu *c, const enum path path, union vec *q, u32 base, const union vec *offsets, struct lanes_access how);
bool mve_scatter_some(struct cpu *c, const enum path path, const union vec *q, u32 base, const union vec *offsets, struct lanes_access how);
bool mve_gather_some_words(const struct slot *s, struct cpu *c, const enum path path, bool wide, bool has_base);
bool mve_scatter_some_words(const struct slot *s, struct cpu *c, const enum path path, bool wide, bool has_base);
/* Ends a load: lanes of `mask`, zero in the others, to the beats that are still to be executed. */
void mve_end_load(struct cpu *c, union vec *q, const union vec *r, unsigned lane_bytes, u32 mask);

/* Contiguous: base b, imm = offset of the access, d = what the base moves by, in elements (signed).
 * element: its type in memory. Inactive lanes are loaded with zero; lanes of beats already executed
 * (ECI) stay. */
#define CONTIGUOUS(f, name, element, bytes) \
	MVEMEM_OP(vldr##name) \
	{ \
		u32 addr = RB + s->imm, mask = mve_mask(c, pred); \
		union vec r; \
		element raw[LANES(f)]; \
		if (pred ? !mve_load_some(c, path, addr, bytes, LANES(f), mask, raw) : \
			   !page_open(c, path, addr, LANES(f) * bytes, bytes, PAGE_READ)) \
			return false; \
		if (!pred) \
			memcpy(raw, MEMORY(c, path) + addr, sizeof(raw)); \
		EACH(f) \
			r.f[i] = (TYPE_##f)raw[i]; \
		if (pred) \
			mve_end_load(c, &QA, &r, BITS_##f / 8, mask); \
		else \
			QA = r; \
		RB += (u32)((i32)(i8)s->d * bytes); \
		return true; \
	}
#define CONTIGUOUS_STORE(f, name, element, bytes) \
	MVEMEM_OP(vstr##name) \
	{ \
		u32 addr = RB + s->imm; \
		union vec d = QA; \
		element raw[LANES(f)]; \
		if (!pred && !page_open(c, path, addr, LANES(f) * bytes, bytes, PAGE_WRITE)) \
			return false; \
		EACH(f) \
			raw[i] = (element)d.f[i]; \
		if (!pred) \
			memcpy(MEMORY(c, path) + addr, raw, sizeof(raw)); \
		else if (!mve_store_some(c, path, addr, bytes, LANES(f), mve_lanes(c), raw)) \
			return false; \
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
#define LANES_ACCESS(f, size) \
	(struct lanes_access){ .mask = mve_lanes(c), .shift = s->imm, .bytes = size, .lane_bytes = BITS_##f / 8, .extends_sign = LOW_##f != 0 }
#define GATHER(f, uf, name, element, bytes) \
	MVEMEM_OP(vldr##name) \
	{ \
		u32 base = RB; \
		union vec m = QC, r; \
		if (pred) \
			return mve_gather_some(c, path, &QA, base, &m, LANES_ACCESS(f, bytes)); \
		EACH(f) { \
			u32 v = 0; \
			if (!mve_load_one(c, path, base + ((u32)m.uf[i] << s->imm), bytes, &v)) \
				return false; \
			r.f[i] = (TYPE_##f)(element)v; \
		} \
		QA = r; \
		return true; \
	}
#define SCATTER(f, name, bytes) \
	MVEMEM_OP(vstr##name) \
	{ \
		u32 base = RB; \
		union vec m = QC, d = QA; \
		if (pred) \
			return mve_scatter_some(c, path, &d, base, &m, LANES_ACCESS(f, bytes)); \
		EACH(f) \
			if (!mve_may_store(c, path, base + ((u32)m.f[i] << s->imm), bytes)) \
				return false; \
		EACH(f) \
			if (!mve_store_one(c, path, base + ((u32)m.f[i] << s->imm), bytes, d.f[i])) \
				return false; \
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
#define WORDS(name, wide, has_base) \
	MVEMEM_OP(vldr##name) \
	{ \
		return pred ? mve_gather_some_words(s, c, path, wide, has_base) : mve_gather_words(s, c, path, false, wide, has_base); \
	} \
	MVEMEM_OP(vstr##name) \
	{ \
		return pred ? mve_scatter_some_words(s, c, path, wide, has_base) : mve_scatter_words(s, c, path, false, wide, has_base); \
	}
WORDS(d_g, true, true)
WORDS(w_v, false, false)
WORDS(d_v, true, false)

#endif
