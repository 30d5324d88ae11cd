/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of elements between memory and wide integers: load, scale, output stage, store. */
#ifndef NPU_KERNELS_ROWS_H
#define NPU_KERNELS_ROWS_H

#include "npu/kernels/conv/sink.h"
#include "npu/kernels/rows/walk.h"

/* Values of the 32-bit forms stay below this in magnitude. */
#define NPU_ROW_LIMIT (INT64_C(1) << 30)

/* Whether an operation has so many elements that a table of the 256 results of bytes pays: they take as long as a row of
 * 256 elements. */
static inline bool npu_table_pays(const struct npu_op *op)
{
	return (u64)op->ofm.height * op->ofm.width * op->ofm.depth >= 512;
}

/* The same for tables of both operands, which are filled one entry at a time. */
static inline bool npu_operand_tables_pay(const struct npu_op *op)
{
	return (u64)op->ofm.height * op->ofm.width * op->ofm.depth >= 2048;
}

/* Scales that are powers of two; which one. */
static inline bool npu_is_power(u32 scale)
{
	return scale && !(scale & (scale - 1));
}

static inline unsigned npu_log2(u32 power)
{
	return (unsigned)__builtin_ctz(power);
}

/* Value of a stored byte, minus zero point. */
static inline i64 npu_byte_value(const struct npu_fm *fm, unsigned byte)
{
	return (fm->is_signed ? (i8)byte : (i32)byte) - (i64)fm->zero_point;
}

/* Elements minus zero point. The 32-bit form is for 8/16-bit elements. */
void npu_row_load32(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i32 *out);
void npu_row_load64(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out);
/* True when elements are contiguous int32 whose zero point is 0. */
bool npu_row_plain32(const struct npu_fm *fm, i64 stride);

/* sum[r] = all channels, minus zero point, of the pixel at p + r * step. */
void npu_row_sums(const struct npu_simd *simd, const struct npu_fm *fm, const u8 *p, i64 step, size_t rows, i64 *sum);

/* The rounding of s as one constant for each sign, which products get before they are shifted: two roundings are two nested
 * floors. s.shift is 1 .. 62. */
void npu_rounding_of(struct npu_scale s, i64 *plus, i64 *minus);

/* npu_scale_round() of every element, in place. */
void npu_row_scale64(const struct npu_simd *simd, i64 *v, size_t n, struct npu_scale s);

/* Same for values below 2^30 in magnitude whose results are, too; `fast` is NULL or holds the
 * scale in all lanes. `v` has room up to a multiple of 16 elements. */
void npu_row_scale32(const struct npu_simd *simd, const struct npu_rescale *fast, i32 *v, size_t n,
		     struct npu_scale s);

/* Output stage and store. |v| < 2^30 for the 32-bit form, room as above. */
void npu_row_store32(const struct npu_sink *s, i32 *v, size_t n, u8 *p, i64 stride);
void npu_row_store64(const struct npu_sink *s, const i64 *v, size_t n, u8 *p, i64 stride);


/* ... and of n contiguous int16. */
void npu_row_add16(const struct npu_simd *simd, const struct npu_add16 *s, const u8 *a, const u8 *b, size_t n,
		   u8 *out);

/* Elements of one or two bytes side by side: one for all n <= NPU_ROW is repeated in `room`. NULL: they lie apart. */
const u8 *npu_row_beside(const u8 *p, i64 stride, unsigned bytes, size_t n, u8 room[NPU_ROW * 2]);

/* What a row function of one operand makes of all 256 bytes: `table`, elements of `bytes` each. True when each result is
 * the byte itself. */
bool npu_row_of_bytes(npu_walk_row *row, void *ctx, u8 *table, unsigned bytes);

/* Bytes through a table. */
void npu_row_table(const struct npu_simd *simd, const u8 table[256], const u8 *from, i64 from_stride, u8 *to, i64 to_stride,
		   size_t n);

/* The same of rows, as npu_walk_grid has them. */
static inline bool npu_row_table_grid(const struct npu_simd *simd, const u8 table[256], u8 *const p[NPU_WALK_MAPS],
				      const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	return simd->look_up_rows && stride[0] == 1 && stride[1] == 1 &&
	       simd->look_up_rows(table, &(struct npu_byte_rows){ p[1], p[0], down[1], down[0], rows, n });
}

/* Fills every lane; false when the fast form does not cover this scale. */
bool npu_rescale_all(struct npu_rescale *r, struct npu_scale s);

/* Those of 32 bits, for npu_simd.rescale_above. */
bool npu_rescale_above(struct npu_rescale *r, struct npu_scale s);

/* The same for npu_row_scale32() and values of at most `reach`, which may have to be shifted first. */
bool npu_rescale_values(struct npu_rescale *r, struct npu_scale s, u64 reach);

#endif
