/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/usual_op85.h"

#include "npu/kernels/rows/rows.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

/* A window of one element. */
static void single_window(struct npu_op *op)
{
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_bottom = op->pad_left = op->pad_right = op->upscale = 0;
	op->ifm.height = op->up_height = op->ofm.height;
	op->ifm.width = op->up_width = op->ofm.width;
}

void usual_reduction(struct rng *r, struct npu_op *op)
{
	op->mode = NPU_POOL_REDUCE_SUM;
	op->ofm.depth = 1;
	op->ifm.depth = 1 + rng_below(r, rng_below(r, 4) ? 100 : 2);
	op->ifm.bytes = (u8)(1u << rng_below(r, 3));
	op->ifm.is_signed = op->ifm.bytes > 1 || rng_below(r, 2);
	op->ifm.zero_point = rng_below(r, 2) ? 0 : 5;
	single_window(op);
}

void usual_places(struct rng *r, struct npu_op *op)
{
	const bool x = rng_below(r, 2), many = rng_one_in(r, 3);
	const u32 taps = 1 + rng_below(r, many ? 20 : rng_below(r, 4) ? 70 : 300);

	op->mode = x ? NPU_POOL_ARGMAX_X : NPU_POOL_ARGMAX_Y;
	op->ifm.bytes = (u8)(1 + rng_below(r, 2));
	op->ifm.is_signed = rng_below(r, 4) != 0;
	op->ifm.zero_point = rng_below(r, 2) ? 0 : 5;
	op->ifm.depth = op->ofm.depth = many ? 1 + rng_below(r, rng_below(r, 4) ? 60 : 400) : rng_below(r, 2) ? 1 : 1 + rng_below(r, 5);
	op->ofm.height = 1 + rng_below(r, many ? 4 : 40);
	op->ofm.width = rng_below(r, 2) ? 1 : 1 + rng_below(r, 5);
	single_window(op);
	op->kernel_w = x ? taps : 1;
	op->kernel_h = x ? 1 : taps;
	op->stride_y = (u8)(1 + rng_below(r, 2));
	op->stride_x = (u8)(1 + rng_below(r, 2));
	op->dilation_x = (u8)(1 + (x && rng_one_in(r, 5)));
	op->dilation_y = (u8)(1 + (!x && rng_one_in(r, 5)));
	op->ifm.height = op->up_height = (op->ofm.height - 1) * op->stride_y + (op->kernel_h - 1) * op->dilation_y + 1;
	op->ifm.width = op->up_width = (op->ofm.width - 1) * op->stride_x + (op->kernel_w - 1) * op->dilation_x + 1;
}

void usual_halves(struct rng *r, struct npu_op *op)
{
	op->ifm.bytes = op->ofm.bytes = 2;
	op->ifm.is_signed = op->ofm.is_signed = (u8)rng_below(r, 4) != 0;
	op->ifm.zero_point = 0;
	op->ofm.zero_point = rng_below(r, 3) ? 0 : 1;
}

void usual_copy(struct rng *r, struct npu_op *op)
{
	op->mode = NPU_POOL_SUM;
	op->ifm.depth = op->ofm.depth;
	usual_halves(r, op);
	if (rng_below(r, 2)) { /* to int32 */
		op->ofm.bytes = 4;
		op->ofm.is_signed = 1;
		op->ifm.bytes = (u8)(1u << rng_below(r, 3));
		op->ifm.is_signed = op->ifm.bytes == 4 || rng_below(r, 3);
		op->ifm.zero_point = op->ifm.bytes == 1 ? rng_range(r, -128, 127) : 0;
	}
	single_window(op);
}

void usual_narrowed(struct rng *r, struct npu_op *op)
{
	op->mode = NPU_POOL_SUM;
	op->ofm.bytes = (u8)(1 + rng_below(r, 2));
	op->ofm.is_signed = op->ofm.bytes == 2 || rng_below(r, 2);
	op->ofm.zero_point = rng_range(r, -100, 100);
	op->ifm.depth = op->ofm.depth;
	op->ifm.bytes = rng_below(r, 2) ? 4 : 3 - op->ofm.bytes;
	op->ifm.is_signed = op->ifm.bytes > 1 || rng_below(r, 2);
	op->ifm.zero_point = op->ifm.bytes == 1 ? rng_range(r, -128, 127) : op->ifm.bytes == 2 && rng_below(r, 2) ? 7 : 0;
	single_window(op);
}

