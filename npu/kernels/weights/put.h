/* SPDX-License-Identifier: Apache-2.0 */
/* Where weights go: functions for npu_weights_put_fn, in a header so that they become part of the loops
 * over a stream's order. They lie in runs of 8 input channels of one tap of one output channel: bytes where bytes are packed, else int16. */
#ifndef NPU_KERNELS_WEIGHTS_PUT_H
#define NPU_KERNELS_WEIGHTS_PUT_H

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/weights/weights.h"

#define IFM_UBLOCK_D 8
#define EIGHT_RUNS (8 * IFM_UBLOCK_D) /* weights of runs of eight channels */

/* In the order of channels, taps, input channels. */
ALWAYS_INLINE void put_sorted(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
			      const void *weights, size_t line)
{
	const i16 *from = weights;

	for (; n; n -= min_u32(IFM_UBLOCK_D, n), k += IFM_UBLOCK_D, from += line) {
		i16 *to = (i16 *)t->out + o * t->step + k;
		for (u32 oz = 0; oz < outs; oz++, to += t->step) {
			if (n >= IFM_UBLOCK_D)
				memcpy(to, from + oz * IFM_UBLOCK_D, IFM_UBLOCK_D * sizeof(*to));
			else
				memcpy(to, from + oz * IFM_UBLOCK_D, n * sizeof(*to));
		}
	}
}

/* Place of weight k of channel o in groups of 16 channels, `taps` weights side by side. */
static inline size_t packed_at(const struct npu_weights_target *t, u32 o, size_t k, u32 taps)
{
	u32 channel = o * t->cores + t->core;
	return channel / 16 * t->step + k / taps * (16 * taps) + channel % 16 * taps;
}

typedef u32 u32x4 __attribute__((vector_size(16)));

