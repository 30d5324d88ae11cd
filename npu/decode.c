/* SPDX-License-Identifier: Apache-2.0 */
/* Command registers to operation, Ethos-U55 and Ethos-U65.
 *
 * All rules of the kind "register A counts only when B says so" live here, so that executors
 * and timing model see plain numbers: where the IFM ends, which elements are padding, which
 * scaling holds, what the clamp is, which table is looked up. */
#include <string.h>

#define READ(name, field) FIELD(r, name, field)
#include "npu/decode_shared.h"

/* Those of U55 and U65 have no fourth precision, and NHCWB16 has its own distance of columns. */
#define FM_REGISTERS_55(P) do { \
	FM_REGISTERS(P); \
	if (fm->format == NPU_NHCWB16) \
		fm->stride_x = 16 * fm->bytes; \
	if (fm->bytes > 4) \
		return FAIL_FIELD(#P "_PRECISION.precision", 3); \
	return true; \
} while (0)

static bool decode_ifm(const struct npu_decode_input *in, struct npu_fm *fm,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	FM_REGISTERS_55(IFM);
}

static bool decode_ifm2(const struct npu_decode_input *in, struct npu_fm *fm,
			struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	FM_REGISTERS_55(IFM2);
}

static bool decode_ofm(const struct npu_decode_input *in, struct npu_fm *fm,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	decode_ofm_size(r, fm);
	FM_REGISTERS_55(OFM);
}

static struct npu_scale ofm_scale(const struct npu_regs *r)
{
	return (struct npu_scale){
		.scale = (u32)READ(OFM_SCALE, scale),
		.shift = (u8)READ(OFM_SCALE, shift),
		.round = (u8)READ(OFM_PRECISION, round_mode),
		.first = 31,
	};
}

/* Clamp, table and store: section "output stage" of the executors. */
static void decode_output(const struct npu_regs *r, struct npu_op *op)
{
	enum { CLIP_OFM = 0, CLIP_U8 = 2, CLIP_I8 = 3, CLIP_I16 = 5 };
	unsigned function = (unsigned)READ(ACTIVATION, function);
	unsigned clip = (unsigned)READ(ACTIVATION, clip_range);
	bool is_table = function >= 16 && function <= 23;
	bool is_signed = clip == CLIP_I8 || clip == CLIP_I16 || (clip != CLIP_U8 && op->ofm.is_signed);
	unsigned bits = clip == CLIP_U8 || clip == CLIP_I8 ? 8 : clip == CLIP_I16 ? 16 : 8u * op->ofm.bytes;
	u16 act_min = (u16)READ(ACTIVATION_MIN, clip), act_max = (u16)READ(ACTIVATION_MAX, clip);

	if (is_table && op->ofm.bytes == 4 && bits == 32) {
		bits = 8; /* a table of int32 has 256 entries: the index is 8 bits */
		is_signed = true;
	}
	i64 type_lo = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
	i64 type_hi = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
	i64 lo = is_signed ? (i16)act_min : act_min;
	i64 hi = is_signed ? (i16)act_max : act_max;
	op->lo = (i32)(lo > type_lo ? lo : type_lo);
	op->hi = (i32)(hi < type_hi ? hi : type_hi);
	if (op->lo > op->hi)
		op->lo = op->hi; /* an empty range is not defined */

	op->output = NPU_OUT_CLAMP;
	if (function == 3) {
		op->output = NPU_OUT_TANH;
	} else if (function == 4) {
		op->output = NPU_OUT_SIGMOID;
	} else if (is_table) {
		op->output = op->ofm.bytes == 4 ? NPU_OUT_LUT32
			   : op->ofm.bytes == 2 ? NPU_OUT_LUT16 : NPU_OUT_LUT8;
		op->lut_offset = (u16)(256 * (function - 16));
	} else if (op->ofm.bytes == 4 && clip == CLIP_OFM) {
		/* compilers leave garbage in OFM_ZERO_POINT and the clamp here */
		op->output = NPU_OUT_RAW32;
		op->lo = INT32_MIN;
		op->hi = INT32_MAX;
	}
}

static void decode_weights(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;
	u8 wr = (u8)READ(WEIGHT_REGION, region);

	op->weight_region = wr;
	op->part_kernel = op->kind == NPU_CONV && READ(KERNEL_STRIDE, weight_order);
	op->weights[0].addr = address(in, wr, READ(WEIGHT_BASE, addr));
	op->weights[0].length = (u32)READ(WEIGHT_LENGTH, length);
	if (op->cores == 2) {
		op->weights[1].addr = address(in, wr, READ(WEIGHT1_BASE, addr));
		op->weights[1].length = (u32)READ(WEIGHT1_LENGTH, length);
	}
}

