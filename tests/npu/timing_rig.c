/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/npu/timing_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "npu/integer.h"
#include "npu/timing/profiles.h"

struct npu_ports rig_ports(const char *memory, bool external)
{
	struct npu_ports p = { .stream_attr = 2 };
	struct npu_memory_profile profile;
	char why[200];

	cr_assert(npu_memory_profile_parse(memory, NULL, &profile, why, sizeof why), "%s", why);
	for (unsigned i = 0; i < 8; i++)
		p.region_attr[i] = external || !i ? 2 : 0;
	for (unsigned i = 0; i < 4; i++) {
		p.burst_bytes[i] = 256;
		p.reads[i] = i < 2 ? 12 : 64;
		p.writes[i] = i < 2 ? 16 : 32;
	}
	for (unsigned i = 0; i < NPU_PORTS; i++)
		p.adapter[i] = profile.adapter[i];
	return p;
}

struct npu_fm rig_map(u32 h, u32 w, u32 d)
{
	return (struct npu_fm){ .height = h, .width = w, .depth = d, .bytes = 1, .is_signed = 1, .used = 1, .region = 1,
				.stride_y = (i64)w * d, .stride_x = d, .stride_c = 1 };
}

struct npu_op rig_op(const struct npu_config *config, const struct layer *l)
{
	struct npu_op op = {
		.kind = l->kind, .ifm = rig_map(l->h, l->w, l->in), .ofm = rig_map(l->h, l->w, l->out), .kernel_h = l->taps,
		.kernel_w = l->taps, .stride_y = 1, .stride_x = 1, .dilation_y = 1, .dilation_x = 1,
		.pad_top = l->taps / 2, .pad_left = l->taps / 2, .cores = l->fast ? 1 : config->cores,
		.part_kernel = l->part_kernel, .output = NPU_OUT_CLAMP, .acc_bits = 32, .block_h = l->block_h,
		.block_w = l->block_w, .block_d = l->block_d, .per_channel = 1,
	};

	for (unsigned i = 0; i < op.cores; i++) {
		op.weights[i].length = l->weights / op.cores;
		op.scales[i].length = l->scales / op.cores;
	}
	if (config->product == NPU_U85) {
		op.u85.enabled = 1;
		op.u85.fast = l->fast;
		op.u85.ublock_h = config->ofm_ublock_h;
		op.u85.ublock_w = config->ofm_ublock_w;
		op.u85.ublock_d = config->ofm_ublock_d;
		op.u85.stored = op.ofm;
	}
	return op;
}

struct npu_cost rig_cost_of(const struct npu_config *config, const struct npu_op *op, const struct npu_ports *ports)
{
	struct npu_timing t;
	struct npu_cost cost;

	npu_timing_start(&t);
	npu_timing_op(&t, NULL, config, ports, op, 320, &cost);
	return cost;
}

struct npu_cost rig_cost(const char *accelerator, const struct layer *l, const struct npu_ports *ports)
{
	const struct npu_config *config = npu_config_find(accelerator);
	const struct npu_op op = rig_op(config, l);

	return rig_cost_of(config, &op, ports);
}

struct npu_ports rig_ports_but(const struct npu_config *config, const char *change, bool external)
{
	char memory[120];

	snprintf(memory, sizeof memory, "%s%s", npu_memory_profile_default(config)->name, change);
	return rig_ports(memory, external);
}

const struct layer rig_layers[RIG_LAYERS] = {
	{ NPU_CONV, 6, 6, 128, 128, 1, 6, 6, 64, 16416, 1280, false, false },
	{ NPU_CONV, 8, 32, 128, 128, 3, 8, 16, 32, 163872, 1280, true, true },
	{ NPU_CONV, 49, 10, 1, 124, 10, 24, 10, 16, 8288, 1280, true, false },
	{ NPU_DEPTHWISE, 25, 5, 140, 140, 3, 26, 6, 48, 1600, 1440, false, false },
	{ NPU_ELEMENTWISE, 24, 24, 96, 96, 1, 8, 32, 16, 0, 0, false, false },
	{ NPU_POOL, 25, 5, 196, 196, 3, 10, 6, 16, 0, 0, false, false },
	{ NPU_CONV, 1, 1, 96, 288, 1, 2, 2, 144, 32192, 2880, false, false },
};

u32 rig_draw(u32 *seed, u32 below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (u32)((u64)(*seed >> 8) * below >> 24);
}

struct layer rig_draw_layer(u32 *seed)
{
	static const u8 kinds[] = { NPU_CONV, NPU_CONV, NPU_CONV, NPU_DEPTHWISE, NPU_POOL, NPU_ELEMENTWISE };
	struct layer l = { .kind = kinds[rig_draw(seed, ARRAY_LEN(kinds))] };
	const bool mac = l.kind == NPU_CONV || l.kind == NPU_DEPTHWISE, window = mac || l.kind == NPU_POOL;

	l.h = 1 + rig_draw(seed, 40);
	l.w = 1 + rig_draw(seed, 40);
	l.out = 1 + rig_draw(seed, 300);
	l.in = l.kind == NPU_CONV ? 1 + rig_draw(seed, 300) : l.out;
	l.taps = window ? 1 + rig_draw(seed, 5) : 1;
	l.block_h = (u16)(4 * (1 + rig_draw(seed, 4)));
	l.block_w = (u16)(4 * (1 + rig_draw(seed, 8)));
	l.block_d = (u16)(64 * (1 + rig_draw(seed, 2)));
	if (mac) {
		l.weights = (u32)round_up_to(l.taps * l.taps * l.out * (l.kind == NPU_CONV ? l.in : 1) * (1 + rig_draw(seed, 8)) / 8, 64) + 64;
		l.scales = (u32)round_up_to(10 * l.out, 64);
		l.part_kernel = l.kind == NPU_CONV && rig_draw(seed, 2);
	}
	return l;
}

