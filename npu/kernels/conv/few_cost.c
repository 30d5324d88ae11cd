/* SPDX-License-Identifier: Apache-2.0 */
/* What a convolution to a few channels takes pixel by pixel: an estimate, from measurements on Zen 5. */
#include "npu/integer.h"
#include "npu/kernels/conv/few.h"
#include "npu/kernels/conv/gather.h"

static bool is_few(const struct npu_kernels *k, const struct npu_op *op)
{
	return k->simd->few_u8 && op->kind == NPU_CONV && !op->abreast.pixels && op->ifm.bytes == 1 && op->ofm.bytes == 1 && op->ofm.depth <= NPU_FEW &&
	       !op->u85.acc_output_off && npu_gather_fits_u8(op) && (u64)op->kernel_h * op->kernel_w * op->ifm.depth <= NPU_FEW_PIECES * NPU_GROUP;
}

static bool is_pointwise(const struct npu_op *op)
{
	return op->kernel_h * op->kernel_w == 1;
}

/* Whether fields will be read where they are, or in one copy of the map. */
static bool lies_ready(const struct npu_simd *simd, const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm;

	if (is_pointwise(op))
		return simd->few_bytes > NPU_GROUP || ifm->depth % NPU_GROUP == 0;
	return !ifm->tiled && !op->upscale && op->dilation_x == 1 && ifm->height * (u64)ifm->width * ifm->depth <= NPU_GATHER_FIELDS;
}

static u32 bricks_of(u32 channels)
{
	return (channels + NPU_GROUP - 1) / NPU_GROUP;
}

/* `bricks`: of a tap's 16 channels, those of neighbours behind them. */
static u32 pieces_of(const struct npu_simd *simd, const struct npu_op *op, bool ready, bool bricks)
{
	const u32 most = simd->few_bytes, depth = op->ifm.depth, line = op->kernel_w * depth;

	if (bricks || (is_pointwise(op) && op->ifm.format == NPU_NHCWB16))
		return op->kernel_h * op->kernel_w * bricks_of(depth);
	return ready ? op->kernel_h * ((line + most - 1) / most) : (op->kernel_h * line + most - 1) / most;
}

static u32 cycles_of(const struct npu_simd *simd, u32 channels, u32 pieces, bool bricks)
{
	if (simd->few_bytes == NPU_GROUP)
		return 16 + 64 * channels + pieces * (10 + 8 * channels);
	return bricks ? 32 + 7 * pieces + (channels - 1) * (32 + pieces) : 48 + 40 * channels + pieces * (22 + 6 * channels);
}

/* Pixels of a row that are done at a time. */
static u32 block_of(const struct npu_simd *simd, bool bricks)
{
	return simd->few_bytes == NPU_GROUP ? 4 : bricks ? 16 : 8;
}

u32 npu_few_cycles(const struct npu_kernels *k, const struct npu_op *op)
{
	const u32 depth = op->ifm.depth, channels = op->ofm.depth;

	if (!is_few(k, op))
		return UINT32_MAX;
	const bool ready = lies_ready(k->simd, op), bricks = ready && op->stride_x == 1 && op->ifm.stride_x == NPU_GROUP && depth % NPU_GROUP == 0;
	const u32 all = cycles_of(k->simd, channels, pieces_of(k->simd, op, ready, bricks), bricks);
	const u32 copy = is_pointwise(op) ? 0 : 32 + depth / 2, panel = 32 * op->kernel_h * op->kernel_w * bricks_of(depth);
	const u32 block = block_of(k->simd, bricks), width = ready ? op->ofm.width : block;

	return (ready ? copy : panel) + (u32)(all * (u64)round_up_to(width, block) / width);
}
