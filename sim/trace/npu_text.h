/* SPDX-License-Identifier: Apache-2.0 */
/* An operation of the NPU in words. */
#ifndef SIM_TRACE_NPU_TEXT_H
#define SIM_TRACE_NPU_TEXT_H

#include "npu/npu.h"

/* "conv 3x3 stride 2x2 ifm 224x224x3 s8 @0x... -> ofm 112x112x32 s8 @0x..." */
void npu_text(const struct npu_op *op, char *text, size_t size);

#endif
