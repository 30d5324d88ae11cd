/* SPDX-License-Identifier: Apache-2.0 */
/* Command registers to operation, Ethos-U55 and Ethos-U65.
 *
 * All rules of the kind "register A counts only when B says so" live here, so that executors
 * and timing model see plain numbers: where the IFM ends, which elements are padding, which
 * scaling holds, what the clamp is, which table is looked up. */
#include "npu/decode.h"

#include <string.h>

#define FAIL_FIELD(name_, value_) \
	(fault->field = name_, fault->value = (u32)(value_), false)

static i64 sign_extend(u64 v, unsigned bits)
{
	return (i64)(v << (64 - bits)) >> (64 - bits);
}

static i32 zero_point(u64 field, bool is_signed)
{
	return is_signed ? (i16)field : (u16)field;
}

static u64 wrap(const struct npu_decode_input *in, u64 addr)
{
	return addr & ((UINT64_C(1) << in->config->address_bits) - 1);
}

static u64 address(const struct npu_decode_input *in, u64 region, u64 offset)
{
	return wrap(in, in->basep[region] + wrap(in, offset));
}

static i64 stride(const struct npu_decode_input *in, u64 field)
{
	return sign_extend(wrap(in, field), in->config->address_bits);
}

/* The registers of IFM, IFM2 and OFM differ in their numbers only. */
#define FM_REGISTERS(P) do { \
	fm->region = (u8)FIELD(r, P##_REGION, region); \
	fm->base[0] = address(in, fm->region, FIELD(r, P##_BASE0, addr)); \
	fm->base[1] = address(in, fm->region, FIELD(r, P##_BASE1, addr)); \
	fm->base[2] = address(in, fm->region, FIELD(r, P##_BASE2, addr)); \
	fm->base[3] = address(in, fm->region, FIELD(r, P##_BASE3, addr)); \
	fm->stride_x = stride(in, FIELD(r, P##_STRIDE_X, stride)); \
	fm->stride_y = stride(in, FIELD(r, P##_STRIDE_Y, stride)); \
	fm->stride_c = stride(in, FIELD(r, P##_STRIDE_C, stride)); \
	fm->width0 = (u32)FIELD(r, P##_WIDTH0_M1, width_m1) + 1; \
	fm->height0 = (u32)FIELD(r, P##_HEIGHT0_M1, height_m1) + 1; \
	fm->height1 = (u32)FIELD(r, P##_HEIGHT1_M1, height_m1) + 1; \
	fm->is_signed = (u8)FIELD(r, P##_PRECISION, type); \
	fm->bytes = (u8)(1u << FIELD(r, P##_PRECISION, precision)); \
	fm->format = (u8)FIELD(r, P##_PRECISION, format); \
	fm->zero_point = zero_point(FIELD(r, P##_ZERO_POINT, zero_point), fm->is_signed); \
	fm->used = 1; \
	if (fm->format == NPU_NHCWB16) \
		fm->stride_x = 16 * fm->bytes; \
	if (fm->bytes > 4) \
		return FAIL_FIELD(#P "_PRECISION.precision", 3); \
	if (fm->format > NPU_NHCWB16) \
		return FAIL_FIELD(#P "_PRECISION.format", fm->format); \
	return true; \
} while (0)

static bool decode_ifm(const struct npu_decode_input *in, struct npu_fm *fm,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	FM_REGISTERS(IFM);
}

static bool decode_ifm2(const struct npu_decode_input *in, struct npu_fm *fm,
			struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	FM_REGISTERS(IFM2);
}

static bool decode_ofm(const struct npu_decode_input *in, struct npu_fm *fm,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	fm->width = (u32)FIELD(r, OFM_WIDTH_M1, width_m1) + 1;
	fm->height = (u32)FIELD(r, OFM_HEIGHT_M1, height_m1) + 1;
	fm->depth = (u32)FIELD(r, OFM_DEPTH_M1, depth_m1) + 1;
	FM_REGISTERS(OFM);
}

static void set_tiled(struct npu_fm *fm)
{
	fm->tiled = fm->width > fm->width0 || fm->height > fm->height0;
}

/* Rows (or columns) of the IFM the window covers, in upscaled coordinates; the rest of the
 * OFM's reach is padding. The stream does not say it: it follows from the other sizes. */
static u32 extent(u32 ofm, u32 stride_, u32 dilated_kernel, u32 before, u32 after)
{
	i64 e = (i64)(ofm - 1) * stride_ + dilated_kernel - before - after;
	return e > 0 ? (u32)e : 0;
}

static bool decode_window(const struct npu_regs *r, struct npu_op *op,
			  struct npu_decode_fault *fault)
{
	u32 dilated_h = (u32)FIELD(r, KERNEL_HEIGHT_M1, height_m1) + 1;
	u32 dilated_w = (u32)FIELD(r, KERNEL_WIDTH_M1, width_m1) + 1;

	op->dilation_x = (u8)(1 + FIELD(r, KERNEL_STRIDE, dilation_x));
	op->dilation_y = (u8)(1 + FIELD(r, KERNEL_STRIDE, dilation_y));
	op->stride_x = (u8)(1 + FIELD(r, KERNEL_STRIDE, stride_x_lsb) +
			    2 * FIELD(r, KERNEL_STRIDE, stride_x_msb));
	op->stride_y = (u8)(1 + FIELD(r, KERNEL_STRIDE, stride_y_lsb) +
			    2 * FIELD(r, KERNEL_STRIDE, stride_y_msb));
	op->kernel_h = (dilated_h - 1) / op->dilation_y + 1;
	op->kernel_w = (dilated_w - 1) / op->dilation_x + 1;
	op->pad_top = (u16)FIELD(r, IFM_PAD_TOP, pad);
	op->pad_left = (u16)FIELD(r, IFM_PAD_LEFT, pad);
	op->pad_bottom = (u16)FIELD(r, IFM_PAD_BOTTOM, pad);
	op->pad_right = (u16)FIELD(r, IFM_PAD_RIGHT, pad);
	op->upscale = (u8)FIELD(r, IFM_UPSCALE, mode);
	if (op->upscale > NPU_UPSCALE_ZEROS)
		return FAIL_FIELD("IFM_UPSCALE.mode", op->upscale);

	op->up_height = extent(op->ofm.height, op->stride_y, dilated_h, op->pad_top, op->pad_bottom);
	op->up_width = extent(op->ofm.width, op->stride_x, dilated_w, op->pad_left, op->pad_right);
	unsigned up = op->upscale != NPU_UPSCALE_NONE;
	op->ifm.height = (op->up_height + up) >> up;
	op->ifm.width = (op->up_width + up) >> up;
	if (op->ifm.height == 0 || op->ifm.width == 0)
		op->ifm.used = 0; /* nothing but padding */
	return true;
}

static struct npu_scale ofm_scale(const struct npu_regs *r)
{
	return (struct npu_scale){
		.scale = (u32)FIELD(r, OFM_SCALE, scale),
		.shift = (u8)FIELD(r, OFM_SCALE, shift),
		.round = (u8)FIELD(r, OFM_PRECISION, round_mode),
		.first = 31,
	};
}

/* Clamp, table and store: section "output stage" of the executors. */
static void decode_output(const struct npu_regs *r, struct npu_op *op)
{
	enum { CLIP_OFM = 0, CLIP_U8 = 2, CLIP_I8 = 3, CLIP_I16 = 5 };
	unsigned function = (unsigned)FIELD(r, ACTIVATION, function);
	unsigned clip = (unsigned)FIELD(r, ACTIVATION, clip_range);
	bool is_table = function >= 16 && function <= 23;
	bool is_signed = clip == CLIP_I8 || clip == CLIP_I16 || (clip != CLIP_U8 && op->ofm.is_signed);
	unsigned bits = clip == CLIP_U8 || clip == CLIP_I8 ? 8 : clip == CLIP_I16 ? 16 : 8u * op->ofm.bytes;
	u16 act_min = (u16)FIELD(r, ACTIVATION_MIN, clip), act_max = (u16)FIELD(r, ACTIVATION_MAX, clip);

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
	u8 wr = (u8)FIELD(r, WEIGHT_REGION, region);

	op->weight_region = wr;
	op->part_kernel = op->kind == NPU_CONV && FIELD(r, KERNEL_STRIDE, weight_order);
	op->weights[0].addr = address(in, wr, FIELD(r, WEIGHT_BASE, addr));
	op->weights[0].length = (u32)FIELD(r, WEIGHT_LENGTH, length);
	if (op->cores == 2) {
		op->weights[1].addr = address(in, wr, FIELD(r, WEIGHT1_BASE, addr));
		op->weights[1].length = (u32)FIELD(r, WEIGHT1_LENGTH, length);
	}
}

static void decode_scales(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;
	u8 sr = (u8)FIELD(r, SCALE_REGION, region);

	op->scale_region = sr;
	op->scales[0].addr = address(in, sr, FIELD(r, SCALE_BASE, addr));
	op->scales[0].length = (u32)FIELD(r, SCALE_LENGTH, length);
	if (op->cores == 2) {
		op->scales[1].addr = address(in, sr, FIELD(r, SCALE1_BASE, addr));
		op->scales[1].length = (u32)FIELD(r, SCALE1_LENGTH, length);
	}
}

static bool decode_mac(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;

	op->ifm.depth = op->kind == NPU_CONV ? (u32)FIELD(r, IFM_DEPTH_M1, depth_m1) + 1
					     : op->ofm.depth;
	if (!decode_window(r, op, fault))
		return false;
	op->per_channel = FIELD(r, OFM_PRECISION, scale_mode) == 0;
	decode_weights(in, op);
	if (op->per_channel)
		decode_scales(in, op);
	return true;
}

static bool decode_pool(const struct npu_decode_input *in, struct npu_op *op,
			struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	bool global = FIELD(r, OFM_PRECISION, scale_mode) == 1;

	op->ifm.depth = op->mode == NPU_POOL_REDUCE_SUM ? (u32)FIELD(r, IFM_DEPTH_M1, depth_m1) + 1
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
	if (op->divide_by_count || (op->mode == NPU_POOL_MAX && !global)) {
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = 0;
	}
	return true;
}

static bool decode_second_operand(const struct npu_decode_input *in, struct npu_op *op,
				  struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;

	op->swap = FIELD(r, IFM2_BROADCAST, order) != 0;
	op->ifm2_scalar = FIELD(r, IFM2_BROADCAST, scalar) != 0;
	if (!decode_ifm2(in, &op->ifm2, fault))
		return false;
	op->scalar = zero_point(FIELD(r, IFM2_SCALAR, scalar), op->ifm2.is_signed);
	op->ifm2.height = FIELD(r, IFM2_BROADCAST, h) ? 1 : op->ofm.height;
	op->ifm2.width = FIELD(r, IFM2_BROADCAST, w) ? 1 : op->ofm.width;
	op->ifm2.depth = FIELD(r, IFM2_BROADCAST, c) ? 1 : op->ofm.depth;
	op->ifm2.used = !op->ifm2_scalar;
	set_tiled(&op->ifm2);
	return true;
}

/* ADD and SUB bring 8/16-bit operands to a common scale first. */
static bool decode_operand_scaling(const struct npu_regs *r, struct npu_op *op,
				   struct npu_decode_fault *fault)
{
	u8 round = (u8)FIELD(r, IFM_PRECISION, round_mode);

	op->operand_scaling = (u8)FIELD(r, IFM_PRECISION, scale_mode);
	if (op->operand_scaling > NPU_OPERAND_B)
		return FAIL_FIELD("IFM_PRECISION.scale_mode", op->operand_scaling);
	if (round > NPU_ROUND_NATURAL)
		return FAIL_FIELD("IFM_PRECISION.round_mode", round);

	/* one 32-bit scale, always in OPA_SCALE, for whichever operand the mode names */
	struct npu_scale one = {
		.scale = (u32)FIELD(r, OPA_SCALE, scale),
		.shift = (u8)FIELD(r, OPA_SCALE, shift),
		.round = round,
		.first = op->ifm.bytes == 1 ? 11 : 16,
	};
	if (op->operand_scaling == NPU_OPERANDS_16) {
		op->opa.scale = one.scale & 0xffff;
		op->opb.scale = (u32)FIELD(r, OPB_SCALE, scale);
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
	op->ifm.height = op->ofm.height;
	op->ifm.width = op->ofm.width;
	op->ifm.depth = op->ofm.depth;
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

	op->block_h = (u16)(FIELD(r, OFM_BLK_HEIGHT_M1, height_m1) + 1);
	op->block_w = (u16)(FIELD(r, OFM_BLK_WIDTH_M1, width_m1) + 1);
	op->block_d = (u16)(FIELD(r, OFM_BLK_DEPTH_M1, depth_m1) + 1);
	op->blockdep = (u8)FIELD(r, BLOCKDEP, blockdep);
	op->ib_end = (u8)FIELD(r, IFM_IB_END, ib_end);
	op->ib2_start = (u8)FIELD(r, IFM2_IB_START, ib_start);
	op->ab_start = (u8)FIELD(r, AB_START, ab_start);
	op->acc_bits = FIELD(r, ACC_FORMAT, format) == 1 ? 40 : 32;
	op->cores = in->config->cores == 2 && FIELD(r, PARALLEL_MODE, mode) ? 2 : 1;
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

	addr = wrap(in, addr);
	return addr >= end && addr - end < tables ? addr - tables : addr;
}

/* 2D and 3D copies exist on U65. The skips are what regor's code generator implies: the
 * distance between row (plane) starts is the packed size plus the skip. */
static bool decode_dma(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_dma *d = &op->dma;
	u64 src = FIELD(r, DMA0_SRC, addr), dst = FIELD(r, DMA0_DST, addr);
	unsigned dims = in->config->product == NPU_U55 ? 0 : (unsigned)FIELD(r, DMA0_DST_REGION, stride_mode);

	if (dims > 2)
		return FAIL_FIELD("DMA0_DST_REGION.stride_mode", dims);
	d->src_region = (u8)FIELD(r, DMA0_SRC_REGION, region);
	d->dst_region = (u8)FIELD(r, DMA0_DST_REGION, region);
	d->src_internal = (u8)FIELD(r, DMA0_SRC_REGION, internal);
	d->dst_internal = (u8)FIELD(r, DMA0_DST_REGION, internal);
	d->src = d->src_internal ? internal_address(in, src) : address(in, d->src_region, src);
	d->dst = d->dst_internal ? internal_address(in, dst) : address(in, d->dst_region, dst);
	d->length = wrap(in, FIELD(r, DMA0_LEN, length));
	d->rows = dims >= 1 ? (u32)FIELD(r, DMA0_SIZE0, size) : 1;
	d->planes = dims == 2 ? (u32)FIELD(r, DMA0_SIZE1, size) : 1;
	d->src_row_stride = d->dst_row_stride = (i64)d->length;
	d->src_plane_stride = d->dst_plane_stride = (i64)(d->length * d->rows);
	if (dims >= 1)
		d->dst_row_stride += stride(in, FIELD(r, DMA0_SKIP0, skip));
	if (dims == 2)
		d->dst_plane_stride += stride(in, FIELD(r, DMA0_SKIP1, skip));
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

static u64 mul_saturate(u64 a, u64 b)
{
	u64 p;
	return __builtin_mul_overflow(a, b, &p) ? UINT64_MAX : p;
}

u64 npu_op_work(const struct npu_op *op)
{
	u64 work = mul_saturate((u64)op->ofm.height * op->ofm.width, op->ofm.depth);

	switch (op->kind) {
	case NPU_DMA:
		return mul_saturate(mul_saturate(op->dma.length, op->dma.rows), op->dma.planes) / 8 +
		       (u64)op->dma.rows * op->dma.planes;
	case NPU_RESIZE:
	case NPU_ELEMENTWISE:
		return work;
	default:
		work = mul_saturate(work, (u64)op->kernel_h * op->kernel_w);
		if (op->kind == NPU_CONV || op->mode == NPU_POOL_REDUCE_SUM)
			work = mul_saturate(work, op->ifm.depth);
		return work;
	}
}

const char *npu_op_name(const struct npu_op *op)
{
	static const char *const pools[] = { "max pool", "average pool", "reduce sum", "sum pool",
					     "copy", "min pool", "argmax x", "argmax y" };
	static const char *const elementwise[] = {
		"mul", "add", "sub", "min", "max", "lrelu", "abs", "clz", "shr", "shl", "lsr", "div",
		[NPU_EW_CMP_EQ] = "equal", "not equal", "greater equal", "greater",
		[NPU_EW_AND] = "and", "or", "xor", "not", [NPU_EW_AND_NOT] = "and not",
	};
	switch (op->kind) {
	case NPU_CONV: return "conv";
	case NPU_DEPTHWISE: return "depthwise";
	case NPU_POOL: return op->mode < ARRAY_LEN(pools) ? pools[op->mode] : "pool";
	case NPU_ELEMENTWISE:
		return op->mode < ARRAY_LEN(elementwise) && elementwise[op->mode] ? elementwise[op->mode]
										  : "elementwise";
	case NPU_RESIZE: return "resize";
	default: return "dma";
	}
}
