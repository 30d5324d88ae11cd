/* SPDX-License-Identifier: Apache-2.0 */
/* What one operation costs. Private to npu/timing/. In two steps: what caps leave of a port's bandwidth depends on when the operation begins, and
 * that on its first data, which no cap holds back. */
#ifndef NPU_TIMING_COST_H
#define NPU_TIMING_COST_H

#include "npu/timing/compute.h"
#include "npu/timing/traffic.h"

struct work {
	struct block_cycles sum, first, last;
	u64 array; /* the array and the decoder, which works block by block with it */
};

/* Cycles of each stream and of both ports, without caps. */
struct memory_cycles {
	u64 channel[CHANNELS];
	u64 moving[NPU_PORTS];
};

/* What an operation consists of, whenever it begins. */
struct op_parts {
	struct blocks blocks;
	struct work work;
	struct memory_cycles memory;
};

/* Traffic and first data: all of `cost` that does not depend on the operation's begin. `stream_bytes` of commands, which are read while others
 * work, take their part of the port. */
void cost_begin(struct npu_shapes *known, const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, u32 stream_bytes,
		struct op_parts *parts, struct op_cost *cost);

/* The same without commands; and out of what is known of operations that were alike, if there is such (shapes.c). */
void cost_alone(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, struct op_parts *parts, struct op_cost *cost);
void cost_alike(struct npu_shapes *known, const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, struct op_parts *parts,
		struct op_cost *cost);

/* Time and activity, with the caps as far behind as the ports say. */
void cost_finish(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op, const struct op_parts *parts,
		 struct op_cost *cost);

#endif
