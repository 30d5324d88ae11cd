/* SPDX-License-Identifier: Apache-2.0 */
/* Command registers to operation, Ethos-U85. */
#include <string.h>

#include "npu/u85/u85.h"

#define READ(name, field) FIELD85(r, name, field)
#include "npu/decode_shared.h"

enum { STORAGE_TILES = 0, STORAGE_STACKED = 1, STORAGE_CHAINED = 2, STORAGE_NONE = 3 };

/* Says in addition how the map is stored; returns whether in a chain buffer. */
static bool set_storage(struct npu_fm *fm, u64 storage)
{
	fm->stacked = storage == STORAGE_STACKED;
	fm->used = storage <= STORAGE_STACKED;
	return storage == STORAGE_CHAINED;
}

static bool decode_ifm(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_fm *fm = &op->ifm;

	FM_REGISTERS(IFM);
	op->u85.ifm_chained = set_storage(fm, READ(IFM_PRECISION, storage));
	return true;
}

static bool decode_ifm2(const struct npu_decode_input *in, struct npu_op *op,
			struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_fm *fm = &op->ifm2;

	FM_REGISTERS(IFM2);
	op->u85.ifm2_chained = set_storage(fm, READ(IFM2_PRECISION, storage));
	return true;
}

static void swap_sizes(u32 *a, u32 *b)
{
	u32 t = *a;
	*a = *b;
	*b = t;
}

/* Sizes of the OFM as it is stored. */
static bool transpose_sizes(struct npu_fm *fm, unsigned order)
{
	enum { HWC = 0, WHC = 1, HCW = 2, WCH = 3, CHW = 6, CWH = 7 };

	switch (order) {
	case HWC: return true;
	case WHC: swap_sizes(&fm->height, &fm->width); return true;
	case HCW: swap_sizes(&fm->width, &fm->depth); return true;
	case WCH: swap_sizes(&fm->height, &fm->width); swap_sizes(&fm->width, &fm->depth); return true;
	case CHW: swap_sizes(&fm->height, &fm->depth); swap_sizes(&fm->width, &fm->depth); return true;
	case CWH: swap_sizes(&fm->height, &fm->depth); return true;
	default: return false;
	}
}

static bool decode_ofm(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_fm *fm = &op->ofm;

	decode_ofm_size(r, fm);
	FM_REGISTERS(OFM);
	op->u85.ofm_chained = set_storage(fm, READ(OFM_PRECISION, storage));
	op->u85.reverse = (u8)READ(OFM_PRECISION, reverse);
	op->u85.transpose = (u8)READ(OFM_PRECISION, transpose);
	op->u85.stored = *fm;
	if (!transpose_sizes(&op->u85.stored, op->u85.transpose))
		return FAIL_FIELD("OFM_PRECISION.transpose", op->u85.transpose);
	return true;
}

static struct npu85_scale scale_of(u64 scale, u64 shift, u64 dbl, u64 round)
{
	return (struct npu85_scale){ (u32)scale, (u8)shift, (u8)round, (u8)dbl };
}

#define SCALE_REGISTER(name) \
	scale_of(READ(name, scale), READ(name, shift), READ(name, double_round), \
		 READ(name, round_mode))

static bool decode_output(const struct npu_regs *r, struct npu_op *op, struct npu_decode_fault *fault)
{
	static const u16 table_bytes[16] = {
		[NPU85_TABLE_U8_U8] = 256, [NPU85_TABLE_S8_S8] = 256, [NPU85_TABLE_S8_S16] = 512,
		[NPU85_TABLE_S8_S32] = 1024, [NPU85_TABLE_S16_S16] = 2048, [NPU85_TABLE_S16_S32] = 2048,
		[NPU85_TABLE_TANH] = 2048, [NPU85_TABLE_SIGMOID] = 2048,
	};
	struct npu85_op *u = &op->u85;
	unsigned table = (unsigned)READ(ACTIVATION, function);

	if (table >= ARRAY_LEN(table_bytes) || (table && !table_bytes[table]))
		return FAIL_FIELD("ACTIVATION.function", table);
	u->table = (u8)table;
	u->table_offset = (u16)(READ(ACTIVATION, table) * table_bytes[table] % NPU_LUT_BYTES);
	u->clip_off = (u8)READ(ACTIVATION, clip_off);
	u->clip_signed = table ? table != NPU85_TABLE_U8_U8 : op->ofm.is_signed;
	u16 lo = (u16)READ(ACTIVATION_MIN, clip), hi = (u16)READ(ACTIVATION_MAX, clip);
	op->lo = u->clip_signed ? (i16)lo : lo;
	op->hi = u->clip_signed ? (i16)hi : hi;
	if (op->lo > op->hi)
		op->lo = op->hi; /* an empty range is not defined */
	/* for the timing model, which knows output kinds of U55/U65 */
	op->output = table == NPU85_TABLE_NONE ? (u->clip_off ? NPU_OUT_RAW32 : NPU_OUT_CLAMP) : NPU_OUT_LUT8;
	u->ofm_scale = SCALE_REGISTER(OFM_SCALE);
	if (u->ofm_scale.round > 5)
		return FAIL_FIELD("OFM_SCALE.round_mode", u->ofm_scale.round);
	return true;
}

