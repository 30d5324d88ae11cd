/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of scalings, of what is stored, and of rows of elements (struct npu_simd of simd.h). */
#ifndef NPU_KERNELS_SIMD_OPERANDS_H
#define NPU_KERNELS_SIMD_OPERANDS_H

#include "memory/types.h"

#define NPU_GROUP 16 /* channels */
#define NPU_BRICK_LINES 3 /* of a receptive field that becomes bricks */
#define NPU_LINE __attribute__((aligned(64))) /* a vector that crosses lines takes twice as long */

/* Exact rescale of 16 channels in 32-bit lanes:
 *   v = ((i64)acc * scale + add - (acc < 0 ? negative : 0)) >> 32 >> shift
 * DBL:     add = 2^(s-1) + 2^30, negative = 2^31. Its two roundings (ties up at bit 31, the
 *          rest away from zero) are two nested floors, hence one with a constant that depends
 *          on the sign. NATURAL: add = 2^(s-1), negative = 0.
 * Holds for scale < 2^31 and total shift s = 32 .. 62.
 *
 * Estimate, in single precision: x * factor + offset (with the sign of x where `negative` is not 0)
 * is within |v| * 2^-22 of what the formula rounds down 0.5 above of. For small values' bytes that
 * decides but for values next to a tie, which are computed by the formula. In lanes that are `exact` it decides always: factor and offset
 * are multiples of 2^-16 * NPU_ESTIMATE_GRAIN, so that results below 2048 lose nothing, and ties are what their bits say. */
struct npu_rescale {
	float factor[NPU_GROUP], offset[NPU_GROUP];
	bool estimate;        /* these are valid */
	u8 left;              /* rows (rows.h): values are shifted left by so much first */
	u32 negative;         /* 0 or 2^31 */
	u32 exact;            /* bit 2 * lane */
	bool fits;            /* see npu_channels.some */
	/* of no interest where the estimate decides: often not in the caches */
	NPU_LINE i32 scale[NPU_GROUP];
	i64 add[2][NPU_GROUP / 2]; /* of even and odd channels, as vectors hold them */
	i32 shift[NPU_GROUP]; /* s - 32 */
} NPU_LINE;

#define NPU_ESTIMATE_GRAIN 32

/* The exact rescale of roundings whose signs have any two constants: v = ((i64)v * scale + (v < 0 ? minus : plus)) >> shift. The same for all lanes.
 * Holds for 0 < scale < 2^31 and shift = 32 .. 62. */
struct npu_rescale_signs {
	i64 plus, minus;
	i32 scale;
	u8 shift;
};
#define NPU_SMALL_VALUE 32000 /* 2^15 less a zero point */

/* A rounding by any shift: what is added to values of 0 and more, and to negative ones, before 2^shift units are one. Masks: of half that, of one less than it;
 * and of shifts above `above` something `more`. */
struct npu_rounding {
	u64 half[2], rest[2], more[2];
	u8 above;
};

/* Rescaled value to stored byte: + zero_point, clamp to lo .. hi. Vectors saturate to 16 and 8
 * bits on the way: |zero_point| <= 32000, and lo .. hi within int8, or with is_unsigned uint8. */
struct npu_narrow8 {
	i32 zero_point, lo, hi;
	bool is_unsigned;
	bool small; /* no rescaled value reaches NPU_SMALL_VALUE: estimates hold */
	const u8 *table; /* 256 bytes indexed by the clamped byte; NULL: none */
};

/* Rescaled value to stored int16: + zero_point, clamp to lo .. hi within int16. */
struct npu_narrow16 {
	i32 zero_point, lo, hi;
};

/* One operand of a sum of bytes: (byte - zero_point) * factor, scaled. */
struct npu_operand8 {
	i32 zero_point, factor;
	bool is_signed, scaled;
	bool by_sign; /* of products and unary operations of int16: `signs` scales it, not `rescale` */
	struct npu_rescale rescale;
	struct npu_rescale_signs signs;
};

/* A sum or difference of bytes to bytes; every value on the way is below 2^31.
 *
 * Estimate: (a - zero point) * factor_a + (b - zero point) * factor_b + offset is the result with 16 bits behind the
 * binary point, zero point and 0.5 + NPU_ADD_ABOVE / 2^16 included, and off by less than that. With bytes as they are stored it is so by offset_stored, and
 * above_stored instead of NPU_ADD_ABOVE, in any rounding mode of the host. */
#define NPU_ADD_ABOVE 16

struct npu_add8 {
	struct npu_operand8 a, b;
	bool subtract, scaled;
	struct npu_rescale rescale;
	struct npu_narrow8 narrow;
	i32 constant;  /* what is added where there is no second operand */
	bool estimate; /* of two operands; these are valid */
	float factor_a, factor_b, offset, offset_stored;
	i32 above_stored;
};

