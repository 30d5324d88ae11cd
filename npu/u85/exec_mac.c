/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: convolution, matrix product, depthwise and pooling, generic path. */
#include <stdlib.h>

#include "npu/u85/arith.h"
#include "npu/u85/u85.h"

struct channel {
	i64 bias;
	struct npu85_scale scale;
};

static u64 read_le(const u8 *p, unsigned bytes)
{
	u64 v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (u64)p[i] << (8 * i);
	return v;
}

/* Records of 10 bytes: 32-bit bias and 31-bit scale, or 48-bit bias and 15-bit scale. */
static struct channel *channels(struct npu_exec *e, enum npu_exec_status *status)
{
	enum { RECORD = 10 };
	const struct npu_op *op = e->op;
	u32 depth = op->ofm.depth;
	bool wide = op->u85.acc48, per_channel = op->per_channel && !op->u85.acc_output_off;

	*status = NPU_EXEC_SCALES;
	e->core = 0;
	e->needed = (u64)RECORD * depth;
	if (per_channel && e->needed > op->scales[0].length)
		return NULL;
	*status = NPU_EXEC_MEMORY;
	struct channel *s = malloc(depth * sizeof(*s));
	for (u32 c = 0; s && c < depth; c++) {
		s[c] = (struct channel){ .scale = op->u85.ofm_scale };
		if (!per_channel)
			continue;
		const u8 *p = e->view->scales[0] + (u64)RECORD * c;
		s[c].bias = npu85_wrap((i64)read_le(p, wide ? 6 : 4), wide ? 48 : 32);
		s[c].scale.scale = (u32)(wide ? read_le(p + 6, 2) & 0x7fff : read_le(p + 4, 4) & 0x7fffffff);
		s[c].scale.shift = p[8] & 63;
	}
	return s;
}

/* From accumulators of the operation before, or from the second operand; an extreme as well as a sum: Vela makes
 * one operation of each tap of windows whose stride is above 3. */
static bool goes_on(const struct npu85_exec *x)
{
	return x->op->u85.acc_input == NPU85_ACC_IFM2 ||
	       (x->op->u85.acc_input == NPU85_ACC_KEEP && x->carry->accumulators.height);
}

static i64 initial(const struct npu85_exec *x, u32 h, u32 w, u32 c)
{
	if (!goes_on(x))
		return 0;
	return x->op->u85.acc_input == NPU85_ACC_IFM2
		       ? npu85_ifm2(x, h, w, c) : npu85_tensor_get(&x->carry->accumulators, npu85_index(x->op, h, w, c));
}

static i64 convolve(const struct npu85_exec *x, u32 h, u32 w, u32 c, const i16 *weights)
{
	const struct npu_op *op = x->op;
	bool depthwise = op->kind == NPU_DEPTHWISE;
	u32 depth = depthwise ? 1 : op->ifm.depth;
	i64 sum = 0;

	for (u32 ky = 0; ky < op->kernel_h && !npu_given_up(x->e->view); ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++) {
			u32 iy, ix;
			const i16 *tap = weights ? weights + (((u64)c * op->kernel_h + ky) * op->kernel_w + kx) * depth
						 : NULL;
			if (npu_tap_at(op, h, w, ky, kx, &iy, &ix) != NPU_TAP_DATA)
				continue;
			for (u32 i = 0; i < depth; i++)
				sum = npu85_add(sum, npu85_mul(npu85_ifm(x, iy, ix, depthwise ? c : i),
							       tap ? tap[i] : npu85_ifm2(x, 0, c, i)));
		}
	return sum;
}

struct window {
	i64 sum, max, min, arg; /* arg: position of the first maximum along the window */
	i64 count;
};

static struct window gather(const struct npu85_exec *x, u32 h, u32 w, u32 c, bool along_y)
{
	const struct npu_op *op = x->op;
	bool whole_depth = op->mode == NPU_POOL_REDUCE_SUM;
	struct window r = { .max = INT64_MIN, .min = INT64_MAX };

	for (u32 ky = 0; ky < op->kernel_h && !npu_given_up(x->e->view); ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++) {
			u32 iy, ix;
			enum npu_tap tap = npu_tap_at(op, h, w, ky, kx, &iy, &ix);
			if (tap == NPU_TAP_PADDING)
				continue;
			r.count++;
			for (u32 i = whole_depth ? 0 : c; i < (whole_depth ? op->ifm.depth : c + 1); i++) {
				i64 v = tap == NPU_TAP_DATA ? npu85_ifm(x, iy, ix, i) : 0;
				r.sum = npu85_add(r.sum, v);
				r.min = v < r.min ? v : r.min;
				if (v > r.max) {
					r.max = v;
					r.arg = along_y ? ky : kx;
				}
			}
		}
	return r;
}