void usual_product(struct npu_op *op)
{
	op->ifm.bytes = op->ifm2.bytes = op->ofm.bytes = 2;
	op->ifm.is_signed = op->ifm2.is_signed = op->ofm.is_signed = 1;
	op->ifm.zero_point = op->ifm2.zero_point = op->ofm.zero_point = 0;
	single_window(op);
}

void usual_row(struct rng *r, struct npu_op *op)
{
	op->ofm.height = op->ofm.width = 1;
	op->ofm.depth = 1 + rng_below(r, 100);
	op->ofm.bytes = 1;
	op->ifm.depth = 1 + rng_below(r, 200);
	op->ifm.bytes = op->ifm2.bytes = 1;
	single_window(op);
}

/* What is left of so many pixels; the rest is padding at both ends. */
static u32 some_pixels(struct rng *r, u32 pixels, u16 *before, u16 *behind)
{
	*before = (u16)rng_below(r, pixels < 4 ? pixels : 4);
	*behind = (u16)rng_below(r, pixels - *before < 4 ? pixels - *before : 4);
	return pixels - *before - *behind;
}

void usual_tap(struct rng *r, struct npu_op *op)
{
	single_window(op);
	op->ifm.depth = 1 + rng_below(r, 4);
	op->ifm.height = op->up_height = some_pixels(r, op->ofm.height, &op->pad_top, &op->pad_bottom);
	op->ifm.width = op->up_width = some_pixels(r, op->ofm.width, &op->pad_left, &op->pad_right);
}

void usual_accumulators(struct npu_op *op)
{
	op->ifm2.bytes = op->u85.acc48 ? 8 : 4;
	op->ifm2.is_signed = 1;
	op->ifm2.zero_point = 0;
}

/* Nothing changes it but `fraction` bits that are taken off. */
static void plain_output(struct rng *r, struct npu_op *op, u8 fraction)
{
	const u8 power = fraction ? (u8)rng_below(r, 31) : 0;

	op->u85.ofm_scale = (struct npu85_scale){ .scale = UINT32_C(1) << power, .shift = power + fraction, .round = (u8)rng_below(r, 6) };
	op->u85.table = NPU85_TABLE_NONE;
	op->u85.clip_off = 0;
	op->lo = INT16_MIN;
	op->hi = INT16_MAX;
	op->output = NPU_OUT_CLAMP;
}

static void table_of_words(struct rng *r, struct npu_op *op)
{
	op->u85.table = rng_below(r, 2) ? NPU85_TABLE_S16_S16 : NPU85_TABLE_S16_S32;
	op->u85.table_offset = 0;
	op->u85.clip_off = 0;
	op->u85.clip_signed = 1;
	op->lo = rng_range(r, INT16_MIN, -1000);
	op->hi = rng_range(r, 1000, INT16_MAX);
	op->output = NPU_OUT_LUT8;
}

/* Scales that Vela gives sums of bytes and of int16: operands with room for the second rounding. */
static void usual_sum(struct rng *r, struct npu_op *op)
{
	struct npu85_op *u = &op->u85;
	const bool words = op->ifm.bytes == 2;
	const struct npu85_scale whole = { .scale = UINT32_C(1) << 30, .shift = words ? 16 : 11, .dbl = words ? 15 : 20 };
	const struct npu85_scale part = { .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = words ? 17 : 12, .dbl = whole.dbl };
	const bool first = rng_below(r, 2);

	if (words && op->ofm.bytes == 2 && rng_below(r, 3))
		plain_output(r, op, 0);
	op->mode = rng_below(r, 3) ? NPU_EW_ADD : NPU_EW_SUB;
	u->ifm_scale = first ? whole : part;
	u->ifm2_scale = first ? part : whole;
	u->ofm_scale = (struct npu85_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX) };
	u->ofm_scale.shift = (u8)(rng_range(r, 48, 51) - (words ? 4 : 0));
	if (words && op->ofm.bytes == 2 && rng_one_in(r, 3)) {
		table_of_words(r, op);
		u->table = NPU85_TABLE_S16_S16;
	}
}

/* int32 as it is. */
static void words_alone(struct npu_op *op)
{
	op->ofm.zero_point = 0;
	op->u85.table = NPU85_TABLE_NONE;
	op->u85.clip_off = 1;
	op->output = NPU_OUT_RAW32;
}

