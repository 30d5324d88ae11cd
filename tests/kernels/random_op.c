/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations; see random_op.h. */
#include "tests/kernels/random_op.h"

#include <stdlib.h>
#include <string.h>

#include "tests/kernels/random_parts.h"
#include "tests/kernels/random_weights.h"
#include "tests/kernels/usual_halves.h"

/* Every third operation is as compilers make them: bytes in bricks, whole groups of channels, results about as
 * large as bytes. What the kernels do best is behind many conditions. */
static bool is_compiled(struct rng *r, enum npu_kind kind)
{
	return (kind == NPU_CONV || kind == NPU_DEPTHWISE) && rng_one_in(r, 3);
}

static struct npu_scale random_scale(struct rng *r, bool usual, bool power)
{
	static const u8 rounds[] = { NPU_ROUND_DBL, NPU_ROUND_DBL, NPU_ROUND_NATURAL, NPU_ROUND_TRUNCATE };
	struct npu_scale s = { .first = 31, .round = rounds[rng_below(r, usual ? 3 : 4)] };

	if (usual) {
		s.scale = (u32)rng_range(r, 1 << 30, INT32_MAX);
		if (power)
			s.scale = (UINT32_C(1) << 31) + 1; /* as a bilinear resize has it */
		s.shift = (u8)rng_range(r, 32, 48);
	} else {
		s.scale = rng_below(r, 3) ? rng_short(r) : 1;
		s.shift = (u8)rng_below(r, 64);
	}
	return s;
}

static void random_records(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view, bool compiled)
{
	bool usual = compiled || rng_below(r, 4) != 0, power = !compiled && rng_one_in(r, 12);
	const bool large = !compiled && usual && rng_one_in(r, 6); /* results of the size of the sums */
	const bool odd = usual && rng_one_in(r, 10); /* some channels' scales are above a half, or rounded once */
	const bool ends = op->ifm.bytes == 1 && rng_one_in(r, 12); /* biases leave little room in 32 bits */
	const bool words = compiled && op->ifm.bytes == 2, half_scale = rng_one_in(r, 2); /* scales of 15 bits */
	const unsigned bias_bits = words ? (unsigned)rng_range(r, 17, 39) : 17;

	for (unsigned core = 0; core < op->cores; core++) {
		u32 n = (op->ofm.depth + op->cores - 1 - core) / op->cores;
		size_t at = arena_take(a, n * 10 + 16);
		u8 *p = a->bytes + at;
		for (u32 i = 0; i < n; i++, p += 10) {
			struct npu_scale s = random_scale(r, usual, power);
			i64 bias = rng_range(r, -100000, 100000);
			if (bias_bits > 17)
				bias = (i64)rng_next64(r) >> (63 - bias_bits);
			if (words) {
				s.scale >>= half_scale ? 16 : 0;
				s.shift = (u8)rng_range(r, half_scale ? 17 : 33, half_scale ? 29 : 45);
			} else if (compiled)
				s.shift = (u8)(rng_one_in(r, 16) ? 63 : rng_range(r, 39, 43)); /* 63: channels without weights */
			if (odd && rng_one_in(r, 12))
				s.shift = (u8)rng_range(r, 28, 33);
			if (large)
				s.shift = (u8)rng_range(r, 26, 31);
			if (!usual && rng_one_in(r, 4)) {
				bias = (i64)rng_next64(r);
				bias >>= 25 + rng_below(r, 20);
			}
			if (ends) {
				bias = INT32_MAX - (i64)(rng_next(r) >> 8);
				bias *= rng_below(r, 2) ? 1 : -1;
			}
			for (unsigned b = 0; b < 5; b++)
				p[b] = (u8)((u64)bias >> (8 * b));
			for (unsigned b = 0; b < 4; b++)
				p[5 + b] = (u8)(s.scale >> (8 * b));
			p[9] = s.shift;
		}
		op->scales[core].length = (n * 10 + 15) / 16 * 16;
		view->scales[core] = a->bytes + at;
	}
}

