/* SPDX-License-Identifier: Apache-2.0 */
/* U85's rounding modes as two constants: every mode of npu85_scale_round() is
 *   (v * scale + (v < 0 ? minus : plus)) >> shift.
 * In 64 bits this is exact where NPU85_PRODUCT_LIMIT bounds the product. */
#ifndef NPU_KERNELS_U85_ROUNDING_H
#define NPU_KERNELS_U85_ROUNDING_H

#include "npu/u85/arith.h"

/* |v * scale| up to this and shifts up to 61 leave room for the constants. */
#define NPU85_PRODUCT_LIMIT (INT64_C(1) << 62)
#define NPU85_SHIFT_LIMIT 61

struct npu85_rounding {
	i64 plus, minus; /* added to products of values that are not, or are, negative */
};

/* The constants of s.round; s.shift at most NPU85_SHIFT_LIMIT. */
static inline struct npu85_rounding npu85_rounding_of(struct npu85_scale s)
{
	struct npu85_rounding r = { 0, 0 };

	if (s.shift == 0)
		return r;
	i64 half = INT64_C(1) << (s.shift - 1);
	i64 first = s.dbl <= 30 && s.shift > 31 - s.dbl ? INT64_C(1) << (30 - s.dbl) : 0;
	switch (s.round) {
	case NPU85_DOUBLE_SYMMETRIC: return (struct npu85_rounding){ half + first, half - first };
	case NPU85_NATURAL: return (struct npu85_rounding){ half, half };
	case NPU85_DOUBLE_ASYMMETRIC: return (struct npu85_rounding){ half + first, half + first };
	case NPU85_SYMMETRIC: return (struct npu85_rounding){ half, half - 1 };
	case NPU85_TO_ZERO: return (struct npu85_rounding){ 0, (i64)(2 * (u64)half - 1) };
	default: return r;
	}
}

#endif
