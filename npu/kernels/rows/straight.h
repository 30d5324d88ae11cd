/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of bytes that are two straight lines once results are rounded, as those of leaky ReLU: to compute them takes less time than to look them up
 * where a table is sixteen vectors. */
#ifndef NPU_KERNELS_STRAIGHT_H
#define NPU_KERNELS_STRAIGHT_H

#include "npu/kernels/simd/simd.h"

/* True: *s gives what the table has for each of the 256 bytes, which are signed as results are; `from`: where the lines meet. */
bool npu_straight_find(struct npu_straight *s, const u8 table[256], i32 from);

#endif
