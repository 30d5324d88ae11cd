/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution and fully connected: gather a tile of output pixels' receptive fields, multiply
 * by packed weights, rescale, store.
 *
 * Three forms: u8 x int8 (VNNI), int16 x int16 with 32-bit sums, and the same in parts of K
 * that cannot overflow, summed in 64 bits, where 32 bits might not be enough. */
#include "npu/kernels/conv.h"

#include <string.h>

#include "npu/kernels/channels.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/prepared.h"
#include "npu/kernels/u85/dynamic.h"

/* |int16 * 9-bit weight| < 2^24: 64 products stay below 2^30 */
#define WIDE_PART 64
#define MAX_WIDE_WEIGHT 512
#define MAX_ROW ((size_t)1 << 24)
#define SHORT_ROW 256 /* bytes of a pixel in the panel */

bool npu_types_fit(const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm;

	/* element - zero point must fit int16 */
	if (ifm->bytes == 1)
		return ifm->zero_point > -32000 && ifm->zero_point < 32000;
	return ifm->bytes == 2 && ifm->is_signed && ifm->zero_point == 0;
}

u32 npu_flip_pad(const struct npu_op *op)
{
	return (u32)(op->ifm.zero_point + (op->ifm.is_signed ? 128 : 0));
}

bool npu_flip_fits(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && npu_flip_pad(op) <= 255;
}

void npu_gather_init(struct npu_gather *g, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *ifm = &op->ifm;

	*g = (struct npu_gather){
		.stride_y = ifm->stride_y,
		.stride_x = ifm->stride_x,
		.stride_c = ifm->stride_c,
		.stride_group = npu_fm_stride_group(ifm),
		.height0 = ifm->height0,
		.width0 = ifm->width0,
		.height1 = ifm->height1,
		.depth = ifm->depth,
		.ofm_width = op->ofm.width,
		.kernel_h = op->kernel_h,
		.kernel_w = op->kernel_w,
		.up_height = op->up_height,
		.up_width = op->up_width,
		.pad_top = op->pad_top,
		.pad_left = op->pad_left,
		.stride_h = op->stride_y,
		.stride_w = op->stride_x,
		.dilation_h = op->dilation_y,
		.dilation_w = op->dilation_x,
		.upscale = op->upscale,
		.bytes = ifm->bytes,
		.is_signed = ifm->is_signed,
		.bricks = ifm->format == NPU_NHCWB16,
		.splits_rows = npu_fm_splits_rows(ifm),
		.zero_point = ifm->zero_point,
		.flip = ifm->is_signed ? 128 : 0,
		.pad = (u8)npu_flip_pad(op),
	};
	memcpy(g->tile, view->ifm, sizeof(g->tile));
	g->pointwise = op->kernel_h == 1 && op->kernel_w == 1 && !op->upscale && !g->splits_rows &&
		       !op->pad_top && !op->pad_left && !op->pad_bottom && !op->pad_right;
	g->row_runs = !g->bricks && !ifm->tiled && !g->upscale && g->dilation_w == 1 &&
		      g->stride_x == (i64)g->depth * g->bytes;
	g->end = g->tile[0];
	if (g->row_runs && g->stride_y > 0)
		g->end += g->stride_y * (ifm->height - 1) + g->stride_x * ifm->width;
}

/* Everything one operation's tiles need. */
struct conv {
	const struct npu_op *op;
	const struct npu_view *view;
	const struct npu_simd *simd;
	struct npu_packed *weights;
	struct npu_channels channels;
	struct npu_gather gather;
	struct npu_sink sink;
	struct npu_layer8 layer;
	unsigned tile; /* pixels */
	void *panel;
};

/* Results are bytes by the fast form of scaling: nothing is left to the sink. */
static struct npu_layer8 layer_of(const struct conv *c)
{
	return (struct npu_layer8){
		.row = c->weights->row,
		.group_step = c->weights->group_step,
		.bricks = c->gather.pointwise,
		.depth = c->channels.depth,
		.weights = c->weights->weights,
		.start = c->channels.start,
		.rescale = c->channels.rescale,
		.narrow = &c->sink.narrow,
		.stride_group = npu_fm_stride_group(&c->op->ofm),
	};
}

