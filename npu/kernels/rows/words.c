/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32; see words.h. Plain loops for the compiler's vectors. */
#include "npu/kernels/rows/words.h"

#include <string.h>

#include "npu/kernels/rows/walk.h"

bool npu_words_output(struct npu_words *w, const struct npu_op *op, i32 zero, bool clips)
{
	w->bytes = op->ofm.bytes;
	w->bytes_a = w->bytes_b = sizeof(i32);
	w->table = NULL;
	w->table_clips = false;
	w->swap = false;
	w->zero = zero;
	w->lo = clips ? (i64)op->lo - zero : INT64_MIN;
	w->hi = clips ? (i64)op->hi - zero : INT64_MAX;
	return op->ofm.bytes <= 4 && w->lo <= w->hi && w->lo <= INT32_MAX && w->hi >= INT32_MIN;
}

#define WORD(p) ({ i32 w_; memcpy(&w_, (p), sizeof(w_)); w_; })

static inline i64 within(i64 v, i64 lo, i64 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

#define PUT(T) do { \
	for (size_t i = 0; i < n; i++) { \
		const T e_ = (T)r[i]; \
		memcpy(to + i * sizeof(e_), &e_, sizeof(e_)); \
	} } while (0)

static i32 word_of(const u8 *table, i32 at)
{
	return WORD(table + 4 * at);
}

static void look_up(const struct npu_words *w, i32 *r, size_t n)
{
	const i32 half = w->table_rounds ? 64 : 0;
	const unsigned bits = w->table_rounds ? 7 : 0;

	for (size_t i = 0; i < n; i++) {
		const i32 word = word_of(w->table, (r[i] >> 7) + 256);
		r[i] = ((i16)word * 128 + (word >> 16) * (r[i] & 127) + half) >> bits;
	}
	if (w->table_clips)
		for (size_t i = 0; i < n; i++)
			r[i] = (i32)within(r[i], INT16_MIN, INT16_MAX);
}

#if ROW_LEVEL == 3
/* What npu_words_rows() leaves: sums that 32 bits do not limit alike. */
static void results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i64 sign_a = w->mode == NPU_EW_SUB && w->swap ? -1 : 1, sign_b = w->mode == NPU_EW_ADD || w->swap ? 1 : -1;

	for (size_t i = 0; i < n; i++)
		r[i] = (i32)(u32)((u64)within(sign_a * WORD(a + 4 * i) + sign_b * WORD(b + (i64)i * step_b), w->lo, w->hi) + (u64)(i64)w->zero);
}
#else
/* Each variant once for many second operands, once for one. */
#define EACH_OF(X, Y, RESULT) do { \
	if (step_b) \
		for (size_t i = 0; i < n; i++) { \
			const i32 X = WORD(a + 4 * i), Y = WORD(b + 4 * i); \
			(void)y; \
			r[i] = (i32)(u32)((u64)(RESULT) + (u64)zero); \
		} \
	else \
		for (size_t i = 0; i < n; i++) { \
			const i32 X = WORD(a + 4 * i), Y = one; \
			(void)y; \
			r[i] = (i32)(u32)((u64)(RESULT) + (u64)zero); \
		} \
	} while (0)
#define EACH(RESULT) EACH_OF(x, y, RESULT)
#define ORDERED(RESULT) do { \
	if (w->swap) \
		EACH_OF(y, x, RESULT); \
	else \
		EACH(RESULT); \
	} while (0)

/* In 32 bits; (v + half) >> s is v >> s and the bit below. */
static inline i32 shifted(i32 v, i32 by, i32 most)
{
	const i32 s = by < 0 ? 0 : by > 31 ? 31 : by;
	const i32 r = (v >> s) + (v >> ((s - 1) & 31) & (s > 0));

	return by > most ? 0 : r;
}

/* Limited to 32 bits, without wider lanes. */
static inline i32 added(i32 x, i32 y)
{
	const i32 sum = (i32)((u32)x + (u32)y);

	return ((x ^ sum) & (y ^ sum)) < 0 ? (x >> 31) ^ INT32_MAX : sum;
}

static inline i32 subtracted(i32 x, i32 y)
{
	const i32 difference = (i32)((u32)x - (u32)y);

	return ((x ^ y) & (x ^ difference)) < 0 ? (x >> 31) ^ INT32_MAX : difference;
}

static inline i32 within32(i32 v, i32 lo, i32 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

static inline i32 shifted_left(i32 v, i32 by)
{
	return (i32)((u32)v << (by < 0 ? 0 : by > 31 ? 31 : by));
}

/* The exponent tells where the highest bit is; without the bit below that no rounding reaches the next power of two. */
static inline i32 zeros_above(i32 v)
{
	const float f = (float)(i32)((u32)v & ~((u32)v >> 1));
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return within32(158 - (i32)(bits >> 23), 0, 32); /* less than none: of a sign */
}

static i32 in_32(i64 v)
{
	return (i32)within(v, INT32_MIN, INT32_MAX);
}

static void results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i64 plus = w->plus, minus = w->minus, lo = w->lo, hi = w->hi, zero = w->zero;
	const i32 one = WORD(b), most = w->most, lo32 = in_32(lo), hi32 = in_32(hi);
	const bool narrow = lo >= INT32_MIN && hi <= INT32_MAX; /* sums may be limited to 32 bits first */
	const unsigned shift = w->shift;

	switch (w->mode) {
	case NPU_EW_MUL:
		if (plus == minus)
			EACH(within(((i64)x * y + plus) >> shift, lo, hi));
		else
			EACH(within(((i64)x * y + ((x ^ y) < 0 ? minus : plus)) >> shift, lo, hi));
		break;
	case NPU_EW_SHR: ORDERED((i64)within32(shifted(x, y, most), lo32, hi32)); break;
	case NPU_EW_SHL: ORDERED((i64)within32(shifted_left(x, y), lo32, hi32)); break;
	case NPU_EW_MIN: EACH((i64)within32(x < y ? x : y, lo32, hi32)); break;
	case NPU_EW_MAX: EACH((i64)within32(x > y ? x : y, lo32, hi32)); break;
	case NPU_EW_CLZ: EACH((i64)within32(zeros_above(x), lo32, hi32)); break;
	case NPU_EW_ADD:
		if (narrow)
			EACH((i64)within32(added(x, y), lo32, hi32));
		else
			EACH(within((i64)x + y, lo, hi));
		break;
	default:
		if (narrow)
			ORDERED((i64)within32(subtracted(x, y), lo32, hi32));
		else
			ORDERED(within((i64)x - y, lo, hi));
		break;
	}
}

#ifndef ROW_LEVEL /* else it is in simd/words_avx2.h */
bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	(void)w;
	(void)g;
	return false;
}
#endif
#endif

void npu_words_row(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to)
{
	i32 r[NPU_ROW];

	if (npu_words_rows(w, &(struct npu_words_grid){ .a = a, .b = b, .to = to, .step_b = step_b, .rows = 1, .n = n }))
		return;
	results(w, a, b, step_b, n, r);
	if (w->table)
		look_up(w, r, n);
	switch (w->bytes) {
	case 1: PUT(u8); return;
	case 2: PUT(u16); return;
	default: PUT(i32); return;
	}
}