static void decode_scales(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;
	u8 sr = (u8)READ(SCALE_REGION, region);

	op->scale_region = sr;
	op->scales[0].addr = address(in, sr, READ(SCALE_BASE, addr));
	op->scales[0].length = (u32)READ(SCALE_LENGTH, length);
	if (op->cores == 2) {
		op->scales[1].addr = address(in, sr, READ(SCALE1_BASE, addr));
		op->scales[1].length = (u32)READ(SCALE1_LENGTH, length);
	}
}

static bool decode_mac(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;

	op->ifm.depth = op->kind == NPU_CONV ? (u32)READ(IFM_DEPTH_M1, depth_m1) + 1
					     : op->ofm.depth;
	if (!decode_window(r, op, fault))
		return false;
	op->per_channel = READ(OFM_PRECISION, scale_mode) == 0;
	decode_weights(in, op);
	if (op->per_channel)
		decode_scales(in, op);
	return true;
}

static bool decode_pool(const struct npu_decode_input *in, struct npu_op *op,
			struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	bool global = READ(OFM_PRECISION, scale_mode) == 1;

	op->ifm.depth = op->mode == NPU_POOL_REDUCE_SUM ? (u32)READ(IFM_DEPTH_M1, depth_m1) + 1
							: op->ofm.depth;
	if (!decode_window(r, op, fault))
		return false;
	/* The hardware divides by the count of valid elements as soon as there is padding,
	 * whatever the scale registers say. */
	if (op->mode == NPU_POOL_AVERAGE)
		op->divide_by_count = op->pad_top | op->pad_left | op->pad_bottom | op->pad_right ? 1 : 0;
	if (op->mode == NPU_POOL_AVERAGE && !op->divide_by_count && !global) {
		op->per_channel = 1;
		decode_scales(in, op);
	}
	/* A maximum is not scaled: Vela 5.0 leaves there the scale of an average over the window. */
	if (op->divide_by_count || op->mode == NPU_POOL_MAX) {
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = 0;
	}
	return true;
}

static bool decode_second_operand(const struct npu_decode_input *in, struct npu_op *op,
				  struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;

	op->swap = READ(IFM2_BROADCAST, order) != 0;
	op->ifm2_scalar = READ(IFM2_BROADCAST, scalar) != 0;
	if (!decode_ifm2(in, &op->ifm2, fault))
		return false;
	op->scalar = zero_point(READ(IFM2_SCALAR, scalar), op->ifm2.is_signed);
	set_size(&op->ifm2, READ(IFM2_BROADCAST, h) ? 1 : op->ofm.height, READ(IFM2_BROADCAST, w) ? 1 : op->ofm.width,
		 READ(IFM2_BROADCAST, c) ? 1 : op->ofm.depth);
	op->ifm2.used = !op->ifm2_scalar;
	set_tiled(&op->ifm2);
	return true;
}

/* ADD and SUB bring 8/16-bit operands to a common scale first. */
static bool decode_operand_scaling(const struct npu_regs *r, struct npu_op *op,
				   struct npu_decode_fault *fault)
{
	u8 round = (u8)READ(IFM_PRECISION, round_mode);

	op->operand_scaling = (u8)READ(IFM_PRECISION, scale_mode);
	if (op->operand_scaling > NPU_OPERAND_B)
		return FAIL_FIELD("IFM_PRECISION.scale_mode", op->operand_scaling);
	if (round > NPU_ROUND_NATURAL)
		return FAIL_FIELD("IFM_PRECISION.round_mode", round);

	/* one 32-bit scale, always in OPA_SCALE, for whichever operand the mode names */
	struct npu_scale one = {
		.scale = (u32)READ(OPA_SCALE, scale),
		.shift = (u8)READ(OPA_SCALE, shift),
		.round = round,
		.first = op->ifm.bytes == 1 ? 11 : 16,
	};
	if (op->operand_scaling == NPU_OPERANDS_16) {
		op->opa.scale = one.scale & 0xffff;
		op->opb.scale = (u32)READ(OPB_SCALE, scale);
	} else if (op->operand_scaling == NPU_OPERAND_A) {
		op->opa = one;
	} else {
		op->opb = one;
	}
	return true;
}

static bool decode_elementwise(const struct npu_decode_input *in, struct npu_op *op,
			       struct npu_decode_fault *fault)
{
	bool sums = op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB;