static void layer_u8(const struct conv *c, struct npu_place first, unsigned pixels,
		     const struct npu_target *target)
{
	c->simd->gather_u8(&c->gather, first, pixels, c->panel);
	c->simd->layer_u8(&c->layer, c->panel, pixels, target);
}

static void layer_i16(const struct conv *c, struct npu_place first, unsigned pixels,
		      const struct npu_target *target)
{
	c->simd->gather_i16(&c->gather, first, pixels, c->panel);
	c->simd->layer_i16(&c->layer, c->panel, pixels, target);
}

static void tile_u8(const struct conv *c, struct npu_place first, unsigned pixels,
		     const struct npu_target *target)
{
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP];
	const struct npu_packed *w = c->weights;

	c->simd->gather_u8(&c->gather, first, pixels, c->panel);
	for (u32 g = 0; g < c->channels.groups; g += 2) {
		unsigned groups = c->channels.groups - g > 1 ? 2 : 1;
		c->simd->gemm_u8(c->panel, w->row, c->gather.pointwise, pixels,
				 (const i8 *)w->weights + g * w->group_step, groups,
				 w->group_step, c->channels.start + g * NPU_GROUP, acc);
		for (unsigned i = 0; i < groups; i++)
			npu_sink_store(&c->sink, acc + i * NPU_TILE * NPU_GROUP, target, g + i);
	}
}

static void tile_i16(const struct conv *c, struct npu_place first, unsigned pixels,
		     const struct npu_target *target)
{
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP];
	const struct npu_packed *w = c->weights;

	c->simd->gather_i16(&c->gather, first, pixels, c->panel);
	for (u32 g = 0; g < c->channels.groups; g += 2) {
		unsigned groups = c->channels.groups - g > 1 ? 2 : 1;
		c->simd->gemm_i16(c->panel, w->row, c->gather.pointwise, pixels,
				  (const i16 *)w->weights + g * w->group_step, groups,
				  w->group_step, c->channels.start + g * NPU_GROUP, acc);
		for (unsigned i = 0; i < groups; i++)
			npu_sink_store(&c->sink, acc + i * NPU_TILE * NPU_GROUP, target, g + i);
	}
}

/* Columns k .. k+n-1 of the panel on their own. A pointwise panel consists of such parts. */
static const i16 *panel_part(const struct conv *c, size_t k, size_t n, unsigned pixels, i16 *cut)
{
	const i16 *panel = c->panel;

	if (c->gather.pointwise)
		return panel + k * NPU_TILE;
	for (unsigned p = 0; p < pixels; p++)
		memcpy(cut + p * n, panel + p * c->weights->row + k, n * sizeof(*cut));
	return cut;
}

/* Parts of K whose sums fit 32 bits. */
static void tile_wide(const struct conv *c, struct npu_place first, unsigned pixels,
		     const struct npu_target *target)
{
	static const i32 nothing[NPU_GROUP];
	i64 acc[NPU_TILE * NPU_GROUP];
	NPU_LINE i32 part[2 * NPU_TILE * NPU_GROUP];
	i16 cut[NPU_TILE * WIDE_PART];
	const struct npu_packed *w = c->weights;

	c->simd->gather_i16(&c->gather, first, pixels, c->panel);
	for (u32 g = 0; g < c->channels.groups; g++) {
		const i16 *weights = (const i16 *)w->weights + g * w->group_step;
		for (unsigned i = 0; i < pixels * NPU_GROUP; i++)
			acc[i] = c->channels.bias[g * NPU_GROUP + i % NPU_GROUP];
		for (size_t k = 0; k < w->row; k += WIDE_PART) {
			size_t n = w->row - k < WIDE_PART ? w->row - k : WIDE_PART;
			c->simd->gemm_i16(panel_part(c, k, n, pixels, cut), n, c->gather.pointwise, pixels,
					  weights + k * NPU_GROUP, 1, 0, nothing, part);
			for (unsigned i = 0; i < pixels * NPU_GROUP; i++)
				acc[i] += part[i];
		}
		npu_sink_store_wide(&c->sink, acc, target, g);
	}
}

