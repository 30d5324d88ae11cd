/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and differences of bytes through a table of 256 words, which the exponentials of a softmax are. */
#ifndef NPU_KERNELS_BYTE_WORDS_H
#define NPU_KERNELS_BYTE_WORDS_H

#include "npu/kernels/row_level.h"
#include "npu/op.h"

/* One operand: sign * (byte - zero_point). */
struct npu_byte_term {
	i32 sign, zero_point;
	bool is_signed;
};

/* Results are the table's word at sign_a * (a ^ flip_a) + sign_b * (b ^ flip_b) + add, within lo .. hi, which count from -128. */
struct npu_byte_words {
	i16 sign_a, sign_b, add, lo, hi;
	u8 flip_a, flip_b;
};

/* `more`: what is added to both, or to the first one where `b` is NULL. False: not one of these. */
bool npu_byte_words_init(struct npu_byte_words *w, const struct npu_byte_term *a, const struct npu_byte_term *b, i64 more, i64 lo, i64 hi);

/* Rows of n elements, contiguous in a and `to`; b may be NULL, or one for each row (step_b 0, else 1). */
struct npu_byte_grid {
	const u8 *a, *b;
	u8 *to;
	i64 down_a, down_b, down_to, step_b;
	size_t rows, n;
};

/* Which words these are, at most so many elements in all; 15 bytes more may be written. */
#define NPU_BYTE_WORDS 2048
#define NPU_BYTE_WORDS_SLACK 16
void npu_byte_indexes(const struct npu_byte_words *w, const struct npu_byte_grid *g, u8 *at);

/* All of them. `table`: 256 words. */
void npu_byte_words_rows(const struct npu_byte_words *w, const u8 *table, const struct npu_byte_grid *g);

#endif
