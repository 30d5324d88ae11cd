/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the elementwise kernel share: table and 64 bits (elementwise.c), 32-bit lanes
 * (elementwise32.c), sums of bytes (elementwise_sum.c), int32 (elementwise_words.c). Not for use by others. */
#ifndef NPU_KERNELS_ELEMENTWISE_H
#define NPU_KERNELS_ELEMENTWISE_H

#include "npu/kernels/rows/byte_words.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/words.h"

/* How one operand of a 32-bit ADD/SUB is brought to the common scale. */
struct npu_operand {
	const struct npu_fm *fm;
	i32 sign;        /* -1: subtracted */
	bool tabled;
	i32 table[256];  /* 8-bit: by stored byte, scaled and signed */
	struct npu_scale scale;
	unsigned left;   /* shift left instead */
	i32 constant;    /* of a scalar operand, done */
};

/* Everything one operation's rows need. */
struct npu_elementwise_rows {
	const struct npu_op *op;
	const struct npu_simd *simd;
	struct npu_sink sink;
	struct npu_rescale rescale;       /* of results, valid when `fast` points to it; else NULL */
	const struct npu_rescale *fast;
	i64 scalar;                       /* a constant IFM2, minus zero point */
	union {
		struct {
			struct npu_operand first, second; /* IFM and IFM2, whatever the order: 32-bit ADD and SUB */
		};
		NPU_LINE u8 curve_bytes[NPU_CURVE_BYTES]; /* of words_curve */
	};
	bool has_tables;                  /* of these, where they pay */
	i64 reach;                        /* ADD, SUB of 8/16 bits: no sum of scaled operands exceeds it */
	struct npu_add8 sum;              /* sums of bytes */
	struct npu_add16 sum16;           /* of int16 */
	bool sum16_tabled;                /* which unary16 looks up after that */
	struct npu_mul8 product;          /* of bytes */
	struct npu_extreme extreme;       /* maxima and minima of bytes and int16 */
	struct npu_mul16 mul16;           /* of int16 */
	struct npu_unary16 unary16;       /* LRELU of int16, or words_curve */
	npu_walk_row *apart;              /* such whose elements lie apart */
	struct npu_words words;           /* int32, int16 as well where there are vectors for it */
	bool words_curve;                 /* results may go through unary16 instead of their table: npu_words_begin() */
	struct npu_byte_words byte_words; /* bytes to int32 */
	u8 table[256];                    /* results by stored byte */
};

/* Sets both operands and decides whether every intermediate value stays below 2^30 in magnitude. */
bool npu_elementwise32_init(struct npu_elementwise_rows *e);
/* Sums of bytes: the operands' tables, where they pay; once. After npu_elementwise32_init(). */
void npu_elementwise32_tables(struct npu_elementwise_rows *e);
/* Then: one row of npu_walk(). */
npu_walk_row npu_elementwise32_row;

/* Products of bytes to int32 without scaling or clamp; after npu_elementwise32_init(). */
bool npu_product8_fits(const struct npu_op *op);
/* Then: all of the operation, where each row of pixels has one second operand; false: npu_walk() is needed. */
bool npu_product8_all(const struct npu_elementwise_rows *e, const struct npu_view *view);
npu_walk_row npu_product8_row;
/* Whether npu_simd.dots8 can make the sums of its results over the depth, one second operand for each row of pixels. */
bool npu_product8_dots(const struct npu_op *op);

/* Sums of bytes through a table of int32; after npu_elementwise32_init(). Both functions are for npu_walk_grids(). */
bool npu_elementwise_table_init(struct npu_elementwise_rows *e);
npu_walk_row npu_elementwise_table_row;
npu_walk_grid npu_elementwise_table_grid;

/* Operations of int32 and of unscaled int16 (struct npu_words), through a table among them. After npu_sink_init(), and instead of
 * npu_elementwise32_init(); both functions are for npu_walk_grids(). */
bool npu_elementwise_words_init(struct npu_elementwise_rows *e);
/* Before each walk. */
void npu_elementwise_words_begin(struct npu_elementwise_rows *e);
npu_walk_row npu_elementwise_words_row;
npu_walk_grid npu_elementwise_words_grid;
npu_walk_space npu_elementwise_words_space;

/* LRELU and ABS, which have one operand and no operand scaling; then one row of npu_walk(). */
bool npu_unary32_fits(const struct npu_op *op);
npu_walk_row npu_unary32_row;

/* True when the operation is one for npu_simd.add8; after npu_elementwise32_init(). */
bool npu_elementwise_sum_init(struct npu_elementwise_rows *e);
npu_walk_row npu_elementwise_sum_row;
npu_walk_grid npu_elementwise_sum_grid;
/* The same for npu_simd.mul8. */
bool npu_elementwise_product_init(struct npu_elementwise_rows *e);
npu_walk_row npu_elementwise_product_row;
npu_walk_grid npu_elementwise_product_grid;

/* The same for npu_simd.extremes, at any time. Rows whose elements lie apart are for `apart`. */
bool npu_elementwise_extremes_init(struct npu_elementwise_rows *e, npu_walk_row *apart);
npu_walk_row npu_elementwise_extremes_row;
npu_walk_grid npu_elementwise_extremes_grid;

/* The same for npu_simd.add16, whether all values stay small or not. Rows whose elements lie apart are for `apart`. */
bool npu_elementwise_sum16_init(struct npu_elementwise_rows *e, npu_walk_row *apart);
npu_walk_row npu_elementwise_sum16_row;
npu_walk_grid npu_elementwise_sum16_grid;

#endif