static void random_output(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view, bool compiled)
{
	struct npu_fm *ofm = &op->ofm;
	u32 choice = rng_below(r, usual_halves_curve(op) ? 3 : 8);
	i64 bits = 8 * (i64)ofm->bytes;
	i64 lo = ofm->is_signed ? -((i64)1 << (bits - 1)) : 0;
	i64 hi = ofm->is_signed ? ((i64)1 << (bits - 1)) - 1 : ((i64)1 << bits) - 1;

	view->lut = a->bytes + arena_take(a, NPU_LUT_BYTES);
	op->output = NPU_OUT_CLAMP;
	op->lut_offset = (u16)(256 * rng_below(r, 8));
	if (ofm->bytes == 4)
		op->output = choice > 1 ? NPU_OUT_RAW32 : NPU_OUT_LUT32;
	else if (choice == 0)
		op->output = ofm->bytes == 1 ? NPU_OUT_LUT8 : NPU_OUT_LUT16;
	else if (choice == 1 && ofm->bytes == 2 && ofm->is_signed)
		op->output = rng_below(r, 2) ? NPU_OUT_TANH : NPU_OUT_SIGMOID;
	if (ofm->bytes == 4 && op->output == NPU_OUT_LUT32) {
		lo = -128;
		hi = 127;
	}
	if (ofm->bytes == 2 && op->output == NPU_OUT_LUT16) {
		ofm->is_signed = 1;
		lo = -32768;
		hi = 32767;
	}
	op->lo = (i32)(lo < INT32_MIN ? INT32_MIN : lo);
	op->hi = (i32)(hi > INT32_MAX ? INT32_MAX : hi);
	if (ofm->bytes < 4 && rng_one_in(r, 3)) {
		op->lo = rng_range(r, op->lo, op->hi);
		op->hi = rng_range(r, op->lo, op->hi);
	}
	if (compiled && rng_below(r, 2)) { /* ReLU */
		op->lo = ofm->zero_point;
		op->hi = (i32)hi;
	}
}

static const u8 bytes_any[] = { 1, 1, 1, 2, 4 }, bytes_small[] = { 1, 1, 1, 2 };

#define FEW 250 /* elements */
#define FEW_SUMS 2000 /* such as may have many products */
#define FEW_CHANNELS 4
#define FEW_PIXELS 500

/* Of each sum; half of the maps have lines of whole blocks of 64 bytes. */
static u32 many_products(struct rng *r, bool pointwise)
{
	if (rng_below(r, 2))
		return pointwise ? 512 + 64 * rng_below(r, 3) : 64;
	return pointwise ? 512 + rng_below(r, 100) : 56 + 4 * rng_below(r, 8);
}

static void words_type(struct npu_fm *fm)
{
	fm->bytes = 2;
	fm->is_signed = 1;
	fm->zero_point = 0;
}

static void random_mac(struct rng *r, const struct npu_config *config, struct arena *a,
		       struct npu_op *op, struct npu_view *view, bool compiled)
{
	random_type(r, &op->ifm, bytes_small, compiled ? 1 : 4);
	if (compiled && rng_one_in(r, 3)) /* words */
		words_type(&op->ifm);
	op->ifm.depth = op->kind == NPU_CONV ? 1 + rng_below(r, rng_below(r, 3) ? 40 : 3) : op->ofm.depth;
	if (compiled && op->kind == NPU_CONV && rng_below(r, 2))
		op->ifm.depth = 4 * (1 + rng_below(r, 12)); /* fields are read where they are */
	const bool vector = compiled && op->kind == NPU_CONV && op->ofm.height == 1 && op->ofm.width == 1;
	if (vector)
		op->ifm.depth = 1 + rng_below(r, 150);
	if (op->kind == NPU_CONV && op->ofm.depth <= FEW_CHANNELS && op->ofm.height * op->ofm.width < FEW_PIXELS && rng_below(r, 2))
		op->ifm.depth = rng_below(r, 2) ? 16 * (1 + rng_below(r, 10)) : 1 + rng_below(r, 160);
	const bool pointwise = op->kind == NPU_CONV && (vector || rng_below(r, 2));
	if (compiled && op->kind == NPU_CONV && rng_below(r, 2) && (u64)op->ofm.height * op->ofm.width * op->ofm.depth < FEW_SUMS)
		op->ifm.depth = many_products(r, pointwise);
	const bool line = !compiled && op->kind == NPU_DEPTHWISE && rng_one_in(r, 10);
	if (line)
		line_window(r, op);
	else if (op->kind == NPU_CONV && rng_one_in(r, 30))
		doubled_window(r, op);
	else if (rng_one_in(r, 12))
		column_window(r, op);
	else if (compiled && op->kind == NPU_DEPTHWISE && rng_one_in(r, 6))
		mean_window(r, op);
	else if (compiled)
		usual_window(r, op, pointwise);
	else if (op->kind == NPU_DEPTHWISE && (u64)op->ofm.height * op->ofm.width * op->ofm.depth < FEW)
		random_window(r, op, 60); /* more taps than there is room for */
	else
		random_window(r, op, op->kind == NPU_CONV ? 4 : 6);
	op->part_kernel = op->kind == NPU_CONV && rng_below(r, 2);
	op->cores = config->cores == 2 && rng_below(r, 4) ? 2 : 1;
	op->block_d = (u16)(config->ofm_ublock_d * op->cores * (1 + rng_below(r, 4)));
	op->acc_bits = rng_below(r, op->ifm.bytes == 2 ? 2 : 8) == 0 ? 40 : 32;
	op->per_channel = compiled || rng_below(r, 8) != 0;
	if (compiled && op->ifm.bytes == 2)
		words_type(&op->ofm);
	else if (!line && rng_below(r, 2))
		op->ofm.bytes = 1;
	const bool mean = op->ofm.depth < 16 ? op->kernel_h * op->kernel_w >= 16 : op->ofm.width == 1;
	if (op->kind == NPU_DEPTHWISE && mean && rng_below(r, 2))
		random_even_streams(r, config, a, op, view);
	else
		random_streams(r, config, a, op, view);
	random_records(r, a, op, view, compiled || (line && rng_below(r, 2)));
}

