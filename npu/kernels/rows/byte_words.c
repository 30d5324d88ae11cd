/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to words; see byte_words.h. What is looked up is worked out in 16 bits by plain loops, for several rows at once where results lie one behind
 * the other. */
#include "npu/kernels/rows/byte_words.h"

#include "npu/kernels/simd/simd.h"
#include "npu/kernels/rows/tabled.h"

#define MOST 30000 /* leaves room in 16 bits for two bytes */

/* As a byte whose top bit is changed; what it has too much is taken off once. */
static i64 too_much(const struct npu_byte_term *t)
{
	return (i64)t->sign * ((t->is_signed ? 128 : 0) + (i64)t->zero_point);
}

bool npu_byte_words_init(struct npu_byte_words *w, const struct npu_byte_term *a, const struct npu_byte_term *b, i64 more, i64 lo, i64 hi)
{
	const i64 add = more - too_much(a) - (b ? too_much(b) : 0);

	if (add > MOST || add < -MOST || lo < INT8_MIN || hi > INT8_MAX || lo > hi)
		return false;
	*w = (struct npu_byte_words){ .sign_a = (i16)a->sign, .sign_b = (i16)(b ? b->sign : 0), .add = (i16)add, .lo = (i16)lo, .hi = (i16)hi,
				      .flip_a = a->is_signed ? 128 : 0, .flip_b = b && b->is_signed ? 128 : 0 };
	return true;
}

#ifndef ROW_LEVEL /* else it is in simd/byte_words.h */
static inline u8 index_of(const struct npu_byte_words *w, u8 a, i16 more)
{
	const i16 v = (i16)(w->sign_a * (u8)(a ^ w->flip_a) + more), least = v < w->lo ? w->lo : v;

	return (u8)((least > w->hi ? w->hi : least) + 128);
}

static inline i16 term_b(const struct npu_byte_words *w, u8 b)
{
	return (i16)(w->sign_b * (u8)(b ^ w->flip_b) + w->add);
}

void npu_byte_indexes(const struct npu_byte_words *all, const struct npu_byte_grid *g, u8 *restrict at)
{
	const struct npu_byte_words w = *all;
	const u8 *restrict a = g->a, *restrict b = g->b;
	const size_t n = g->n;

	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b = b ? b + g->down_b : NULL, at += n) {
		const i16 more = b ? term_b(&w, *b) : w.add;
		if (b && g->step_b)
			for (size_t i = 0; i < n; i++)
				at[i] = index_of(&w, a[i], term_b(&w, b[i]));
		else
			for (size_t i = 0; i < n; i++)
				at[i] = index_of(&w, a[i], more);
	}
}
#endif

/* Rows of results that do not lie one behind the other are written one by one. */
static void put_words(const struct npu_byte_grid *g, const u8 *table, const u8 *at, u8 *to)
{
	if (g->down_to == (i64)(g->n * sizeof(i32))) {
		npu_row_byte_words(table, at, g->rows * g->n, to);
		return;
	}
	for (size_t r = 0; r < g->rows; r++, at += g->n, to += g->down_to)
		npu_row_byte_words(table, at, g->n, to);
}

void npu_byte_words_rows(const struct npu_byte_words *w, const u8 *table, const struct npu_byte_grid *g)
{
	const size_t most = g->n < NPU_BYTE_WORDS ? NPU_BYTE_WORDS / g->n : 1;
	struct npu_byte_grid part = *g;
	u8 at[NPU_BYTE_WORDS + NPU_BYTE_WORDS_SLACK];

	for (size_t r = 0; r < g->rows; r += part.rows) {
		part.rows = g->rows - r < most ? g->rows - r : most;
		for (size_t i = 0; i < g->n; i += part.n) { /* once, but where one row is too long */
			part.n = g->n - i < NPU_BYTE_WORDS ? g->n - i : NPU_BYTE_WORDS;
			part.a = g->a + (i64)r * g->down_a + i;
			part.b = g->b ? g->b + (i64)r * g->down_b + (i64)i * g->step_b : NULL;
			npu_byte_indexes(w, &part, at);
			put_words(&part, table, at, g->to + (i64)r * g->down_to + i * sizeof(i32));
		}
	}
}
