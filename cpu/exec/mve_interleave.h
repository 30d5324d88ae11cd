/* SPDX-License-Identifier: Apache-2.0 */
/* VLD2, VLD4, VST2, VST4: one quarter (half) of a (de)interleaving transfer each. Element j of memory
 * belongs to lane j / n of register a + j % n. A beat moves one word; d (the "stage" in the
 * mnemonic) says which. Not predicated, but beats already executed (ECI) are left out. */
#ifndef CPU_EXEC_MVE_INTERLEAVE_H
#define CPU_EXEC_MVE_INTERLEAVE_H

#include "cpu/exec/mve_lanes.h"

/* Word of memory that a beat moves, by stage. */
static const u8 mve_stage4[4][4] = { { 0, 1, 10, 11 }, { 2, 3, 12, 13 }, { 4, 5, 14, 15 }, { 6, 7, 8, 9 } };
static const u8 mve_stage2[2][4] = { { 0, 1, 6, 7 }, { 2, 3, 4, 5 } };

BODY u32 mve_stage_word(unsigned stage, unsigned beat, const unsigned log_n)
{
	return log_n == 2 ? mve_stage4[stage & 3][beat] : mve_stage2[stage & 1][beat];
}

/* Byte k of memory in the registers from a on. */
BODY u8 *mve_interleaved(const struct slot *s, struct cpu *c, unsigned k, const unsigned log_n, const unsigned log_bytes)
{
	unsigned j = k >> log_bytes;
	return (u8 *)&c->fp.q[s->a + (j & ((1u << log_n) - 1))] + (j >> log_n << log_bytes) + (k & ((1u << log_bytes) - 1));
}

/* One word by elements, checked. */
static __attribute__((unused)) NOINLINE bool mve_interleave_slow(struct cpu *c, u32 addr, unsigned bytes, bool is_store, u32 *word)
{
	for (unsigned k = 0; k < 4; k += bytes) {
		u32 v = 0;
		memcpy(&v, (u8 *)word + k, bytes);
		if (is_store ? !cpu_store(c, addr + k, bytes, ACC_ALIGNED, v) :
			       !cpu_load(c, addr + k, bytes, ACC_ALIGNED, &v))
			return false;
		memcpy((u8 *)word + k, &v, bytes);
	}
	return true;
}

BODY bool mve_interleave(const struct slot *s, struct cpu *c, const enum path path, const bool pred,
			 const unsigned log_n, const unsigned log_bytes, const bool is_store)
{
	u32 base = RB, beats = pred ? mve_eci_lanes(c) : 0xffff, word[4];

	if (path != SLOW && !page_open(c, path, base, 16u << log_n, 4, is_store ? PAGE_WRITE : PAGE_READ))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		u32 at = mve_stage_word(s->d, i, log_n) * 4;
		if (!LANE_ON(w, beats, i))
			continue;
		if (is_store)
			for (unsigned k = 0; k < 4; k++)
				((u8 *)&word[i])[k] = *mve_interleaved(s, c, at + k, log_n, log_bytes);
		if (path != SLOW && is_store)
			memcpy(MEMORY(c, path) + base + at, &word[i], 4);
		else if (path != SLOW)
			memcpy(&word[i], MEMORY(c, path) + base + at, 4);
		else if (!mve_interleave_slow(c, base + at, 1u << log_bytes, is_store, &word[i]))
			return false;
	}
	for (unsigned i = 0; i < 4 && !is_store; i++) {
		u32 at = mve_stage_word(s->d, i, log_n) * 4;
		for (unsigned k = 0; k < 4 && LANE_ON(w, beats, i); k++)
			*mve_interleaved(s, c, at + k, log_n, log_bytes) = ((u8 *)&word[i])[k];
	}
	RB = base + (s->c ? 16u << log_n : 0);
	if (pred)
		c->core.eci = c->core.eci == 5 ? 1 : 0;
	return true;
}

/* Predicated bodies (cpu/exec/plain_memory.c). */
bool mve_interleave_some(const struct slot *s, struct cpu *c, const enum path path, unsigned log_n, unsigned log_bytes, bool is_store);

#define INTERLEAVE(name, log_n, log_bytes, is_store) \
	MVEMEM_OP(name) \
	{ \
		return pred ? mve_interleave_some(s, c, path, log_n, log_bytes, is_store) : \
			      mve_interleave(s, c, path, false, log_n, log_bytes, is_store); \
	}
#define LOAD_AND_STORE(n, log_n, bits, log_bytes) \
	INTERLEAVE(vld##n##_##bits, log_n, log_bytes, false) \
	INTERLEAVE(vst##n##_##bits, log_n, log_bytes, true)
LOAD_AND_STORE(2, 1, 8, 0)
LOAD_AND_STORE(2, 1, 16, 1)
LOAD_AND_STORE(2, 1, 32, 2)
LOAD_AND_STORE(4, 2, 8, 0)
LOAD_AND_STORE(4, 2, 16, 1)
LOAD_AND_STORE(4, 2, 32, 2)

#endif
