/* SPDX-License-Identifier: Apache-2.0 */
/* Operations made by hand or drawn at random, for tests of the timing model. */
#ifndef TESTS_NPU_TIMING_RIG_H
#define TESTS_NPU_TIMING_RIG_H

#include "npu/npu.h"

struct layer {
	u8 kind;
	u32 h, w, in, out, taps;
	u16 block_h, block_w, block_d;
	u32 weights, scales; /* bytes of all streams */
	bool part_kernel, fast;
};

/* Layers of networks. */
enum { RIG_LAYERS = 7 };
extern const struct layer rig_layers[RIG_LAYERS];

/* Ports behind a memory profile; external: all regions behind port 1, as the single operations were measured, else only region 0. */
struct npu_ports rig_ports(const char *memory, bool external);

/* The operation that a layer is, and its feature maps. */
struct npu_op rig_op(const struct npu_config *config, const struct layer *l);
struct npu_fm rig_map(u32 h, u32 w, u32 d);

/* The cost of a layer as the only operation of a job. */
struct npu_cost rig_cost(const char *accelerator, const struct layer *l, const struct npu_ports *ports);
struct npu_cost rig_cost_of(const struct npu_config *config, const struct npu_op *op, const struct npu_ports *ports);
/* The configuration's own memory system but for `change`; the rest as rig_ports. */
struct npu_ports rig_ports_but(const struct npu_config *config, const char *change, bool external);

/* A number below `below`. */
u32 rig_draw(u32 *seed, u32 below);

/* A layer of any kind but DMA; its blocks fill the largest array. */
struct layer rig_draw_layer(u32 *seed);

#endif
