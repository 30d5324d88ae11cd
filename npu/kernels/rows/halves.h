/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int16 to int16: products (struct npu_mul16), and one operand through a curve or with a scale for each sign (struct npu_unary16). */
#ifndef NPU_KERNELS_HALVES_H
#define NPU_KERNELS_HALVES_H

#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/words.h"

/* Two dimensions of a walk; `down` and `rows` as npu_walk_grid has them. */
struct npu_halves {
	u8 *const *p;
	const i64 *down, *stride;
	size_t rows, n;
};

/* Map 1 to map 0; false: elements lie apart, nothing has been done. */
bool npu_unary16_run(const struct npu_simd *simd, const struct npu_unary16 *u, const struct npu_halves *h);
/* Before each walk: whether the table is brought into `room` first, where it may have changed since the last one. */
void npu_unary16_begin(struct npu_unary16 *u, const struct npu_simd *simd, const struct npu_op *op, u8 room[NPU_CURVE_BYTES]);
/* int16 as they are, through a table of 512 pieces; what leaves 16 bits wraps or is clipped. */
static inline void npu_unary16_pieces(struct npu_unary16 *u, const void *table, bool wraps)
{
	*u = (struct npu_unary16){
		.curved = true, .up = { .factor = 1 },
		.curve = { .table = table, .lo = INT16_MIN, .hi = INT16_MAX, .bits = 7, .down = 7, .first = 256, .add = 64, .least = INT16_MIN, .most = INT16_MAX,
			   .wraps = wraps },
	};
}
/* Before each walk of results that have such a table: whether they go through `u` in a pass of their own, which takes less time where the table is
 * brought into `room` first; else w->table is looked up. */
void npu_words_begin(struct npu_words *w, struct npu_unary16 *u, const struct npu_simd *simd, const struct npu_op *op, u8 room[NPU_CURVE_BYTES]);
/* The pass, of rows at `to`. */
void npu_unary16_in_place(const struct npu_simd *simd, const struct npu_unary16 *u, u8 *to, i64 down, size_t rows, size_t n);
/* Maps a and b, which is 0 where there is a factor instead, to map 0; false as above. */
bool npu_mul16_run(const struct npu_simd *simd, const struct npu_mul16 *m, unsigned a, unsigned b, const struct npu_halves *h);

/* Whether elements are int16 that these take. */
bool npu_is_half(const struct npu_fm *fm);
/* Whether results are clipped to int16 before or behind what else becomes of them. */
bool npu_stores_half(const struct npu_op *op);

/* Values up to `reach` times a small scale have 32 bits before they are shifted: the scale becomes the operand's factor, and what is left to set are
 * the lanes of `scaled` ones, for a scale of 1. Nothing is left where the scale is a whole number. False: they have more. */
bool npu_scale_first(struct npu_operand8 *o, u32 scale, u8 shift, u64 reach);

#define NPU_CURVE_WORDS 256

/* Of U55 and U65, true where npu_simd has it: values times `scale`, of LRELU negative ones alone, of ABS their magnitudes. The units for tanh and sigmoid are made to a table
 * in `words` if there is room; that pays where npu_table_pays(). */
bool npu_unary16_init(struct npu_unary16 *u, const struct npu_sink *sink, struct npu_scale scale, i32 words[NPU_CURVE_WORDS]);
/* The same of products; `factor` where the second operand is a constant. */
bool npu_mul16_init(struct npu_mul16 *m, const struct npu_sink *sink, i64 factor);

#endif
