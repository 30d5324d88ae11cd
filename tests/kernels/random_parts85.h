/* SPDX-License-Identifier: Apache-2.0 */
/* What random operations of Ethos-U85 consist of beside random_parts.h: scales, records, weights, stacked maps. */
#ifndef TESTS_KERNELS_RANDOM_PARTS85_H
#define TESTS_KERNELS_RANDOM_PARTS85_H

#include "npu/config.h"
#include "npu/op.h"
#include "tests/kernels/random_parts.h"

void set_size(struct npu_fm *fm, u32 h, u32 w, u32 c);

/* None, a power of two, as quantised networks have it, or anything. */
struct npu85_scale random_scale(struct rng *r);

/* Biases and scales of all channels of the OFM. */
void random_records(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view);

/* A microblock that the configuration has, and a block depth. */
void random_ublock(struct rng *r, const struct npu_config *config, struct npu_op *op);

/* Weight streams of all cores; after random_ublock(). */
void random_weights(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op,
		    struct npu_view *view);

/* random_place(), or three tiles one below the other. */
void random_map(struct rng *r, struct arena *a, struct npu_fm *fm, u8 *tile[NPU_TILES]);

/* Elements that are distances of shifts, and often equal to others. */
void few_values(struct rng *r, const struct npu_fm *fm, u8 *tile[NPU_TILES]);

/* Shifts all elements of such a map to the right: sums leave room. */
void small_elements(struct rng *r, const struct npu_fm *fm, u8 *tile[NPU_TILES]);

#endif