/* A product of bytes, or of bytes and a factor, to bytes; below 2^30, and shifted left by rescale.left first. */
struct npu_mul8 {
	i32 zero_a, zero_b;
	bool signed_a, signed_b, scaled;
	i32 factor; /* where there is no second operand */
	struct npu_rescale rescale;
	struct npu_narrow8 narrow; /* `small`: of products that are scaled */
};

/* The larger or lower of two elements as they are stored, within lo .. hi, which are two of them. */
struct npu_extreme {
	u8 bytes; /* 1, or 2 and signed */
	bool is_signed, most;
	i32 lo, hi;
};

/* The same of int16 to int16, without estimate. Scaled operands and the sum have 32 bits, `is_signed` is not looked at. */
struct npu_add16 {
	struct npu_operand8 a, b;
	bool subtract, scaled;
	struct npu_rescale rescale;
	struct npu_narrow16 narrow;
};

/* A product of int16, or of int16 and a factor, to int16; below 2^31. Products are scaled as an operand without zero point is. */
struct npu_mul16 {
	i32 zero_a, zero_b;
	i32 factor; /* where there is no second operand */
	struct npu_operand8 scale;
	struct npu_narrow16 narrow;
};

/* Two lines of signed bytes: to + (((v - from) << up) * slope + 2^14 >> 15), with the slope of values below `from` or of the others. */
struct npu_straight {
	i16 from, to, below, above;
	u8 up;
};

/* What elements become that are made bytes or int16: (v - zero_point) << left, scaled, narrowed. Larger ones than bytes have signs. */
struct npu_to_narrow {
	u8 size;       /* bytes of an element: 1, of bytes 2, or 4 or 8, which are neither shifted nor have a zero point */
	u8 left;
	bool is_signed, scaled, to_bytes;
	bool subtract; /* a second operand of int32, which is added else */
	i32 zero_point;
	struct npu_rescale_signs signs;
	struct npu_narrow8 bytes; /* whose table is not looked up */
	struct npu_narrow16 words;
};

/* Accumulators of 8 bytes that become int16, in runs of n >= 16 values: sums and biases of their channels, scaled, within lo .. hi. */
struct npu_scaled_sums {
	const u8 *from;
	u8 *to;
	i64 down_from, down_to; /* from run to run */
	i64 step_to;            /* from 16 results of a run to the next 16 */
	size_t runs;
	u32 n;
	const i32 *bias;        /* below 2^30, 16 for each `rescale` */
	const struct npu_rescale *rescale; /* of 16 values each, one behind the other; the last one is of a run's last 16 */
	i16 lo, hi;
};

#define NPU_BLENDED 8

/* As many values of a row of bytes that is blended along x: those that `first` chooses from row + left on times `near`, and `second` from row + right on
 * times `far`. Results have 16 bits. */
struct npu_blended {
	u8 first[2 * NPU_BLENDED], second[2 * NPU_BLENDED]; /* below 16, each followed by 128: nothing */
	u16 near[NPU_BLENDED], far[NPU_BLENDED];
	u32 left, right;
} __attribute__((aligned(16)));

/* Rows of bytes that become others. */
struct npu_byte_rows {
	const u8 *from;
	u8 *to;
	i64 down_from, down_to;
	size_t rows, n;
};

/* The bytes of 16 channels, or `wide` of 32, that lie side by side in some pixels; sums wrap as int32. */
struct npu_pixel_sums {
	bool wide, is_signed;
	const u8 *from;
	i64 down, along;
	u32 rows, pixels;
};

#define NPU_CURVE_BYTES 2048

/* A curve of straight pieces: v + zero_point within lo .. hi is piece v >> bits of the table, counted from `first` on, whose words have a base
 * in the low half and a slope in the high half. Results are (base * 2^bits + slope * (low bits of v) + add) >> down, within least .. most. */
struct npu_curve16 {
	const void *table;
	const u8 *bytes; /* NULL, or the table as npu_simd.curve_bytes leaves it */
	i32 zero_point, lo, hi, first, add, least, most;
	u8 bits, down;
	bool folds; /* the table is for magnitudes; of negative values r, before `add`, becomes ~r */
	bool less;  /* of negative values r becomes r - 1; `folds`, `less` and 8 or 9 bits are the units for tanh and sigmoid, anything else has 7 bits */
	bool wraps; /* the low 16 bits are stored; least and most do not matter */
};

/* One int16 to int16: values without zero point and scaled, negative ones by `down`; then the curve, or narrowed. Scaled values have 32 bits. */
struct npu_unary16 {
	i32 zero_point;
	bool signs; /* `down` is another one */
	bool magnitudes; /* of elements count, `up` alone */
	bool curved;
	struct npu_operand8 up, down; /* their zero points are not looked at */
	struct npu_narrow16 narrow;
	struct npu_curve16 curve;
};

#endif