static bool decode_accumulators(const struct npu_decode_input *in, struct npu_op *op,
				struct npu_decode_fault *fault)
{
	static const u8 heights[] = { 1, 1, 1, 2, 2, 4 }, widths[] = { 1, 2, 4, 2, 4, 4 };
	const struct npu_regs *r = in->regs;
	struct npu85_op *u = &op->u85;
	unsigned block = (unsigned)READ(ACC_FORMAT, microblock);

	if (block >= ARRAY_LEN(heights))
		return FAIL_FIELD("ACC_FORMAT.microblock", block);
	u->ublock_h = heights[block];
	u->ublock_w = widths[block];
	u->ublock_d = (u16)(in->config->macs / 8 / (heights[block] * widths[block]));
	u->acc48 = READ(ACC_FORMAT, format) == 1;
	op->acc_bits = u->acc48 ? 48 : 32;
	u->acc_input = (u8)READ(ACC_FORMAT, input);
	u->acc_output_off = (u8)READ(ACC_FORMAT, output_disable);
	if (u->acc_input > NPU85_ACC_IFM2)
		return FAIL_FIELD("ACC_FORMAT.input", u->acc_input);
	return true;
}

static void decode_streams(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;
	u8 region = (u8)READ(WEIGHT_REGION, region);

	op->weight_region = region;
	op->u85.fast = (u8)READ(WEIGHT_FORMAT, fast);
	op->u85.sparse = (u8)READ(WEIGHT_FORMAT, sparse);
	op->part_kernel = op->kind == NPU_CONV && READ(KERNEL_STRIDE, weight_order);
	op->cores = in->config->cores;
	op->weights[0] = (struct npu_bytes){ address(in, region, READ(WEIGHT_BASE, addr)),
					     (u32)READ(WEIGHT_LENGTH, length) };
	if (op->u85.fast)
		return; /* one stream for all decoders */
	op->weights[1] = (struct npu_bytes){ address(in, region, READ(WEIGHT1_BASE, addr)),
					     op->cores > 1 ? (u32)READ(WEIGHT1_LENGTH, length) : 0 };
	op->weights[2] = (struct npu_bytes){ address(in, region, READ(WEIGHT2_BASE, addr)),
					     op->cores > 2 ? (u32)READ(WEIGHT2_LENGTH, length) : 0 };
	op->weights[3] = (struct npu_bytes){ address(in, region, READ(WEIGHT3_BASE, addr)),
					     op->cores > 3 ? (u32)READ(WEIGHT3_LENGTH, length) : 0 };
}

static void decode_scales(const struct npu_decode_input *in, struct npu_op *op)
{
	const struct npu_regs *r = in->regs;

	op->per_channel = READ(OFM_PRECISION, scale_mode) == 0;
	if (!op->per_channel || op->u85.acc_output_off)
		return;
	op->scale_region = (u8)READ(SCALE_REGION, region);
	op->scales[0] = (struct npu_bytes){ address(in, op->scale_region, READ(SCALE_BASE, addr)),
					    (u32)READ(SCALE_LENGTH, length) };
}

/* CONV, DEPTHWISE and POOL: everything that goes through the accumulators. */
static bool decode_accumulating(const struct npu_decode_input *in, struct npu_op *op,
				struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	bool whole_depth = op->kind == NPU_CONV || (op->kind == NPU_POOL && op->mode == NPU_POOL_REDUCE_SUM);

	if (!decode_accumulators(in, op, fault))
		return false;
	op->ifm.depth = whole_depth ? (u32)READ(IFM_DEPTH_M1, depth_m1) + 1 : op->ofm.depth;
	if (!decode_window(r, op, fault))
		return false;
	if (op->kind == NPU_POOL && op->mode == NPU_POOL_NONE)
		op->ifm.used = op->u85.ifm_chained = 0;
	/* An average is divided by the number of its valid elements and not scaled any more, whatever OFM_SCALE says:
	 * Vela 5.1 and later program 1.0 there, 4.2 to 5.0 one over the window's elements. */
	if (op->kind == NPU_POOL && op->mode == NPU_POOL_AVERAGE) {
		op->u85.ofm_scale.scale = 1;
		op->u85.ofm_scale.shift = 0;
	}
	op->cores = 1;
	if (op->kind != NPU_POOL && !op->u85.weights_ifm2)
		decode_streams(in, op);
	decode_scales(in, op);
	if (!op->u85.weights_ifm2 && op->u85.acc_input != NPU85_ACC_IFM2)
		return true;
	if (!decode_ifm2(in, op, fault))
		return false;
	if (op->u85.weights_ifm2)
		set_size(&op->ifm2, 1, op->ofm.depth, op->ifm.depth); /* h, o, i */
	else
		set_size(&op->ifm2, op->ofm.height, op->ofm.width, op->ofm.depth);
	return true;
}

