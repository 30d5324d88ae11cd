/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of U85's elementwise kernel share. Not for use by others. */
#ifndef NPU_KERNELS_U85_ELEMENTWISE_H
#define NPU_KERNELS_U85_ELEMENTWISE_H

#include "npu/kernels/rows/byte_words.h"
#include "npu/kernels/u85/job.h"
#include "npu/kernels/u85/rows.h"
#include "npu/kernels/rows/words.h"

/* One operand. */
struct npu85_operand {
	const struct npu_fm *fm; /* NULL: the constant */
	unsigned map;            /* of the walk */
	i64 constant;            /* minus zero point, scaled */
	struct npu85_stage scale;
	bool tabled;
	i32 table[256];          /* by stored byte: scaled */
};

struct npu85_elementwise {
	const struct npu_op *op;
	const struct npu_simd *simd;
	bool single;             /* a pool of one element */
	struct npu85_operand a, b;
	struct npu85_stage result;
	struct npu85_out out;
	i64 reach;               /* of results before they are scaled; INT64_MAX: not known */
	struct npu_add8 sum;
	struct npu_add16 sum16;
	bool sum16_tabled;       /* sums are looked up by unary16 after that */
	struct npu_mul8 product;
	struct npu_mul16 mul16;
	struct npu_extreme extreme;
	struct npu_unary16 unary16;
	struct npu_words words;
	bool words_curve;        /* whose results may go through unary16 instead of their table: npu_words_begin() */
	struct npu_byte_words byte_words;
	struct npu_to_words to_words;
	struct npu_to_narrow to_narrow;
	const struct npu_view *view;
	struct npu_walk_map maps[NPU_WALK_MAPS];
	struct npu85_turned turned; /* one of them, where elements are copied to a tensor that is turned */
	struct npu_walk_pixel pixel;
	unsigned count;
	npu_walk_row *apart;     /* for rows of sums and words whose elements lie apart */
	npu_walk_grid *grid;     /* for two dimensions at a time; NULL: rows alone */
	npu_walk_space *space;   /* for three; NULL: the others alone */
	npu_walk_row *row, *of_bytes; /* NULL: elements as they are. The second makes the table that the first one uses; NULL: it uses none */
	bool is_straight;
	struct npu_straight straight; /* then: the same as the table */
	NPU_LINE u8 table[256 * 8]; /* or NPU_CURVE_BYTES of unary16 */
};

/* Set `row` where an operation is one for npu_simd.add8, mul8 or add16, else false. Operands, stages, `reach` and output are known. Rows whose
 * elements lie apart are for `apart`; sums of int16 set `grid` as well. */
bool npu85_sum8_init(struct npu85_elementwise *e, npu_walk_row *apart);
bool npu85_product8_init(struct npu85_elementwise *e, npu_walk_row *apart);
bool npu85_sum16_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* The same for pools of one element of int16 whose values stay below 2^30. */
bool npu85_scaled16_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* The same for npu_simd.mul16, and for unary16: pools of one element with a table, LRELU, ABS. Both set `grid`. */
bool npu85_mul16_init(struct npu85_elementwise *e, npu_walk_row *apart);
bool npu85_unary16_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* Rows, and several at a time, by `grid`; `apart` takes the rows that it refuses. */
void npu85_rows_by_grid(struct npu85_elementwise *e, npu_walk_grid *grid, npu_walk_row *apart);
/* The same for npu_simd.extremes. */
bool npu85_extremes_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* Before each walk. */
void npu85_unary16_begin(struct npu85_elementwise *e);
/* Likewise with `grid`, for npu_words_rows(): operands of int32 or int16 that are not scaled. After npu85_out_init(). */
bool npu85_words_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* Whether that takes a sum or difference of int32 that is shifted with ties upwards, where it leaves 32 bits before as well. */
bool npu85_words_halve(const struct npu85_elementwise *e);
/* Likewise, for npu_byte_words_rows(). */
bool npu85_byte_words_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* The same without `grid`, for pools of one element of int32: those that are small are scaled in 32 bits. */
bool npu85_single_words_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* Likewise with `grid`, for those of bytes and int16 to int32, which are not scaled or shifted to the left. */
bool npu85_widened_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* Likewise, of bytes to int16, of int16 to bytes and of int32 to both, and for sums of int32: with any scale that vectors have room for. */
bool npu85_narrowed_init(struct npu85_elementwise *e, npu_walk_row *apart);
/* The same for comparisons, bits and shifts of int32 whose results have 32 bits, or of which the low words are stored. */
bool npu85_bits_init(struct npu85_elementwise *e);
/* `grid` alone, of one operand of bytes whose results are a table of words. */
void npu85_table_words_init(struct npu85_elementwise *e);

#endif