static inline u32x4 load4(const void *p)
{
	u32x4 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* Low halves of two channels' first two words each, and their high halves: { a0, b0, a1, b1 }. */
static inline u32x4 interleave(u32x4 a, u32x4 b, bool high)
{
	return high ? __builtin_shufflevector(a, b, 2, 6, 3, 7) : __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

/* A word of each of four channels; with two cores every second channel is the other core's. */
static inline void store_words(const struct npu_weights_target *t, u8 *to, u32x4 words)
{
	if (t->cores == 1) {
		memcpy(to, &words, sizeof(words));
		return;
	}
	to -= 4 * t->core;
	u32x4 low = load4(to), high = load4(to + 16);
	if (t->core == 0) {
		low = __builtin_shufflevector(low, words, 4, 1, 5, 3);
		high = __builtin_shufflevector(high, words, 6, 1, 7, 3);
	} else {
		low = __builtin_shufflevector(low, words, 0, 4, 2, 5);
		high = __builtin_shufflevector(high, words, 0, 6, 2, 7);
	}
	memcpy(to, &low, sizeof(low));
	memcpy(to + 16, &high, sizeof(high));
}

/* Runs of 8 weights of four channels that lie side by side: a transposition of words. */
static inline void put_four_i8(const struct npu_weights_target *t, u8 *to, const u8 *from)
{
	const u32x4 ab = load4(from), cd = load4(from + 2 * IFM_UBLOCK_D);

	store_words(t, to, __builtin_shufflevector(ab, cd, 0, 2, 4, 6));
	store_words(t, to + 64, __builtin_shufflevector(ab, cd, 1, 3, 5, 7));
}

static inline void put_four_i16(const struct npu_weights_target *t, u8 *to, const u8 *from)
{
	const size_t run = IFM_UBLOCK_D * sizeof(i16);
	const u32x4 a = load4(from), b = load4(from + run), c = load4(from + 2 * run), d = load4(from + 3 * run);

	for (unsigned h = 0; h < 2; h++, to += 128) {
		const u32x4 ac = interleave(a, c, h), bd = interleave(b, d, h);
		store_words(t, to, interleave(ac, bd, false));
		store_words(t, to + 64, interleave(ac, bd, true));
	}
}

/* A run, or n weights of it, by `taps`. */
ALWAYS_INLINE void put_one(const struct npu_weights_target *t, u32 o, size_t k, u32 n, u32 taps, const u8 *from)
{
	u8 *to = (u8 *)t->out + packed_at(t, o, k, taps) * (4 / taps);

	for (u32 i = 0; i < n && i < IFM_UBLOCK_D; i += taps, from += 4, to += 64)
		memcpy(to, from, 4);
}

/* Whole runs of eights of channels by the host's vectors; returns of how many channels. */
ALWAYS_INLINE u32 put_eights(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 runs, u32 taps, const u8 *from, size_t line)
{
	const size_t bytes = 4 / taps;
	u32 oz = 0;

	for (u32 n; oz + 8 <= outs; oz += n) {
		n = t->cores == 1 && (o + oz) % 16 == 0 && outs - oz >= 16 ? 16 : 8;
		t->order(t, n, (u8 *)t->out + packed_at(t, o + oz, k, taps) * bytes, from + oz * IFM_UBLOCK_D * bytes, runs, line * bytes,
			 EIGHT_RUNS * bytes);
	}
	return oz;
}

/* Whether that is all there is to do, as mostly: the channels of a microblock with whole runs. */
ALWAYS_INLINE bool all_eights(const struct npu_weights_target *t, u32 o, u32 outs, u32 n)
{
	return t->order && n % IFM_UBLOCK_D == 0 && n > IFM_UBLOCK_D &&
	       ((outs == 8 && o % 8 == 0 && t->cores <= 2) || (outs == 16 && o % 16 == 0 && t->cores == 1));
}

/* Whole runs of eights and fours of channels, then what is left of channels and runs. */
ALWAYS_INLINE void put_packed(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n, u32 taps, const u8 *from, size_t line)
{
	const size_t bytes = 4 / taps;

	if (all_eights(t, o, outs, n)) {
		t->order(t, outs, (u8 *)t->out + packed_at(t, o, k, taps) * bytes, from, n / IFM_UBLOCK_D, line * bytes, EIGHT_RUNS * bytes);
		return;
	}
	const u32 whole = n / IFM_UBLOCK_D * IFM_UBLOCK_D, fours = t->cores <= 2 && o % 4 == 0 ? outs / 4 * 4 : 0;
	const bool eights = t->order && t->cores <= 2 && o % 8 == 0 && whole > IFM_UBLOCK_D;

	for (u32 oz = eights ? put_eights(t, o, outs, k, whole / IFM_UBLOCK_D, taps, from, line) : 0; oz < fours; oz += 4) {
		u8 *to = (u8 *)t->out + packed_at(t, o + oz, k, taps) * bytes;
		const u8 *run = from + oz * IFM_UBLOCK_D * bytes;
		for (u32 i = 0; (o + oz) % 16 == 0 && i < whole; i += taps) /* of the inputs behind these: fresh memory */
			__builtin_prefetch(to + 16 * (size_t)(whole + i) * bytes, 1);
		for (u32 i = 0; i < whole; i += IFM_UBLOCK_D, run += line * bytes, to += 16 * IFM_UBLOCK_D * bytes)
			if (taps == 4)
				put_four_i8(t, to, run);
			else
				put_four_i16(t, to, run);
	}
	for (u32 i = 0; i < n; i += IFM_UBLOCK_D, from += line * bytes)
		for (u32 oz = i < whole ? fours : 0; oz < outs; oz++)
			put_one(t, o + oz, k + i, n - i, taps, from + oz * IFM_UBLOCK_D * bytes);
}

ALWAYS_INLINE void put_packed_i8(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				 const void *from, size_t line)
{
	put_packed(t, o, outs, k, n, 4, from, line);
}

ALWAYS_INLINE void put_packed_i16(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				  const void *from, size_t line)
{
	put_packed(t, o, outs, k, n, 2, from, line);
}

/* Where runs are torn: their length is no multiple of the taps. */
ALWAYS_INLINE void put_torn(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n, u32 taps, const void *from, size_t line)
{
	for (u32 i = 0; i < n; i++)
		for (u32 oz = 0; oz < outs; oz++) {
			const size_t of = i / IFM_UBLOCK_D * line + oz * IFM_UBLOCK_D + i % IFM_UBLOCK_D;
			const size_t at = packed_at(t, o + oz, k + i, taps) + (k + i) % taps;
			if (taps == 4)
				((i8 *)t->out)[at] = ((const i8 *)from)[of];
			else
				((i16 *)t->out)[at] = ((const i16 *)from)[of];
		}
}

ALWAYS_INLINE void put_torn_i8(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
			       const void *from, size_t line)
{
	put_torn(t, o, outs, k, n, 4, from, line);
}

ALWAYS_INLINE void put_torn_i16(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				const void *from, size_t line)
{
	put_torn(t, o, outs, k, n, 2, from, line);
}

/* `apart`: in memory, of channels. */
ALWAYS_INLINE void put_channels(const struct npu_weights_target *t, size_t at, u32 outs, u32 apart, u32 taps, const void *from)
{
	for (u32 oz = 0; oz < outs; oz++, at += apart)
		if (taps == 4)
			((i8 *)t->out)[at] = ((const i8 *)from)[oz];
		else
			((i16 *)t->out)[at] = ((const i16 *)from)[oz];
}

/* Depthwise: the weights of channels from o on at one place of the kernel. */
ALWAYS_INLINE void put_tap(const struct npu_weights_target *t, u32 o, u32 outs, u32 ky, u32 kx, u32 taps, const void *from)
{
	const size_t line = ky * t->line + kx % taps;

	if (t->cores == 1 && o % 16 + outs <= 16) {
		put_channels(t, packed_at(t, o, kx, taps) + line, outs, taps, taps, from);
		return;
	}
	for (u32 oz = 0; oz < outs; oz++)
		put_channels(t, packed_at(t, o + oz, kx, taps) + line, 1, taps, taps, (const u8 *)from + oz * (4 / taps));
}

#endif