static bool is_unary(unsigned mode)
{
	return mode == NPU_EW_LRELU || mode == NPU_EW_ABS || mode == NPU_EW_CLZ || mode == NPU_EW_NOT;
}

static bool is_elementwise(unsigned mode)
{
	return mode <= NPU_EW_DIV || (mode >= NPU_EW_CMP_EQ && mode <= NPU_EW_CMP_GT) ||
	       (mode >= NPU_EW_AND && mode <= NPU_EW_NOT) || mode == NPU_EW_AND_NOT;
}

static bool decode_elementwise(const struct npu_decode_input *in, struct npu_op *op,
			       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	const struct npu_fm *o = &op->ofm;
	struct npu85_op *u = &op->u85;
	u32 scalar = (u32)READ(OP_SCALAR, scalar);

	if (!is_elementwise(op->mode))
		return FAIL_FIELD("mode", op->mode);
	op->unary = is_unary(op->mode);
	op->scalar = (i32)scalar;
	u->ifm_scale = SCALE_REGISTER(IFM_SCALE);
	u->ifm2_scale = SCALE_REGISTER(IFM2_SCALE);
	u->ifm_scalar = READ(IFM_BROADCAST, scalar) != 0;
	set_size(&op->ifm, READ(IFM_BROADCAST, h) ? 1 : o->height,
		 READ(IFM_BROADCAST, w) ? 1 : o->width, READ(IFM_BROADCAST, c) ? 1 : o->depth);
	if (u->ifm_scalar)
		op->ifm.used = u->ifm_chained = 0;
	if (op->unary)
		return true;
	if (!decode_ifm2(in, op, fault))
		return false;
	op->ifm2_scalar = READ(IFM2_BROADCAST, scalar) != 0;
	set_size(&op->ifm2, READ(IFM2_BROADCAST, h) ? 1 : o->height,
		 READ(IFM2_BROADCAST, w) ? 1 : o->width, READ(IFM2_BROADCAST, c) ? 1 : o->depth);
	if (op->ifm2_scalar)
		op->ifm2.used = u->ifm2_chained = 0;
	return true;
}

static bool decode_resize(const struct npu_decode_input *in, struct npu_op *op,
			  struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu85_op *u = &op->u85;

	if (op->mode > NPU_RESIZE_NEAREST)
		return FAIL_FIELD("mode", op->mode);
	set_size(&op->ifm, (u32)READ(KERNEL_HEIGHT_M1, height_m1) + 1,
		 (u32)READ(KERNEL_WIDTH_M1, width_m1) + 1, op->ofm.depth);
	op->kernel_h = op->kernel_w = 1;
	u->resize_x.n = (i32)READ(RESIZE_X_SCALE_N_M1, n_m1) + 1;
	u->resize_y.n = (i32)READ(RESIZE_Y_SCALE_N_M1, n_m1) + 1;
	u->resize_x.d = (i32)READ(RESIZE_X, one_step_int) * u->resize_x.n +
			(i32)READ(RESIZE_X, one_step_mod);
	u->resize_y.d = (i32)READ(RESIZE_Y, one_step_int) * u->resize_y.n +
			(i32)READ(RESIZE_Y, one_step_mod);
	u->resize_x.offset = (i32)(READ(RESIZE_X_OFFSET, offset) << 20) >> 20;
	u->resize_y.offset = (i32)(READ(RESIZE_Y_OFFSET, offset) << 20) >> 20;
	return true;
}

/* An operand must have a place it is read from; chain buffers hold tensors of the OFM's size
 * and feed elementwise operations and accumulators only. */
