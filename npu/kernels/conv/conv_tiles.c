/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of a convolution: sums of the pixels' receptive fields, to memory. */
#include "npu/kernels/conv/conv.h"

#include <string.h>

static void gather(const struct conv *c, void *panel, struct npu_place first, unsigned pixels)
{
	if (c->mac.u8)
		c->mac.simd->gather_u8(&c->mac.gather, first, pixels, panel);
	else
		c->mac.simd->gather_i16(&c->mac.gather, first, pixels, panel);
}

/* From group `first` on. */
static void move_target(struct npu_target *t, const struct conv *c, u32 first)
{
	for (unsigned i = 0; first && i < t->runs; i++)
		t->run[i].to += first * c->layer.stride_group;
}

void npu_conv_tile_layer(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
		       struct npu_target *target)
{
	move_target(target, c, part->first);
	gather(c, panel, first, pixels);
	if (c->mac.u8)
		c->mac.simd->layer_u8(&part->layer, panel, pixels, target);
	else
		c->mac.simd->layer_i16(&part->layer, panel, pixels, target);
}

/* Words as two bytes. */
void npu_conv_tile_split(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
		       struct npu_target *target)
{
	const size_t row = c->mac.weights->row * sizeof(i16), brick = NPU_GROUP * sizeof(i16);
	const bool bricks = c->mac.gather.pointwise;
	const struct npu_fields f = { .from = panel, .width = UINT32_MAX, .lines = bricks ? (u32)((row + brick - 1) / brick) : 1,
				      .line = bricks ? brick : row, .down = NPU_TILE * brick, .step = bricks ? brick : row };

	move_target(target, c, part->first);
	c->mac.simd->gather_split(&c->mac.gather, first, pixels, panel);
	c->mac.simd->layer_split(&part->layer, &f, target);
}

/* Words by words in two parts. */
void npu_conv_tile_pairs(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
		       struct npu_target *target)
{
	move_target(target, c, part->first);
	gather(c, panel, first, pixels);
	c->mac.simd->layer_pairs(&part->layer, panel, pixels, target);
}

void npu_conv_tile_fields(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
			struct npu_target *target)
{
	struct npu_fields f = c->fields;

	(void)panel;
	(void)pixels;
	move_target(target, c, part->first);
	f.from += first.y * ((i64)(f.width * f.step) + f.skip) + (i64)(first.x * f.step);
	f.x = first.x;
	(c->mac.split ? c->mac.simd->layer_split : c->mac.simd->layer_fields)(&part->layer, &f, target);
}

/* Sums of one or two channel groups from g on. */
static void multiply(const struct conv *c, const void *panel, unsigned pixels, u32 g, unsigned groups, i32 *acc)
{
	const struct npu_packed *w = c->mac.weights;
	const bool bricks = c->mac.gather.pointwise;
	const i32 *start = c->mac.channels.start + g * NPU_GROUP;

	if (c->mac.u8)
		c->mac.simd->gemm_u8(panel, w->row, bricks, pixels,
				     (const i8 *)w->weights + g * w->group_step, groups, w->group_step, start, acc);
	else
		c->mac.simd->gemm_i16(panel, w->row, bricks, pixels,
				      (const i16 *)w->weights + g * w->group_step, groups, w->group_step, start, acc);
}

void npu_conv_tile_narrow(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
			struct npu_target *target)
{
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP];

	gather(c, panel, first, pixels);
	for (u32 g = part->first; g < part->end && !npu_given_up(c->mac.view); g += 2) {
		unsigned groups = part->end - g > 1 ? 2 : 1;
		multiply(c, panel, pixels, g, groups, acc);
		for (unsigned i = 0; i < groups; i++)
			npu_sink_store(&c->mac.sink, acc + i * NPU_TILE * NPU_GROUP, target, g + i);
	}
}

/* Rows of a panel one behind the other, part by part; a pointwise panel consists of parts as it is. */
static const i16 *panel_parts(const struct conv *c, const i16 *panel, unsigned pixels, i16 *to)
{
	const size_t row = c->mac.weights->row;

	if (c->mac.gather.pointwise)
		return panel;
	for (size_t k = 0, n; k < row; k += n) {
		n = row - k < c->part ? row - k : c->part;
		for (unsigned p = 0; p < pixels; p++)
			memcpy(to + k * pixels + p * n, panel + p * row + k, n * sizeof(*to));
	}
	return to;
}

/* acc[group][NPU_TILE][16] += panel * weights << shift, of one or two groups. */
static void add_parts(const struct conv *c, const i16 *panel, unsigned pixels, const i16 *weights, unsigned groups, unsigned shift, i64 *acc)
{
	static const i32 nothing[2 * NPU_GROUP];
	NPU_LINE i32 sum[2 * NPU_TILE * NPU_GROUP];
	const size_t row = c->mac.weights->row, step = c->mac.gather.pointwise ? NPU_TILE : pixels;

	for (size_t k = 0; k < row; k += c->part) {
		const size_t n = row - k < c->part ? row - k : c->part;
		c->mac.simd->gemm_i16(panel + k * step, n, c->mac.gather.pointwise, pixels, weights + k * NPU_GROUP, groups,
				      c->mac.weights->group_step, nothing, sum);
		for (unsigned at = 0; at < groups * NPU_TILE * NPU_GROUP; at += NPU_TILE * NPU_GROUP)
			c->mac.simd->add_wide(acc + at, sum + at, pixels * NPU_GROUP, shift);
	}
}

/* Sums of 64 bits. */
void npu_conv_tile_wide(const struct conv *c, const struct channels *part, void *panel, struct npu_place first, unsigned pixels,
		      struct npu_target *target)
{
	NPU_LINE i64 acc[2 * NPU_TILE * NPU_GROUP];
	const struct npu_packed *w = c->mac.weights;

	c->mac.simd->gather_i16(&c->mac.gather, first, pixels, panel);
	const i16 *parts = panel_parts(c, panel, pixels, (i16 *)((u8 *)panel + c->panel_bytes / 2));
	for (u32 g = part->first; g < part->end && !npu_given_up(c->mac.view); g += 2) {
		const unsigned groups = part->end - g > 1 ? 2 : 1;
		const size_t at = g * w->group_step;
		for (unsigned j = 0; j < groups; j++)
			for (unsigned p = 0; p < pixels; p++)
				memcpy(acc + (j * NPU_TILE + p) * NPU_GROUP, c->mac.channels.bias + (g + j) * NPU_GROUP, NPU_GROUP * sizeof(*acc));
		add_parts(c, parts, pixels, (w->low ? w->low : (const i16 *)w->weights) + at, groups, 0, acc);
		if (w->low)
			add_parts(c, parts, pixels, w->high + at, groups, 8, acc);
		for (unsigned j = 0; j < groups; j++)
			npu_sink_store_wide(&c->mac.sink, acc + j * NPU_TILE * NPU_GROUP, target, g + j);
	}
}
