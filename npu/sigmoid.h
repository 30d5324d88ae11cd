/* SPDX-License-Identifier: Apache-2.0 */
/* The 16-bit TANH and SIGMOID units. */
#ifndef NPU_SIGMOID_H
#define NPU_SIGMOID_H

#include "memory/types.h"

/* Logistic function and hyperbolic tangent of x, in units of 1/12288 (not limited to 16 bits); results in Q0.15. */
i32 npu_sigmoid(i64 x);
i32 npu_tanh(i64 x);

/* 65536 times the logistic function of i / 24. */
extern const u16 npu_sigmoid_table[256];

#endif