static bool check_operands(const struct npu_op *op, struct npu_decode_fault *fault)
{
	const struct npu85_op *u = &op->u85;
	bool elementwise = op->kind == NPU_ELEMENTWISE;
	bool reads_ifm = !(op->kind == NPU_POOL && op->mode == NPU_POOL_NONE);
	bool reads_ifm2 = elementwise ? !op->unary : u->weights_ifm2 || u->acc_input == NPU85_ACC_IFM2;

	if (reads_ifm && u->ifm_chained && !elementwise)
		return FAIL_FIELD("IFM_PRECISION.storage", STORAGE_CHAINED);
	if (reads_ifm && !op->ifm.used && !u->ifm_chained && !u->ifm_scalar && op->ifm.height && op->ifm.width)
		return FAIL_FIELD("IFM_PRECISION.storage", STORAGE_NONE);
	if (reads_ifm2 && u->ifm2_chained && u->weights_ifm2)
		return FAIL_FIELD("IFM2_PRECISION.storage", STORAGE_CHAINED);
	if (reads_ifm2 && !op->ifm2.used && !u->ifm2_chained && !op->ifm2_scalar)
		return FAIL_FIELD("IFM2_PRECISION.storage", STORAGE_NONE);
	if (u->weights_ifm2 && u->acc_input == NPU85_ACC_IFM2)
		return FAIL_FIELD("ACC_FORMAT.input", u->acc_input);
	return true;
}

static bool decode_kernel(const struct npu_decode_input *in, struct npu_op *op,
			  struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;

	if (!decode_ofm(in, op, fault) || !decode_ifm(in, op, fault) || !decode_output(r, op, fault))
		return false;
	decode_block(r, op);
	op->cores = 1;
	op->acc_bits = 32;
	bool ok = op->kind == NPU_ELEMENTWISE ? decode_elementwise(in, op, fault)
		: op->kind == NPU_RESIZE ? decode_resize(in, op, fault)
		: decode_accumulating(in, op, fault);
	if (op->u85.acc_output_off)
		op->u85.stored.used = op->ofm.used = 0;
	set_tiled(&op->ifm);
	set_tiled(&op->ifm2);
	set_tiled(&op->u85.stored);
	op->ofm.tiled = op->u85.stored.tiled;
	return ok && check_operands(op, fault);
}

static bool decode_dma(const struct npu_decode_input *in, struct npu_op *op,
		       struct npu_decode_fault *fault)
{
	const struct npu_regs *r = in->regs;
	struct npu_dma *d = &op->dma;
	unsigned dims = (unsigned)READ(DMA0_DST_REGION, stride_mode);
	unsigned src_dims = (unsigned)READ(DMA0_SRC_REGION, stride_mode);
	bool gather = READ(DMA0_SRC_REGION, index), scatter = READ(DMA0_DST_REGION, index);

	dims = src_dims > dims ? src_dims : dims;
	if (dims > 2)
		return FAIL_FIELD("DMA0_SRC_REGION.stride_mode", dims);
	if (gather && scatter)
		return FAIL_FIELD("DMA0_DST_REGION.index", 1);
	decode_copy(in, dims, d);
	d->src_row_stride = stride(in, READ(DMA0_SRC_STRIDE0, stride));
	d->src_plane_stride = stride(in, READ(DMA0_SRC_STRIDE1, stride));
	d->dst_row_stride = stride(in, READ(DMA0_DST_STRIDE0, stride));
	d->dst_plane_stride = stride(in, READ(DMA0_DST_STRIDE1, stride));
	if (!gather && !scatter)
		return true;
	d->index_mode = gather ? NPU_INDEX_GATHER : NPU_INDEX_SCATTER;
	d->index_region = (u8)READ(DMA0_IDX_REGION, region);
	d->index = address(in, d->index_region, READ(DMA0_IDX, addr));
	d->index_max = (u32)READ(DMA0_IDX_MAX, max);
	d->index_plane_stride = 4 * (i64)d->rows + stride(in, READ(DMA0_IDX_SKIP1, skip));
	return true;
}

bool npu85_decode(const struct npu_decode_input *in, unsigned command, u16 param,
		  struct npu_op *op, struct npu_decode_fault *fault)
{
	memset(op, 0, sizeof(*op));
	op->u85.enabled = 1;
	switch (command) {
	case NPU85_CMD_DMA_START:
		op->kind = NPU_DMA;
		return decode_dma(in, op, fault);
	case NPU85_CMD_CONV:
		op->kind = NPU_CONV;
		op->u85.weights_ifm2 = (u8)PARAM85(param, CONV, weights_ifm2);
		break;
	case NPU85_CMD_DEPTHWISE:
		op->kind = NPU_DEPTHWISE;
		break;
	case NPU85_CMD_POOL:
		op->kind = NPU_POOL;
		op->mode = (u8)PARAM85(param, POOL, mode);
		break;
	case NPU85_CMD_RESIZE:
		op->kind = NPU_RESIZE;
		op->mode = (u8)PARAM85(param, RESIZE, mode);
		break;
	default:
		op->kind = NPU_ELEMENTWISE;
		op->mode = (u8)PARAM85(param, ELEMENTWISE, mode);
		break;
	}
	return decode_kernel(in, op, fault);
}
