/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of the MAC array, the output unit and the weight decoder for one block. Private to npu/timing/.
 * compute.c: U55 and U65; compute_u85.c: U85. */
#ifndef NPU_TIMING_COMPUTE_H
#define NPU_TIMING_COMPUTE_H

#include "npu/timing/geometry.h"

struct block_cycles {
	u64 mac;    /* MAC array, also pooling and reductions; 0 for elementwise operations */
	u64 out;    /* output unit; for elementwise operations the whole computation */
	u64 decode; /* weight decoder */
	u64 array;  /* array and decoder, which wait for each other */
};

/* Encoded bytes of all streams, weights and scales. */
static inline u64 weight_bytes(const struct npu_op *op)
{
	u64 bytes = 0;

	for (unsigned core = 0; core < op->cores; core++)
		bytes += op->weights[core].length;
	return bytes;
}

/* What a block of that size costs, on U55 and U65, and on U85. */
struct block_cycles compute_block(const struct npu_config *config, const struct npu_op *op, const struct block *b);
struct block_cycles compute_block_u85(const struct npu_config *config, const struct npu_op *op, const struct block *b);

/* Multiplications that the operation asks for. */
u64 macs_of(const struct npu_op *op);

#endif
