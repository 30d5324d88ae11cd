/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/timing/geometry.h"

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

/* IFM elements along an axis that `block` OFM elements need. */
static u32 ifm_extent(u32 block, u32 stride, u32 taps, u32 dilation, u32 upscale, u32 limit)
{
	const u64 upscaled = (u64)(block - 1) * stride + (u64)(taps - 1) * dilation + 1;

	return (u32)max_u64(1, min_u64(div_up(upscaled, upscale), limit));
}

static void set_ifm(const struct npu_op *op, struct block *b)
{
	const u32 upscale = op->upscale == NPU_UPSCALE_NONE ? 1 : 2;

	if (op->kind == NPU_ELEMENTWISE || op->kind == NPU_DMA) {
		b->ifm_h = b->h;
		b->ifm_w = b->w;
		return;
	}
	b->ifm_h = ifm_extent(b->h, max_u64(op->stride_y, 1), max_u64(op->kernel_h, 1), max_u64(op->dilation_y, 1),
			      upscale, op->ifm.height);
	b->ifm_w = ifm_extent(b->w, max_u64(op->stride_x, 1), max_u64(op->kernel_w, 1), max_u64(op->dilation_x, 1),
			      upscale, op->ifm.width);
}

void blocks_of(const struct npu_op *op, struct blocks *out)
{
	const struct axis y = cut(op->ofm.height, op->block_h);
	const struct axis x = cut(op->ofm.width, op->block_w);
	const struct axis z = cut(op->ofm.depth, op->block_d);

	out->kinds = 0;
	out->count = 0;
	for (unsigned i = 0; i < y.kinds; i++)
		for (unsigned j = 0; j < x.kinds; j++)
			for (unsigned k = 0; k < z.kinds; k++) {
				struct block *b = &out->kind[out->kinds++];

				b->h = y.size[i];
				b->w = x.size[j];
				b->d = z.size[k];
				b->positions = y.count[i] * x.count[j];
				b->count = b->positions * z.count[k];
				out->count += b->count;
				set_ifm(op, b);
			}
}

struct ublock ublock_of(const struct npu_config *config, const struct npu_op *op)
{
	struct ublock u = { config->ofm_ublock_h, config->ofm_ublock_w, config->ofm_ublock_d };

	if (config->product != NPU_U85 && u.h == 2 && npu_is_mac(op) && op->ofm.height == 1 &&
	    op->ofm.width % 2 == 0 && op->kernel_h == 1) {
		u.h = 1;
		u.w = 4;
	}
	return u;
}