/* An activation that is looked up, of bytes. */
static void table_of_bytes(struct rng *r, struct npu_op *op)
{
	const bool is_signed = rng_below(r, 2);

	op->u85.table = is_signed ? NPU85_TABLE_S8_S8 : NPU85_TABLE_U8_U8;
	op->u85.table_offset = (u16)(rng_below(r, 8) * 256);
	op->u85.clip_off = 0;
	op->u85.clip_signed = is_signed;
	op->lo = is_signed ? INT8_MIN : 0;
	op->hi = is_signed ? INT8_MAX : UINT8_MAX;
	op->output = NPU_OUT_LUT8;
}

/* Scales of half and more want values to be shifted left first; a table is one of bytes. */
static void narrowed_output(struct rng *r, struct npu_op *op)
{
	const i32 most = op->ofm.bytes == 1 ? INT8_MAX : INT16_MAX, add = op->ofm.is_signed ? 0 : most + 1;

	op->per_channel = 0;
	op->u85.ofm_scale = (struct npu85_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = (u8)rng_range(r, 24, op->ifm.bytes == 4 ? 58 : 40),
						  .round = (u8)rng_below(r, 6), .dbl = (u8)(rng_below(r, 2) ? 0 : 31) };
	if (rng_one_in(r, 4) && op->kind == NPU_POOL)
		op->u85.ofm_scale = (struct npu85_scale){ .scale = UINT32_C(1) << rng_below(r, 14) };
	op->u85.table = NPU85_TABLE_NONE;
	op->u85.clip_off = 0;
	op->u85.clip_signed = op->ofm.is_signed;
	op->lo = add + (rng_below(r, 3) ? -most - 1 : rng_range(r, -most - 1, most));
	op->hi = rng_below(r, 3) ? add + most : rng_range(r, op->lo, add + most);
	op->output = NPU_OUT_CLAMP;
	if (op->ofm.bytes == 1 && rng_one_in(r, 4))
		table_of_bytes(r, op);
}

/* Nothing changes them but a shift to the left, or a scale. */
static void widened_output(struct rng *r, struct npu_op *op)
{
	const bool words = op->ifm.bytes == 4;

	op->u85.ofm_scale = (struct npu85_scale){ .scale = UINT32_C(1) << (rng_below(r, 2) ? 0 : rng_below(r, words ? 31 : 13)), .round = (u8)rng_below(r, 6) };
	if (!words && rng_below(r, 2))
		op->u85.ofm_scale = (struct npu85_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .shift = (u8)rng_range(r, 16, 44), .round = (u8)rng_below(r, 6),
							  .dbl = (u8)(rng_below(r, 2) ? 0 : 31) };
	op->per_channel = 0;
	words_alone(op);
	if (rng_below(r, 2))
		return;
	op->ofm.zero_point = words ? 0 : rng_range(r, -1000, 1000);
	op->u85.clip_off = 0;
	op->u85.clip_signed = 1;
	op->lo = words || rng_below(r, 2) ? INT32_MIN : rng_range(r, -5000, 0);
	op->hi = words || rng_below(r, 2) ? INT32_MAX : rng_range(r, 0, 5000);
	op->output = NPU_OUT_CLAMP;
}