/* As compilers give averages: the reciprocal in 32 bits. */
static void reciprocal_scale(struct npu_op *op)
{
	const u64 taps = (u64)op->kernel_h * op->kernel_w;
	const unsigned k = taps > 1 ? 64u - (unsigned)__builtin_clzll(taps - 1) : 0;

	op->ofm_scale.scale = (u32)(((UINT64_C(1) << (31 + k)) + (UINT64_C(1) << k)) / taps);
	op->ofm_scale.shift = (u8)(31 + k);
}

static void random_pool(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	op->mode = (u8)rng_below(r, 3);
	random_type(r, &op->ifm, op->mode == NPU_POOL_REDUCE_SUM ? bytes_any : bytes_small, op->mode == NPU_POOL_REDUCE_SUM ? 5 : 4);
	op->ifm.depth = op->ofm.depth;
	random_window(r, op, rng_below(r, 4) ? 4 : 9);
	if (op->mode != NPU_POOL_REDUCE_SUM && rng_below(r, 2))
		bytes_window(r, op);
	else if (op->mode != NPU_POOL_REDUCE_SUM && rng_one_in(r, 3))
		axis_window(r, op);
	const bool halves = op->mode != NPU_POOL_REDUCE_SUM && rng_one_in(r, 5);
	if (halves)
		usual_halves_pool(r, op);
	if (op->mode == NPU_POOL_REDUCE_SUM) {
		op->ifm.depth = 1 + rng_below(r, 40);
		op->ofm.depth = rng_below(r, 8) ? 1 : 1 + rng_below(r, 4);
	}
	if (op->mode == NPU_POOL_AVERAGE && (op->pad_top | op->pad_left | op->pad_bottom | op->pad_right))
		op->divide_by_count = 1;
	op->acc_bits = 32;
	if (op->mode == NPU_POOL_AVERAGE && !op->divide_by_count && rng_one_in(r, 8)) {
		op->per_channel = 1;
		random_records(r, a, op, view, false);
	}
	if (op->divide_by_count || (op->mode == NPU_POOL_MAX && rng_below(r, 3))) {
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = 0;
	}
	if (op->mode == NPU_POOL_AVERAGE && !op->divide_by_count && !halves && rng_below(r, 2)) {
		op->ofm_scale.scale = 0x80000001u;
		op->ofm_scale.shift = 31;
	} else if (op->mode == NPU_POOL_AVERAGE && !op->divide_by_count && !halves && rng_below(r, 2)) {
		reciprocal_scale(op);
	}
}