	op->unary = op->mode == NPU_EW_LRELU || op->mode == NPU_EW_ABS || op->mode == NPU_EW_CLZ;
	set_size(&op->ifm, op->ofm.height, op->ofm.width, op->ofm.depth);
	if (!op->unary && !decode_second_operand(in, op, fault))
		return false;
	if (sums && op->ifm.bytes < 4 && !decode_operand_scaling(in->regs, op, fault))
		return false;
	if (op->ifm.bytes == 4 || op->ofm.bytes == 4) {
		op->scale_is_one = 1;
		op->ofm_scale.scale = 1;
	}
	if (op->mode == NPU_EW_MIN || op->mode == NPU_EW_MAX) {
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = 0;
	}
	return true;
}

static void decode_blocks(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;

	decode_block(r, op);
	op->ib_end = (u8)READ(IFM_IB_END, ib_end);
	op->ib2_start = (u8)READ(IFM2_IB_START, ib_start);
	op->ab_start = (u8)READ(AB_START, ab_start);
	op->acc_bits = READ(ACC_FORMAT, format) == 1 ? 40 : 32;
	op->cores = in->config->cores == 2 && READ(PARALLEL_MODE, mode) ? 2 : 1;
}

static bool decode_kernel(const struct npu_decode_input *in, struct npu_op *op,
			  struct npu_decode_fault *fault)
{
	if (!decode_ofm(in, &op->ofm, fault) || !decode_ifm(in, &op->ifm, fault))
		return false;
	op->ofm_scale = ofm_scale(in->regs);
	if (op->ofm_scale.round > NPU_ROUND_NATURAL)
		return FAIL_FIELD("OFM_PRECISION.round_mode", op->ofm_scale.round);
	decode_blocks(in, op);
	decode_output(in->regs, op);

	bool ok = op->kind == NPU_POOL ? decode_pool(in, op, fault)
		: op->kind == NPU_ELEMENTWISE ? decode_elementwise(in, op, fault)
		: decode_mac(in, op, fault);
	set_tiled(&op->ifm);
	set_tiled(&op->ofm);
	return ok;
}

/* SHRAM address. Vela's regor counts no table banks for a table that is fused to a data movement (a transpose
 * with an activation behind it): on 16 KiB parts such a table is sent past the end, and read as table 0. */
static u64 internal_address(const struct npu_decode_input *in, u64 addr)
{
	u64 end = in->config->shram_kib * 1024u, tables = end - in->config->lut_base;

	return addr >= end && addr - end < tables ? addr - tables : addr;
}

/* 2D and 3D copies exist on U65. The skips are what regor's code generator implies: the
 * distance between row (plane) starts is the packed size plus the skip. */
static bool decode_dma(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_dma *d = &op->dma;
	unsigned dims = in->config->product == NPU_U55 ? 0 : (unsigned)READ(DMA0_DST_REGION, stride_mode);

	if (dims > 2)
		return FAIL_FIELD("DMA0_DST_REGION.stride_mode", dims);
	decode_copy(in, dims, d);
	if (d->src_internal)
		d->src = internal_address(in, d->src);
	if (d->dst_internal)
		d->dst = internal_address(in, d->dst);
	d->src_row_stride = d->dst_row_stride = (i64)d->length;
	d->src_plane_stride = d->dst_plane_stride = (i64)(d->length * d->rows);
	if (dims >= 1)
		d->dst_row_stride += stride(in, READ(DMA0_SKIP0, skip));
	if (dims == 2)
		d->dst_plane_stride += stride(in, READ(DMA0_SKIP1, skip));
	return true;
}

bool npu_decode(const struct npu_decode_input *in, enum npu_command command, u16 param,
		struct npu_op *op, struct npu_decode_fault *fault)
{
	memset(op, 0, sizeof(*op));
	switch (command) {
	case NPU_CMD_DMA_START:
		op->kind = NPU_DMA;
		return decode_dma(in, op, fault);
	case NPU_CMD_CONV:
		op->kind = NPU_CONV;
		break;
	case NPU_CMD_DEPTHWISE:
		op->kind = NPU_DEPTHWISE;
		break;
	case NPU_CMD_POOL:
		op->kind = NPU_POOL;
		op->mode = (u8)PARAM(param, POOL, mode);
		if (op->mode > NPU_POOL_REDUCE_SUM)
			return FAIL_FIELD("mode", op->mode);
		break;
	default:
		op->kind = NPU_ELEMENTWISE;
		op->mode = (u8)PARAM(param, ELEMENTWISE, mode);
		if (op->mode > NPU_EW_SHL)
			return FAIL_FIELD("mode", op->mode);
		break;
	}
	return decode_kernel(in, op, fault);
}
