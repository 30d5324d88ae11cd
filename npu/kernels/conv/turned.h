/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions and depthwises of maps that are one pixel wide: the same of maps one pixel high, whose rows the inner loops go along. */
#ifndef NPU_KERNELS_TURNED_H
#define NPU_KERNELS_TURNED_H

#include "npu/kernels/private.h"

/* Whether npu_fast_turned() does the operation, if anything of npu/kernels/conv/ does. */
bool npu_turns(const struct npu_op *op);

/* As npu_fast_conv() and npu_fast_depthwise(). False: nothing is done. */
bool npu_fast_turned(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
