/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the MAC array and the output unit for one block. Private to npu/timing/. */
#ifndef NPU_TIMING_COMPUTE_H
#define NPU_TIMING_COMPUTE_H

#include "npu/timing/geometry.h"

/* MAC (or pooling) cycles of a block; 0 for elementwise operations. */
u64 mac_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b);

/* Output unit cycles of a block; for elementwise operations the whole computation. */
u64 output_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b);

/* Weight decoder cycles for the weights of one block of depth. */
u64 decode_cycles(const struct npu_config *config, const struct npu_op *op, const struct block *b);

#endif
