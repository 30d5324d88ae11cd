/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32 by int32: products, shifts, sums, extremes. What softmax and layer normalisation consist of. */
#ifndef NPU_KERNELS_WORDS_H
#define NPU_KERNELS_WORDS_H

#include "npu/kernels/row_level.h"
#include "npu/op.h"

#ifdef ROW_LEVEL
#define NPU_WORDS_LEVEL ROW_LEVEL
#else
#define NPU_WORDS_LEVEL 0
#endif

/* Results are v = (a * b + (a * b < 0 ? minus : plus)) >> shift, a shifted right by b with ties upwards (nothing is left from 32 on), a shifted left by b,
 * (a + b + plus) >> shift, (a - b + plus) >> shift, the lower or higher of them, or the zeros above the highest bit of a; stored as v within lo .. hi, plus zero. */
struct npu_words {
	u8 mode;      /* NPU_EW_MUL, NPU_EW_SHR, NPU_EW_SHL, NPU_EW_ADD, NPU_EW_SUB, NPU_EW_MIN, NPU_EW_MAX or NPU_EW_CLZ */
	u8 bytes;     /* of a result: 1, 2 or 4 */
	u8 bytes_a, bytes_b; /* of an operand: 4, or 2 where npu_words_take_halves() */
	u8 shift;     /* of products at most 61, of sums at most 31, of differences not 1 */
	i64 plus, minus; /* of sums 0, or half of 1 << shift */
	i64 lo, hi;   /* lo <= hi */
	i32 zero;
	/* Results are int16, which a table of 512 words makes others of: a base in its low half, a slope in its high half. NULL: none. */
	const u8 *table;
	bool swap; /* a and b change places */
	bool table_rounds; /* else with the 7 bits behind the binary point */
	bool table_clips;  /* to int16, after that */
};

/* The output stage of `op` without a table, and operands of 4 bytes; `clips`: it has lo and hi. False: not one of these. */
bool npu_words_output(struct npu_words *w, const struct npu_op *op, i32 zero, bool clips);

/* Contiguous n <= NPU_ROW elements; b may be one for all (step_b 0, else bytes_b). `to` may be a or b where elements have the same size. */
void npu_words_row(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to);

/* Rows of such elements, which are so many bytes apart; of any length. */
struct npu_words_grid {
	const u8 *a, *b;
	u8 *to;
	i64 down_a, down_b, down_to, step_b;
	size_t rows, n;
};

/* Results are limited to ends that have 32 bits, or not at all. */
static inline bool npu_words_narrow(const struct npu_words *w)
{
	return (w->lo >= INT32_MIN && w->hi <= INT32_MAX) || (w->lo == INT64_MIN && w->hi == INT64_MAX);
}

/* Whether operands may have 2 bytes. */
static inline bool npu_words_take_halves(const struct npu_words *w)
{
	return !NPU_WORDS_LEVEL || (npu_words_narrow(w) && (NPU_WORDS_LEVEL == 3 || w->mode == NPU_EW_MUL || w->mode == NPU_EW_ADD || w->mode == NPU_EW_SUB));
}

/* False: there are no vectors for it or rows are too short, nothing has been done. */
bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g);

/* Planes of such rows. */
struct npu_words_space {
	struct npu_words_grid plane;
	i64 deep_a, deep_b, deep_to;
	size_t planes;
};

/* The same where it takes less time than plane by plane. */
bool npu_words_planes(const struct npu_words *w, const struct npu_words_space *g);

#endif