static void random_operand_scaling(struct rng *r, struct npu_op *op)
{
	struct npu_scale one = random_scale(r, false, false);

	one.round = (u8)(rng_below(r, 4) ? NPU_ROUND_DBL : rng_below(r, 3));
	one.shift = (u8)rng_range(r, 8, 40);
	if (rng_one_in(r, 3)) { /* nothing to round, where inputs have one scale */
		one.scale = UINT32_C(1) << rng_below(r, 31);
		one.shift = (u8)rng_range(r, 0, 31);
	}
	one.first = op->ifm.bytes == 1 ? 11 : 16;
	op->operand_scaling = (u8)rng_below(r, 3);
	if (op->operand_scaling == NPU_OPERANDS_16) {
		op->opa.scale = rng_below(r, 2) ? 1 : rng_below(r, 65536);
		op->opb.scale = rng_below(r, 2) ? 1 : rng_below(r, 65536);
	} else if (op->operand_scaling == NPU_OPERAND_A) {
		op->opa = one;
	} else {
		op->opb = one;
	}
}

/* As compilers make sums of int16. */
static void usual_sum16(struct rng *r, struct npu_op *op)
{
	op->ifm.is_signed = op->ifm2.is_signed = op->ofm.is_signed = 1;
	op->ifm.zero_point = op->ifm2.zero_point = 0;
	op->ofm.bytes = 2;
	op->ofm_scale = (struct npu_scale){ .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .first = 31 };
	op->ofm_scale.shift = (u8)rng_range(r, 44, 46);
	if (op->operand_scaling == NPU_OPERANDS_16) {
		op->opa.scale = op->opb.scale = 16384;
		return;
	}
	struct npu_scale one = { .scale = (u32)rng_range(r, 1 << 30, INT32_MAX), .first = 16 };
	one.shift = (u8)rng_range(r, 16, 18);
	if (op->operand_scaling == NPU_OPERAND_A)
		op->opa = one;
	else
		op->opb = one;
}

static void random_elementwise(struct rng *r, struct arena *a, struct npu_op *op,
			       struct npu_view *view, u8 *ifm2[NPU_TILES])
{
	op->mode = (u8)rng_below(r, 10);
	const bool curve = rng_one_in(r, 8); /* a softmax's exponentials, when a table of words comes to it */
	if (curve) {
		op->mode = rng_below(r, 4) ? NPU_EW_SUB : NPU_EW_ADD;
		op->ofm.bytes = 4;
		op->ofm.is_signed = 1;
	}
	bool wide = op->mode >= NPU_EW_CLZ;
	op->unary = op->mode == NPU_EW_LRELU || op->mode == NPU_EW_ABS || op->mode == NPU_EW_CLZ;
	random_type(r, &op->ifm, wide ? bytes_any + 4 : bytes_any, wide || curve ? 1 : 5);
	usual_halves_elementwise(r, op);
	op->ifm.height = op->ofm.height;
	op->ifm.width = op->ofm.width;
	op->ifm.depth = op->ofm.depth;
	op->ifm2 = op->ifm;
	if (op->ifm2.bytes == 1)
		op->ifm2.zero_point = op->ifm.is_signed ? rng_range(r, -128, 127) : rng_range(r, 0, 255);
	if (!op->unary) {
		op->swap = rng_one_in(r, 3);
		op->ifm2_scalar = rng_one_in(r, 4);
		op->scalar = op->ifm2.is_signed ? rng_range(r, -300, 300) : rng_range(r, 0, 500);
		if (rng_one_in(r, 3)) {
			if (rng_below(r, 2))
				op->ifm2.height = 1;
			if (rng_below(r, 2))
				op->ifm2.width = 1;
			if (rng_below(r, 2))
				op->ifm2.depth = 1;
		}
		if (op->ifm.bytes == 4 && op->ofm.depth < 8 && rng_below(r, 2)) { /* a softmax's pixels, with one value each */
			op->ifm2_scalar = 0;
			op->ifm2.height = op->ifm.height;
			op->ifm2.width = op->ifm.width;
			op->ifm2.depth = 1;
		}
		if (!op->ifm2_scalar)
			random_place(r, a, &op->ifm2, ifm2);
	} else {
		op->ifm2.used = 0;
	}
	op->acc_bits = 32;
	if (op->mode <= NPU_EW_SUB && op->mode != NPU_EW_MUL && op->ifm.bytes < 4)
		random_operand_scaling(r, op);
	if (op->mode <= NPU_EW_SUB && op->mode != NPU_EW_MUL && op->ifm.bytes == 2 && rng_below(r, 3))
		usual_sum16(r, op);
	if (op->ifm.bytes == 4 || op->ofm.bytes == 4) {
		op->scale_is_one = 1;
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = (u8)(rng_below(r, 2) ? 0 : rng_below(r, 40));
		if (rng_one_in(r, 3))
			op->ofm_scale.round = NPU_ROUND_TRUNCATE;
	}
	if (curve) {
		op->operand_scaling = NPU_OPERANDS_16;
		op->opa.scale = op->opb.scale = 1;
		op->ofm_scale.shift = 0;
		op->ofm.zero_point = rng_range(r, -128, 255);
	}
	if (op->mode == NPU_EW_MIN || op->mode == NPU_EW_MAX) {
		op->ofm_scale.scale = 1;
		op->ofm_scale.shift = 0;
	}
	if (wide && op->mode >= NPU_EW_SHR && rng_below(r, 3)) {
		/* small second operands: shifts */
		op->ifm2_scalar = 1;
		op->ifm2.used = 0;
		op->scalar = rng_range(r, -2, 34);
	}
	(void)view;
}

