/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/timing/geometry.h"

enum { MANY_BLOCKS = 512 };

/* Sizes of the blocks along one axis: `n` whole ones and perhaps a smaller one. */
struct axis {
	u32 size[2];
	u64 count[2];
	unsigned kinds;
};

static struct axis cut(u32 extent, u32 block)
{
	struct axis a = { .kinds = 0 };

	if (!block || block > extent)
		block = extent ? extent : 1;
	if (extent / block) {
		a.size[a.kinds] = block;
		a.count[a.kinds++] = extent / block;
	}
	if (extent % block) {
		a.size[a.kinds] = extent % block;
		a.count[a.kinds++] = 1;
	}
	if (!a.kinds) { /* empty map: cost of one element */
		a.size[0] = 1;
		a.count[a.kinds++] = 1;
	}
	return a;
}

static u64 blocks_along(const struct axis *a)
{
	return a->count[0] + (a->kinds > 1 ? a->count[1] : 0);
}

void blocks_of(const struct npu_op *op, struct blocks *out)
{
	const struct axis y = cut(op->ofm.height, op->block_h);
	const struct axis x = cut(op->ofm.width, op->block_w);
	const struct axis z = cut(op->ofm.depth, op->block_d);

	*out = (struct blocks){ .rows = blocks_along(&y), .columns = blocks_along(&x), .slices = blocks_along(&z) };
	out->count = out->rows * out->columns * out->slices;
	for (unsigned i = 0; i < y.kinds; i++)
		for (unsigned j = 0; j < x.kinds; j++)
			for (unsigned k = 0; k < z.kinds; k++)
				out->kind[out->kinds++] = (struct block){ y.size[i], x.size[j], z.size[k],
									  y.count[i] * x.count[j] * z.count[k] };
}

void sub_kernels_of(const struct npu_op *op, struct sub_kernels *out)
{
	const u32 high[2] = { SUB_KERNEL, op->kernel_h % SUB_KERNEL }, wide[2] = { SUB_KERNEL, op->kernel_w % SUB_KERNEL };
	const u64 rows[2] = { op->kernel_h / SUB_KERNEL, high[1] ? 1 : 0 };
	const u64 columns[2] = { op->kernel_w / SUB_KERNEL, wide[1] ? 1 : 0 };

	out->kinds = 0;
	for (unsigned y = 0; y < 2; y++)
		for (unsigned x = 0; x < 2; x++) {
			if (!rows[y] || !columns[x])
				continue;
			out->taps[out->kinds] = (u64)high[y] * wide[x];
			out->count[out->kinds++] = rows[y] * columns[x];
		}
}

/* One axis of a sliding window over a map. */
struct slide {
	u32 ofm, block, map;
	u32 stride, dilation, pad, upscale;
	struct taps taps;
};

static u64 elements_read(const struct slide *s)
{
	const u32 block = s->block && s->block < s->ofm ? s->block : max_u64(s->ofm, 1);
	const u64 limit = (u64)s->map * s->upscale;
	u64 sum = 0;

	if (s->ofm / block > MANY_BLOCKS) /* edges do not matter */
		return s->ofm / block * min_u64(div_up(window_of(block, s->stride, s->taps.count, s->dilation), s->upscale), s->map);
	for (u64 at = 0; at < max_u64(s->ofm, 1); at += block) {
		const u64 n = min_u64(block, max_u64(s->ofm, 1) - at), start = at * s->stride + s->taps.first * s->dilation;
		const u64 end = start + window_of(n, s->stride, s->taps.count, s->dilation);
		const u64 first = start > s->pad ? start - s->pad : 0;
		const u64 behind = min_u64(end > s->pad ? end - s->pad : 0, limit);

		sum += behind > first ? div_up(behind, s->upscale) - first / s->upscale : 0;
	}
	return sum;
}

static bool has_window(const struct npu_op *op)
{
	return op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE || op->kind == NPU_POOL;
}

/* Without a window the map is read as it lies under the block; resize reads it about once. */
static u64 plain_read(u64 blocks, const struct npu_op *op, u32 map, u32 ofm)
{
	return op->kind == NPU_RESIZE || map >= ofm ? map : blocks * map;
}

u64 rows_read(const struct npu_op *op, const struct npu_fm *map, struct taps taps)
{
	const struct slide s = { op->ofm.height, op->block_h, map->height, max_u64(op->stride_y, 1),
				 max_u64(op->dilation_y, 1), op->pad_top, op->upscale == NPU_UPSCALE_NONE ? 1 : 2, taps };
	const struct axis a = cut(op->ofm.height, op->block_h);

	return has_window(op) ? elements_read(&s) : plain_read(blocks_along(&a), op, map->height, op->ofm.height);
}

u64 columns_read(const struct npu_op *op, const struct npu_fm *map, struct taps taps)
{
	const struct slide s = { op->ofm.width, op->block_w, map->width, max_u64(op->stride_x, 1),
				 max_u64(op->dilation_x, 1), op->pad_left, op->upscale == NPU_UPSCALE_NONE ? 1 : 2, taps };
	const struct axis a = cut(op->ofm.width, op->block_w);

	return has_window(op) ? elements_read(&s) : plain_read(blocks_along(&a), op, map->width, op->ofm.width);
}

struct ublock ublock_of(const struct npu_config *config, const struct npu_op *op)
{
	struct ublock u = { config->ofm_ublock_h, config->ofm_ublock_w, config->ofm_ublock_d };

	if (op->u85.ublock_h && op->u85.ublock_w && op->u85.ublock_d)
		return (struct ublock){ op->u85.ublock_h, op->u85.ublock_w, op->u85.ublock_d };
	if (config->product != NPU_U85 && u.h == 2 && npu_is_mac(op) && op->ofm.height == 1 &&
	    op->ofm.width % 2 == 0 && op->kernel_h == 1) {
		u.h = 1;
		u.w = 4;
	}
	return u;
}

static u32 ifm_block_depth_u85(const struct npu_config *config, const struct npu_op *op)
{
	if (op->kind == NPU_CONV && op->part_kernel)
		return 16;
	if (op->ifm.bytes >= 4 || (config->macs <= 256 && op->u85.ublock_d == 16 && !op->u85.sparse))
		return 32;
	return op->u85.sparse && op->ifm.bytes == 1 ? 128 : 64;
}

u32 ifm_block_depth(const struct npu_config *config, const struct npu_op *op)
{
	if (!sums_over_depth(op))
		return op->block_d;
	if (config->product == NPU_U85)
		return ifm_block_depth_u85(config, op);
	return op->ifm.bytes >= 2 || (op->kind == NPU_CONV && op->part_kernel) ? 16 : 32;
}