struct npu85_scale npu85_average_scale(const struct npu_op *op, i64 count)
{
	unsigned k = count > 1 ? 64u - (unsigned)__builtin_clzll((u64)count - 1) : 0;
	u64 reciprocal = count ? (((UINT64_C(1) << 30) + 1) << k) / (u64)count : 0;

	return (struct npu85_scale){ .scale = (u32)reciprocal, .shift = (u8)(30 + k), .round = op->u85.ofm_scale.round };
}

i64 npu85_average(const struct npu_op *op, i64 sum, i64 count)
{
	return npu85_scale_round(sum, npu85_average_scale(op, count));
}

static i64 pool(const struct npu85_exec *x, u32 h, u32 w, u32 c, i64 start)
{
	const struct npu_op *op = x->op;

	if (op->mode == NPU_POOL_NONE)
		return start;
	struct window r = gather(x, h, w, c, op->mode == NPU_POOL_ARGMAX_Y);
	switch (op->mode) {
	case NPU_POOL_MAX: return goes_on(x) && start > r.max ? start : r.count ? r.max : INT32_MIN;
	case NPU_POOL_MIN: return goes_on(x) && start < r.min ? start : r.count ? r.min : INT32_MAX;
	case NPU_POOL_AVERAGE: return npu85_add(start, npu85_average(op, r.sum, r.count));
	case NPU_POOL_ARGMAX_X:
	case NPU_POOL_ARGMAX_Y: return r.arg * 65536 | (r.max & 0xffff);
	default: return npu85_add(start, r.sum);
	}
}

static i64 accumulate(const struct npu85_exec *x, u32 h, u32 w, u32 c, const i16 *weights)
{
	const unsigned bits = x->op->u85.acc48 ? 48 : 32;
	i64 start = npu85_wrap(initial(x, h, w, c), bits);
	i64 acc = x->op->kind == NPU_POOL ? pool(x, h, w, c, start) : npu85_add(start, convolve(x, h, w, c, weights));

	return npu85_wrap(acc, bits);
}

static void compute(struct npu85_exec *x, const i16 *weights, const struct channel *s)
{
	const struct npu_fm *ofm = &x->op->ofm;
	i64 *r = x->value;

	for (u32 h = 0; h < ofm->height; h++)
		for (u32 w = 0; w < ofm->width && !npu_given_up(x->e->view); w++)
			for (u32 c = 0; c < ofm->depth; c++) {
				i64 acc = accumulate(x, h, w, c, weights);
				*r++ = x->op->u85.acc_output_off
					       ? acc : npu85_scale_round(acc + s[c].bias, s[c].scale);
			}
}

bool npu85_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out)
{
	struct npu85_carry nothing = { 0 };
	const struct npu_op *op = e->op;
	const struct npu85_exec at = { .e = e, .op = op, .carry = &nothing };
	enum npu_exec_status status;
	struct channel *s = channels(e, &status);
	const bool decoded = npu_is_mac(op) && !op->u85.weights_ifm2;
	i16 *weights = s && decoded ? npu85_weights(e, &status) : NULL;
	const bool ok = s && (weights || !decoded);

	npu85_result_of(op, &y, &x, &c);
	if (ok && op->kind == NPU_POOL && op->mode == NPU_POOL_AVERAGE)
		*out = gather(&at, y, x, c, false).sum;
	else if (ok)
		*out = accumulate(&at, y, x, c, weights) + s[c].bias;
	free(weights);
	free(s);
	return ok;
}

enum npu_exec_status npu85_exec_mac(struct npu85_exec *x, bool *output)
{
	const struct npu_op *op = x->op;
	enum npu_exec_status status;
	struct channel *s = channels(x->e, &status);
	i16 *weights = NULL;

	if (!s)
		return status;
	struct npu85_tensor *kept = &x->carry->accumulators;
	if (op->u85.acc_input == NPU85_ACC_KEEP && !npu85_tensor_fits(kept, &op->ofm))
		npu85_tensor_forget(kept); /* geometry differs: nothing sensible is kept, start from zero */
	status = NPU_EXEC_OK;
	if (op->kind != NPU_POOL && !op->u85.weights_ifm2)
		weights = npu85_weights(x->e, &status);
	if (status == NPU_EXEC_OK) {
		compute(x, weights, s);
		*output = !op->u85.acc_output_off;
		if (!*output && !npu_given_up(x->e->view) && !npu85_keep_values(x, kept, op->u85.acc48 ? 8 : 4, true))
			status = NPU_EXEC_MEMORY;
	}
	free(weights);
	free(s);
	return status;
}