/* What no accumulator exceeds, whatever the data. */
static u64 reach_of(const struct conv *c)
{
	return npu_channels_reach(&c->channels, &c->op->ifm, c->weights->max_magnitude);
}

/* True when no accumulator can reach 2^(bits-1). */
static bool fits(const struct conv *c, unsigned bits)
{
	return reach_of(c) < UINT64_C(1) << (bits - 1);
}

/* What a tile costs is shared by its pixels, but what it reads again for each pair of groups should stay in the
 * first caches. */
static unsigned tile_of(size_t row_bytes, bool bytes)
{
	return row_bytes <= SHORT_ROW ? NPU_TILE : bytes ? NPU_TILE / 2 : NPU_TILE / 4;
}

typedef void tile_fn(const struct conv *c, struct npu_place first, unsigned pixels,
		     const struct npu_target *target);

static void run_tiles(const struct conv *c,
		      tile_fn *tile)
{
	struct npu_place at = { 0, 0 };
	struct npu_target target;

	for (u64 left = (u64)c->op->ofm.height * c->op->ofm.width, n; left; left -= n) {
		struct npu_place first = at;
		n = left < c->tile ? left : c->tile;
		npu_target_next(&target, c->op, c->view, &at, (unsigned)n);
		tile(c, first, (unsigned)n, &target);
	}
}

static struct npu_packed *weights_of(struct npu_kernels *k, const struct npu_op *op,
				     const struct npu_view *view, unsigned taps)
{
	return op->u85.weights_ifm2 ? npu85_pack_ifm2(k, op, view, taps) : npu_pack(&k->packer, op, view, taps);
}

bool npu_fast_conv(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct conv c = { .op = op, .view = view, .simd = k->simd };

	if (!npu_types_fit(op) || npu_fm_overlap(&op->ifm, view->ifm, &op->ofm,
						 (const u8 *const *)view->ofm))
		return false;
	bool bytes = k->simd->gemm_u8 && npu_flip_fits(op);
	c.weights = weights_of(k, op, view, bytes ? 4 : 2);
	if (bytes && c.weights && c.weights->wide) {
		bytes = false;
		c.weights = weights_of(k, op, view, 2);
	}
	if (!c.weights || c.weights->row > MAX_ROW ||
	    !npu_prepare_channels(k, op, view, c.weights, bytes ? npu_flip_pad(op) : 0, &c.channels))
		return false;
	if (c.channels.doubled && !fits(&c, 31))
		c.channels.fast = c.channels.doubled = false;
	bool raw = op->u85.acc_output_off;
	bool narrow = fits(&c, 32) || (raw && op->acc_bits == 32); /* sums that wrap are asked for */
	bool wide = !bytes && c.weights->max_weight <= MAX_WIDE_WEIGHT && fits(&c, op->acc_bits) &&
		    (op->acc_bits == 40 || (raw && op->acc_bits == 48));
	if (!narrow && !wide)
		return false;
	size_t elements = NPU_TILE * ((c.weights->row + 15) / 16 * 16) + NPU_PANEL_SLACK;
	c.panel = npu_scratch(&k->panel, elements * (bytes ? 1 : 2));
	if (!c.panel)
		return false;
	c.tile = tile_of(c.weights->row * (bytes ? 1 : 2), bytes);
	npu_gather_init(&c.gather, op, view);
	c.gather.row = c.weights->row;
	npu_sink_init(&c.sink, k, op, view, &c.channels);
	npu_sink_limit(&c.sink, reach_of(&c));
	if (narrow && npu_sink_is_layer(&c.sink)) {
		c.layer = layer_of(&c);
		run_tiles(&c, bytes ? layer_u8 : layer_i16);
	} else {
		run_tiles(&c, bytes ? tile_u8 : narrow ? tile_i16 : tile_wide);
	}
	return true;
}