/* int32 as numbers of seven bits: products that lie at ties, distances near 31. */
static void small_words(struct arena *a)
{
	for (size_t i = 0; i + 4 <= a->used; i += 4) {
		i32 v;
		memcpy(&v, a->bytes + i, 4);
		v = (i32)((u32)v << 25) >> 25;
		memcpy(a->bytes + i, &v, 4);
	}
}

void random_op(struct rng *r, const struct npu_config *config, enum npu_kind kind,
	       struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *ifm[NPU_TILES] = { 0 }, *ifm2[NPU_TILES] = { 0 };
	const bool compiled = is_compiled(r, kind);

	arena_fill(a, r);
	memset(op, 0, sizeof(*op));
	memset(view, 0, sizeof(*view));
	op->kind = (u8)kind;
	op->cores = 1;
	op->block_h = op->block_w = op->block_d = 16;
	op->ofm.height = 1 + rng_below(r, rng_below(r, 3) ? 9 : 2);
	op->ofm.width = 1 + rng_below(r, rng_below(r, 4) ? 9 : rng_below(r, 4) ? 40 : 150);
	op->ofm.depth = 1 + rng_below(r, rng_below(r, 3) ? 40 : 3);
	if (compiled)
		op->ofm.depth = rng_below(r, 4) ? 16 * (1 + rng_below(r, 3)) : 1 + rng_below(r, 56);
	if (compiled && kind == NPU_CONV && rng_one_in(r, 3)) { /* a layer of one pixel */
		op->ofm.height = op->ofm.width = 1;
		op->ofm.depth = 1 + rng_below(r, 200);
	}
	random_type(r, &op->ofm, bytes_any, compiled ? 1 : 5);
	const bool usual = compiled || rng_below(r, 4) != 0, power = !compiled && rng_one_in(r, 16);
	op->ofm_scale = random_scale(r, usual, power);
	if (kind == NPU_POOL)
		random_pool(r, a, op, view);
	else if (kind == NPU_ELEMENTWISE)
		random_elementwise(r, a, op, view, ifm2);
	else
		random_mac(r, config, a, op, view, compiled);
	do
		random_place(r, a, &op->ifm, ifm);
	while (compiled && op->ifm.format != NPU_NHCWB16 && rng_below(r, 4));
	do
		random_place(r, a, &op->ofm, view->ofm);
	while (compiled && op->ofm.format != NPU_NHCWB16 && rng_below(r, 4));
	bool matches = kind == NPU_ELEMENTWISE && op->ifm.bytes == op->ofm.bytes && rng_one_in(r, 4);
	if (matches) { /* in place */
		struct npu_fm t = op->ofm;
		op->ifm.stride_y = t.stride_y;
		op->ifm.stride_x = t.stride_x;
		op->ifm.stride_c = t.stride_c;
		op->ifm.format = t.format;
		op->ifm.tiled = t.tiled;
		op->ifm.width0 = t.width0;
		op->ifm.height0 = t.height0;
		op->ifm.height1 = t.height1;
		memcpy(ifm, view->ofm, sizeof(ifm));
	}
	memcpy(view->ifm, ifm, sizeof(ifm));
	memcpy(view->ifm2, ifm2, sizeof(ifm2));
	random_output(r, a, op, view, compiled);
	if (kind == NPU_ELEMENTWISE && op->ifm.bytes == 4 && rng_below(r, 2))
		small_words(a);
}
