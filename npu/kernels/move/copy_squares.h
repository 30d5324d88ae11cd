/* SPDX-License-Identifier: Apache-2.0 */
/* Copies whose rows are contiguous at the source and whose columns are so at the target: transposes of elements of one, two or four bytes. */
#ifndef NPU_KERNELS_COPY_SQUARES_H
#define NPU_KERNELS_COPY_SQUARES_H

#include "npu/kernels/move/copy.h"

/* Whether two such dimensions take less time so than one by one. */
bool npu_copy_is_squares(const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes);

/* All elements of dim[0], and of two such dimensions. Target and source lie apart; what is read too much lies before `end`. */
void npu_copy_squares(u8 *to, const u8 *from, const u8 *end, const struct npu_copy_dim dim[3], unsigned bytes);

#endif
