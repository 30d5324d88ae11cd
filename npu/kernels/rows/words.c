/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32; see words.h. Plain loops for the compiler's vectors. */
#include "npu/kernels/rows/words.h"

#include <string.h>

#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/rows/walk.h"
#include "npu/kernels/simd/operands.h"

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

static inline i32 within32(i32 v, i32 lo, i32 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

/* n <= NPU_ROW; each step is a loop of its own, which compilers vectorise. Single precision has all bits of the product. */
static void look_up(const struct npu_words *w, i32 *r, size_t n)
{
	const i32 half = w->table_rounds ? 64 : 0;
	const unsigned bits = w->table_rounds ? 7 : 0;
	i32 word[NPU_ROW], magnitude = 0;

	for (size_t i = 0; i < n; i++)
		word[i] = (r[i] >> 7) + 256;
	npu_row_words(w->table, word, n);
	for (size_t i = 0; i < n; i++) {
		const i32 base = (i32)((u32)word[i] << 16) >> 9, v = (base + (i32)((float)(word[i] >> 16) * (float)(r[i] & 127)) + half) >> bits;
		r[i] = v;
		magnitude |= v ^ v >> 31;
	}
	if (w->table_clips && magnitude > INT16_MAX)
		for (size_t i = 0; i < n; i++)
			r[i] = within32(r[i], INT16_MIN, INT16_MAX);
}

#if ROW_LEVEL == 3
/* What npu_words_rows() leaves: sums that 32 bits do not limit alike. */
static void results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i64 sign_a = w->mode == NPU_EW_SUB && w->swap ? -1 : 1, sign_b = w->mode == NPU_EW_ADD || w->swap ? 1 : -1;

	for (size_t i = 0; i < n; i++)
		r[i] = (i32)(u32)((u64)within((sign_a * WORD(a + 4 * i) + sign_b * WORD(b + (i64)i * step_b) + w->plus) >> w->shift, w->lo, w->hi) + (u64)(i64)w->zero);
}
#else
#include "npu/kernels/rows/words_results.h"
#endif

static void put(const struct npu_words *w, const i32 *r, size_t n, u8 *to)
{
	switch (w->bytes) {
	case 1: PUT(u8); return;
	case 2: PUT(u16); return;
	default: PUT(i32); return;
	}
}

/* Operands of int32. */
static void put_results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to)
{
	i32 r[NPU_ROW];

	results(w, a, b, step_b, n, r);
	if (w->table)
		look_up(w, r, n);
	put(w, r, n, to);
}

#if NPU_WORDS_LEVEL != 2
bool npu_words_planes(const struct npu_words *w, const struct npu_words_space *g)
{
	(void)w;
	(void)g;
	return false;
}
#endif

#ifdef ROW_LEVEL /* npu_words_rows() is in simd/words.h and simd/words_rows_avx2.h */
void npu_words_row(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to)
{
	if (!npu_words_rows(w, &(struct npu_words_grid){ .a = a, .b = b, .to = to, .step_b = step_b, .rows = 1, .n = n }))
		put_results(w, a, b, step_b, n, to);
}
#else
#define ROW_LEAST 32 /* shorter rows take less time together */

static i32 half_of(const u8 *p)
{
	i16 half;

	memcpy(&half, p, sizeof(half));
	return half;
}

/* One at least. */
static const u8 *words_of(const u8 *p, unsigned bytes, size_t n, i32 *room)
{
	if (bytes == sizeof(i32))
		return p;
	room[0] = half_of(p);
	for (size_t i = 1; i < n; i++)
		room[i] = half_of(p + i * sizeof(i16));
	return (const u8 *)room;
}

void npu_words_row(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to)
{
	i32 first[NPU_ROW], second[NPU_ROW];

	put_results(w, words_of(a, w->bytes_a, n, first), words_of(b, w->bytes_b, step_b ? n : 1, second), step_b ? sizeof(i32) : 0, n, to);
}

/* What bricks consist of: they are looked up together. */
static void rows_of_16(const struct npu_words *w, const struct npu_words_grid *g)
{
	const bool beside = g->down_to == (i64)(NPU_GROUP * w->bytes);
	const size_t most = w->table || beside ? NPU_ROW / NPU_GROUP : 1;
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;
	i32 v[NPU_ROW];

	for (size_t r = 0, part; r < g->rows; r += part) {
		part = g->rows - r < most ? g->rows - r : most;
		for (size_t i = 0; i < part; i++, a += g->down_a, b += g->down_b)
			if (g->step_b)
				results(w, a, b, sizeof(i32), NPU_GROUP, v + i * NPU_GROUP);
			else
				results(w, a, b, 0, NPU_GROUP, v + i * NPU_GROUP);
		if (w->table)
			look_up(w, v, part * NPU_GROUP);
		if (beside)
			put(w, v, part * NPU_GROUP, to);
		for (size_t i = 0; !beside && i < part; i++)
			put(w, v + i * NPU_GROUP, NPU_GROUP, to + (i64)i * g->down_to);
		to += (i64)part * g->down_to;
	}
}

bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	if (g->n == NPU_GROUP && w->bytes_a == sizeof(i32) && w->bytes_b == sizeof(i32)) {
		rows_of_16(w, g);
		return true;
	}
	if (g->n < ROW_LEAST)
		return false;
	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b += g->down_b, to += g->down_to)
		for (size_t i = 0, n; i < g->n; i += n) {
			n = g->n - i < NPU_ROW ? g->n - i : NPU_ROW;
			npu_words_row(w, a + i * w->bytes_a, b + (i64)i * g->step_b, g->step_b, n, to + i * w->bytes);
		}
	return true;
}
#endif
