/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products of one row. */
#ifndef NPU_KERNELS_U85_ROW_H
#define NPU_KERNELS_U85_ROW_H

#include "npu/kernels/u85/job.h"

/* A convolution whose weights are IFM2. False: it has more pixels or other operands than bytes, or the level has no way for it; nothing has been stored. */
bool npu85_fast_row(struct npu85_job *j);

#endif
