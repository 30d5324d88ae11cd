/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the larger or lower of two maps' elements, where no scaling or zero point makes others of them (npu_simd.extremes). U55/U65 and U85. */
#ifndef NPU_KERNELS_EXTREMES_H
#define NPU_KERNELS_EXTREMES_H

#include "npu/kernels/rows/walk.h"
#include "npu/kernels/rows/words.h"
#include "npu/kernels/simd/operands.h"
#include "npu/kernels/simd/simd.h"

static inline bool npu_extreme_same_type(const struct npu_fm *a, const struct npu_fm *b)
{
	return a->bytes == b->bytes && a->is_signed == b->is_signed && a->zero_point == b->zero_point;
}

/* Results are limited to lo .. hi. False: it is another operation. */
static inline bool npu_extreme_init(struct npu_extreme *e, const struct npu_op *op, i32 lo, i32 hi)
{
	const struct npu_fm *ifm = &op->ifm;
	const i32 least = !ifm->is_signed ? 0 : ifm->bytes == 1 ? INT8_MIN : INT16_MIN, most = least + (ifm->bytes == 1 ? UINT8_MAX : UINT16_MAX);

	if ((op->mode != NPU_EW_MIN && op->mode != NPU_EW_MAX) || ifm->bytes > 2 || (ifm->bytes == 2 && !ifm->is_signed) ||
	    !npu_extreme_same_type(ifm, &op->ifm2) || !npu_extreme_same_type(ifm, &op->ofm) || lo > hi || lo > most || hi < least)
		return false;
	*e = (struct npu_extreme){ .bytes = (u8)ifm->bytes, .is_signed = ifm->is_signed, .most = op->mode == NPU_EW_MAX,
				   .lo = lo < least ? least : lo, .hi = hi > most ? most : hi };
	return true;
}

/* As a npu_walk_grid of three maps has them. */
static inline bool npu_extreme_grid(const struct npu_simd *simd, const struct npu_extreme *e, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS],
				    const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const i64 bytes = e->bytes;
	const unsigned a = stride[1] ? 1 : 2, b = 3 - a; /* the second may be one for all */

	return stride[0] == bytes && stride[a] == bytes && (!stride[b] || stride[b] == bytes) &&
	       simd->extremes(e, &(struct npu_words_grid){ .a = p[a], .b = p[b], .to = p[0], .down_a = down[a], .down_b = down[b], .down_to = down[0],
							   .step_b = stride[b], .rows = rows, .n = n });
}

#endif
