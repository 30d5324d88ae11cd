/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that bring two or four lines of elements together, element by element in turns, or take them apart: transposes of a few channels, shuffles
 * of channels. */
#ifndef NPU_KERNELS_COPY_FEW_H
#define NPU_KERNELS_COPY_FEW_H

#include "npu/kernels/move/copy.h"

/* Whether `lines` of elements of `bytes` bytes and `line`, the elements of each, are such dimensions. */
bool npu_copy_is_few(const struct npu_copy_dim *lines, const struct npu_copy_dim *line, unsigned bytes);

/* `rows` times all elements of two such dimensions. Target and source lie apart. */
void npu_copy_few(u8 *to, i64 to_row, const u8 *from, i64 from_row, size_t rows, const struct npu_copy_dim *lines, const struct npu_copy_dim *line,
		  unsigned bytes);

#endif
