/* SPDX-License-Identifier: Apache-2.0 */
/* Where weights go: functions for npu_weights_put_fn, in a header so that they become part of the loops
 * over a stream's order. They lie in runs of 8 input channels of one tap of one output channel. */
#ifndef NPU_KERNELS_WEIGHTS_PUT_H
#define NPU_KERNELS_WEIGHTS_PUT_H

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/weights.h"

#define IFM_UBLOCK_D 8

/* In the order of channels, taps, input channels. */
ALWAYS_INLINE void put_sorted(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
			      const i16 *from, size_t line)
{
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

/* Four int16 lanes to four int8. */
static inline u32 narrow4(const i16 *from)
{
	u64 v;
	memcpy(&v, from, sizeof(v));
	v &= UINT64_C(0x00ff00ff00ff00ff);
	v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (u32)(v | v >> 16);
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

/* 8 int16 each to { a[0..3], b[0..3], a[4..7], b[4..7] } in bytes. */
static inline u32x4 narrow_two(const i16 *a, const i16 *b)
{
	typedef u8 u8x16 __attribute__((vector_size(16)));
	const u8x16 va = (u8x16)load4(a), vb = (u8x16)load4(b);
	const u32x4 v = (u32x4)__builtin_shufflevector(va, vb, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
						       26, 28, 30);
	return __builtin_shufflevector(v, v, 0, 2, 1, 3);
}

/* Runs of 8 weights of four channels that lie side by side: a transposition of words. */
static inline void put_four_i8(u8 *to, const i16 *from)
{
	const u32x4 ab = narrow_two(from, from + IFM_UBLOCK_D);
	const u32x4 cd = narrow_two(from + 2 * IFM_UBLOCK_D, from + 3 * IFM_UBLOCK_D);
	const u32x4 first = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	const u32x4 second = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);

	memcpy(to, &first, sizeof(first));
	memcpy(to + 64, &second, sizeof(second));
}

static inline void put_four_i16(u8 *to, const i16 *from)
{
	const u32x4 a = load4(from), b = load4(from + IFM_UBLOCK_D);
	const u32x4 c = load4(from + 2 * IFM_UBLOCK_D), d = load4(from + 3 * IFM_UBLOCK_D);

	for (unsigned h = 0; h < 2; h++, to += 128) {
		const u32x4 ac = interleave(a, c, h), bd = interleave(b, d, h);
		const u32x4 first = interleave(ac, bd, false), second = interleave(ac, bd, true);
		memcpy(to, &first, sizeof(first));
		memcpy(to + 64, &second, sizeof(second));
	}
}

/* A run, or n weights of it. */
static inline void put_one_i8(const struct npu_weights_target *t, u32 o, size_t k, u32 n, const i16 *from)
{
	i8 *to = (i8 *)t->out + packed_at(t, o, k, 4);
	u32 four = narrow4(from);

	memcpy(to, &four, 4);
	if (n > 4) {
		four = narrow4(from + 4);
		memcpy(to + 64, &four, 4);
	}
}

static inline void put_one_i16(const struct npu_weights_target *t, u32 o, size_t k, u32 n, const i16 *from)
{
	i16 *to = (i16 *)t->out + packed_at(t, o, k, 2);

	for (u32 i = 0; i < n && i < IFM_UBLOCK_D; i += 2)
		memcpy(to + 16 * i, from + i, 4);
}

/* Whole runs of fours of channels, then what is left of channels and runs. */
ALWAYS_INLINE void put_packed(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n, u32 taps, const i16 *from, size_t line)
{
	const u32 whole = n / IFM_UBLOCK_D * IFM_UBLOCK_D, fours = t->cores == 1 && o % 4 == 0 ? outs / 4 * 4 : 0;
	const size_t bytes = 4 / taps;

	for (u32 oz = 0; oz < fours; oz += 4) {
		u8 *to = (u8 *)t->out + packed_at(t, o + oz, k, taps) * bytes;
		const i16 *run = from + oz * IFM_UBLOCK_D;
		for (u32 i = 0; i < whole; i += IFM_UBLOCK_D, run += line, to += 16 * IFM_UBLOCK_D * bytes)
			if (taps == 4)
				put_four_i8(to, run);
			else
				put_four_i16(to, run);
	}
	for (u32 i = 0; i < n; i += IFM_UBLOCK_D, from += line)
		for (u32 oz = i < whole ? fours : 0; oz < outs; oz++)
			if (taps == 4)
				put_one_i8(t, o + oz, k + i, n - i, from + oz * IFM_UBLOCK_D);
			else
				put_one_i16(t, o + oz, k + i, n - i, from + oz * IFM_UBLOCK_D);
}

ALWAYS_INLINE void put_packed_i8(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				 const i16 *from, size_t line)
{
	put_packed(t, o, outs, k, n, 4, from, line);
}

ALWAYS_INLINE void put_packed_i16(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				  const i16 *from, size_t line)
{
	put_packed(t, o, outs, k, n, 2, from, line);
}

/* Where runs are torn: their length is no multiple of the taps. */
ALWAYS_INLINE void put_torn(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n, u32 taps, const i16 *from, size_t line)
{
	for (u32 i = 0; i < n; i++)
		for (u32 oz = 0; oz < outs; oz++) {
			const i16 w = from[i / IFM_UBLOCK_D * line + oz * IFM_UBLOCK_D + i % IFM_UBLOCK_D];
			const size_t at = packed_at(t, o + oz, k + i, taps) + (k + i) % taps;
			if (taps == 4)
				((i8 *)t->out)[at] = (i8)w;
			else
				((i16 *)t->out)[at] = w;
		}
}

ALWAYS_INLINE void put_torn_i8(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
			       const i16 *from, size_t line)
{
	put_torn(t, o, outs, k, n, 4, from, line);
}

ALWAYS_INLINE void put_torn_i16(const struct npu_weights_target *t, u32 o, u32 outs, size_t k, u32 n,
				const i16 *from, size_t line)
{
	put_torn(t, o, outs, k, n, 2, from, line);
}

#endif