/* int32 and int16 as softmax and layer normalisation have them. */
static void usual_words(struct rng *r, struct npu_op *op)
{
	op->ifm.zero_point = op->ifm2.zero_point = 0;
	op->u85.ifm_scale = op->u85.ifm2_scale = (struct npu85_scale){ .scale = 1 };
	op->u85.ofm_scale = (struct npu85_scale){ .scale = 1, .round = (u8)rng_below(r, 2) };
	if (op->mode == NPU_EW_MUL)
		op->u85.ofm_scale.shift = (u8)rng_below(r, 40);
	if ((op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && rng_below(r, 2)) { /* they may leave 32 bits before that */
		const u8 power = (u8)rng_below(r, 31);
		op->u85.ofm_scale = (struct npu85_scale){ .scale = UINT32_C(1) << power, .shift = (u8)(power + rng_below(r, 31)), .round = (u8)rng_below(r, 6) };
	}
	if (op->mode == NPU_EW_SHR)
		op->u85.ofm_scale.round = NPU85_NATURAL;
	if (op->ifm.bytes == 2 || op->ifm2.bytes == 2)
		op->ifm.is_signed = op->ifm2.is_signed = 1;
	if (rng_one_in(r, 4))
		table_of_words(r, op);
	else if (op->ofm.bytes == 1 && rng_below(r, 2))
		table_of_bytes(r, op);
	else if (op->ofm.bytes == 4 && rng_below(r, 2))
		words_alone(op);
}

/* Differences of bytes through a table of words, a softmax's exponentials. */
static void table_of_differences(struct rng *r, struct npu_op *op)
{
	op->mode = rng_below(r, 3) ? NPU_EW_SUB : NPU_EW_ADD;
	op->u85.ifm_scale = op->u85.ifm2_scale = op->u85.ofm_scale = (struct npu85_scale){ .scale = 1, .round = (u8)rng_below(r, 2) };
	op->ofm.zero_point = rng_range(r, -150, 150);
	op->u85.table = NPU85_TABLE_S8_S32;
	op->u85.table_offset = (u16)(rng_below(r, 2) * 1024);
	op->u85.clip_off = 0;
	op->u85.clip_signed = 1;
	op->lo = rng_below(r, 3) ? INT8_MIN : rng_range(r, INT8_MIN, INT8_MAX);
	op->hi = rng_below(r, 3) ? INT8_MAX : rng_range(r, op->lo, INT8_MAX);
	op->output = NPU_OUT_LUT8;
}

/* Elements as they are; now and then zero points differ. */
static void usual_extreme(struct rng *r, struct npu_op *op)
{
	const i32 least = !op->ifm.is_signed ? 0 : op->ifm.bytes == 1 ? INT8_MIN : INT16_MIN, most = least + (op->ifm.bytes == 1 ? UINT8_MAX : UINT16_MAX);

	op->mode = rng_below(r, 2) ? NPU_EW_MAX : NPU_EW_MIN;
	op->ifm2.is_signed = op->ofm.is_signed = op->u85.stored.is_signed = op->ifm.is_signed;
	op->ifm2.zero_point = op->ifm.zero_point;
	op->ofm.zero_point = op->u85.stored.zero_point = op->ifm.zero_point + rng_one_in(r, 8);
	op->u85.ifm_scale = op->u85.ifm2_scale = op->u85.ofm_scale = (struct npu85_scale){ .scale = 1, .round = (u8)rng_below(r, 6) };
	op->u85.table = NPU85_TABLE_NONE;
	op->u85.clip_off = (u8)rng_one_in(r, 4);
	op->u85.clip_signed = op->ofm.is_signed;
	op->lo = rng_below(r, 2) ? least : rng_range(r, least, most);
	op->hi = rng_below(r, 2) ? most : rng_range(r, op->lo, most);
	op->output = NPU_OUT_CLAMP;
}

/* Scales of sums of 48 bits have 15 bits. */
static void product_output(struct rng *r, struct npu_op *op)
{
	struct npu85_scale *const s = &op->u85.ofm_scale;

	plain_output(r, op, 0);
	s->scale = rng_below(r, 3) ? (u32)rng_range(r, 1, INT16_MAX) : UINT32_C(1) << rng_below(r, 31);
	s->shift = (u8)rng_range(r, 17, 45);
	s->round = (u8)rng_below(r, 3);
	s->dbl = rng_below(r, 2) ? 31 : 0;
	op->lo = rng_one_in(r, 4) ? 0 : INT16_MIN;
}

/* What bytes are blended to is scaled by a power of two; now and then results leave the bytes. */
static void blended_output(struct rng *r, struct npu_op *op)
{
	const unsigned bits = npu_log2((u32)(op->u85.resize_y.n * op->u85.resize_x.n)), power = rng_below(r, 31);
	const unsigned shift = power + 16 + (rng_one_in(r, 4) ? rng_below(r, 10) : bits);

	op->u85.ofm_scale = (struct npu85_scale){ .scale = UINT32_C(1) << power, .shift = (u8)shift, .round = (u8)rng_below(r, 6) };
	op->u85.ofm_scale.dbl = (u8)(rng_below(r, 3) ? 0 : rng_below(r, 15));
	if (rng_below(r, 2))
		op->ofm.zero_point = op->u85.stored.zero_point = op->ifm.zero_point;
}

/* Accumulators that wait become bytes or int16. */
static void rescaled_output(struct rng *r, struct npu_op *op)
{
	const i32 most = op->ofm.bytes == 1 ? INT8_MAX : INT16_MAX;

	op->ofm.is_signed = 1;
	op->u85.ofm_scale.round = rng_below(r, 3) ? NPU85_NATURAL : NPU85_DOUBLE_SYMMETRIC;
	op->u85.table = NPU85_TABLE_NONE;
	op->u85.clip_off = 0;
	op->u85.clip_signed = 1;
	op->lo = rng_below(r, 3) ? -most - 1 : rng_range(r, -most - 1, most);
	op->hi = rng_below(r, 3) ? most : rng_range(r, op->lo, most);
	op->output = NPU_OUT_CLAMP;
}

void usual_output(struct rng *r, struct npu_op *op)
{
	if (op->kind == NPU_POOL && op->mode == NPU_POOL_NONE && op->ofm.bytes <= 2 && rng_below(r, 3))
		rescaled_output(r, op);
	if (op->u85.weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2 && op->ofm.bytes == 2 && rng_below(r, 4))
		product_output(r, op);
	const bool sums = op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE || (op->kind == NPU_POOL && op->mode == NPU_POOL_NONE);
	if (sums && op->ofm.bytes == 4 && rng_below(r, 3))
		words_alone(op);
	if ((op->kind == NPU_CONV || op->kind == NPU_DEPTHWISE) && op->ofm.bytes == 1 && rng_one_in(r, 3))
		table_of_bytes(r, op);
	if (op->kind == NPU_ELEMENTWISE && !op->unary && op->ifm.bytes <= 2 && op->ifm2.bytes == op->ifm.bytes && rng_one_in(r, op->ifm.bytes == 2 && op->ofm.bytes == 2 ? 2 : 3))
		usual_sum(r, op);
	const bool chained = op->u85.ifm_chained || op->u85.ifm2_chained || op->u85.ofm_chained, one_size = op->ifm2.bytes == op->ifm.bytes && op->ofm.bytes == op->ifm.bytes;
	if (op->kind == NPU_ELEMENTWISE && !op->unary && op->ifm.bytes <= 2 && one_size && !chained && rng_one_in(r, 3))
		usual_extreme(r, op);
	const bool sum = op->kind == NPU_ELEMENTWISE && (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && op->ifm.bytes == 4 && op->ifm2.bytes == 4;
	const bool words = (op->ifm.bytes == 2 || op->ifm.bytes == 4) && (op->unary ? op->ifm.bytes == 4 : op->ifm2.bytes == 2 || op->ifm2.bytes == 4);
	if (op->kind == NPU_ELEMENTWISE && words && rng_below(r, 2))
		usual_words(r, op);
	if (op->kind == NPU_ELEMENTWISE && !op->unary && op->ifm.bytes == 1 && op->ifm2.bytes == 1 && op->ofm.bytes == 4 && rng_below(r, 2))
		table_of_differences(r, op);
	if (sum && op->ofm.bytes <= 2 && rng_below(r, 2)) {
		usual_words(r, op);
		narrowed_output(r, op);
	}
	if (op->kind == NPU_POOL && op->mode == NPU_POOL_SUM && op->kernel_h * op->kernel_w == 1 && op->ofm.bytes <= 2 && op->ifm.bytes != op->ofm.bytes && rng_below(r, 4))
		narrowed_output(r, op);
	if (op->kind == NPU_POOL && op->kernel_h * op->kernel_w == 1 && op->ifm.bytes == 2 && op->ofm.bytes == 2 && rng_below(r, 2))
		plain_output(r, op, 0);
	if (op->kind == NPU_POOL && op->mode == NPU_POOL_SUM && op->kernel_h * op->kernel_w == 1 && op->ofm.bytes == 4 && rng_below(r, 4))
		widened_output(r, op);
	if (op->kind == NPU_RESIZE && op->mode != NPU_RESIZE_BILINEAR && op->ifm.bytes == 2 && op->ofm.bytes == 2 && rng_below(r, 2))
		plain_output(r, op, 16);
	if (op->kind == NPU_RESIZE && op->mode == NPU_RESIZE_BILINEAR && op->ifm.bytes == 1 && op->ofm.bytes == 1 && rng_below(r, 4))
		blended_output(r, op);
}
