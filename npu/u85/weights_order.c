/* SPDX-License-Identifier: Apache-2.0 */
/* Order of the weights of Ethos-U85: that of Vela's ethos_u85_weight_encoder.cpp. */
#include "npu/u85/weights_order.h"

#include <string.h>

#include "npu/integer.h"

struct npu85_order npu85_order_of(const struct npu_config *config, const struct npu_op *op)
{
	bool depthwise = op->kind == NPU_DEPTHWISE, wide = op->ifm.bytes == 2, sparse = op->u85.sparse;
	struct npu85_order r = {
		.op = op, .od = op->ofm.depth, .id = depthwise ? 1 : op->ifm.depth, .kh = op->kernel_h,
		.kw = op->kernel_w, .obd = op->block_d, .oud = op->u85.ublock_d, .streams = config->cores,
		.stride_y = 1, .stride_x = 1,
	};

	if (op->part_kernel)
		r.ibd = 16;
	else if (config->macs <= 256 && r.oud == 16 && !sparse)
		r.ibd = 32;
	else
		r.ibd = sparse && !wide ? 128 : 64;
	if (depthwise) {
		r.iud = r.step = 1;
		r.round = 10;
		r.extra = !wide && config->macs <= 256 ? 0 : config->macs <= 512 ? 2 : 6;
	} else {
		r.iud = !op->part_kernel ? r.ibd : wide && !sparse ? 8 : r.ibd;
		r.step = sparse ? 16 : 8;
		r.round = !op->part_kernel ? 1 : wide || sparse ? 10 : 5;
	}
	if (depthwise || op->part_kernel) {
		r.stride_y = op->stride_y;
		r.stride_x = op->stride_x;
	}
	return r;
}

/* The next weights of the stream; NULL when they are only counted, or at its end. */
static const i16 *next(struct npu85_order *r, u64 n)
{
	const i16 *p = NULL;

	r->count += n;
	if (r->in && !r->ended && n)
		p = npu_weights_take(r->in, n);
	r->ended |= r->in && n && !p;
	return p;
}

void npu85_put_dense(const struct npu85_order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from)
{
	const u32 n = r->step < r->id - i ? r->step : r->id - i;
	i16 *to = r->dense + (((u64)o * r->kh + ky) * r->kw + kx) * r->id + i;

	for (u32 end = min_u32(o + 4, r->od); o < end; o++, to += (u64)r->kh * r->kw * r->id, from += r->step)
		memcpy(to, from, n * sizeof(*to));
}

static void put_packed(const struct npu85_order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from)
{
	r->put_packed(r->packed, o, min_u32(4, r->od - o), ((u64)ky * r->kw + kx) * r->id + i,
		      min_u32(r->step, r->id - i), from);
}

/* Channel groups of 4 of a microblock that this stream holds. */
static u32 groups_of(const struct npu85_order *r)
{
	u32 own = r->oud > 4 * r->stream ? r->oud - 4 * r->stream : 0;
	return (own + 4 * r->streams - 1) / (4 * r->streams);
}

/* One kernel element: all channels of a microblock that this stream holds. */
static void element(struct npu85_order *r, u32 o, u32 ky, u32 kx, u32 i)
{
	const i16 *from = next(r, (u64)((r->iud + r->step - 1) / r->step) * groups_of(r) * 4 * r->step);

	if (!from)
		return;
	for (u32 iui = i; iui < i + r->iud; iui += r->step)
		for (u32 ouz = o + 4 * r->stream; ouz < o + r->oud; ouz += 4 * r->streams, from += 4 * r->step)
			if (iui < r->id && ouz < r->od)
				r->put(r, ouz, ky, kx, iui, from);
}

/* A sub-kernel of at most 8x8 at (sky, skx), for one microblock: stride phases, rows in a
 * serpentine, rounded up to `round` elements. */
static void sub_kernel(struct npu85_order *r, u32 o, u32 i, u32 sky, u32 skx, u32 sh, u32 sw)
{
	bool depthwise = r->op->kind == NPU_DEPTHWISE;
	u32 rest = (sw * sh + r->round - 1) / r->round * r->round;

	for (u32 yy = 0; yy < r->stride_y; yy++)
		for (u32 xx = 0; xx < r->stride_x; xx++) {
			u32 kh = (sh + r->stride_y - 1 - yy) / r->stride_y;
			u32 kw = (sw + r->stride_x - 1 - xx) / r->stride_x;
			for (u32 ky = 0; ky < kh; ky++)
				for (u32 kx = 0; kx < kw; kx++) {
					u32 x = ky & 1 ? kw - 1 - kx : kx;
					rest--;
					element(r, o, sky + yy + ky * r->stride_y, skx + xx + x * r->stride_x, i);
					if (depthwise && rest % r->round == 0)
						(void)next(r, (u64)r->extra * r->oud / r->streams);
				}
		}
	if (rest > 0)
		(void)next(r, (u64)(rest + (depthwise ? r->extra : 0)) * r->iud * r->oud / r->streams);
}

static bool given_up(const struct npu85_order *r)
{
	return r->view && npu_given_up(r->view);
}

static void ifm_block(struct npu85_order *r, u32 ob, u32 ib)
{
	u32 th = 8u / r->op->dilation_y, tw = 8u / r->op->dilation_x;

	for (u32 skx = 0; skx < r->kw; skx += tw)
		for (u32 sky = 0; sky < r->kh; sky += th)
			for (u32 iuo = 0; iuo < min_u32(r->ibd, r->id - ib); iuo += r->iud)
				for (u32 ouo = 0; ouo < min_u32(r->obd, r->od - ob) && !given_up(r); ouo += r->oud)
					sub_kernel(r, ob + ouo, ib + iuo, sky, skx, min_u32(r->kh - sky, th),
						   min_u32(r->kw - skx, tw));
}

/* IFM blocks go forth and back in turn. */
void npu85_order_walk(struct npu85_order *r)
{
	u32 blocks = (r->id + r->ibd - 1) / r->ibd;
	bool forward = true;

	r->count = 0;
	r->ended = false;
	for (u32 ob = 0; ob < r->od; ob += r->obd, forward = !forward)
		for (u32 b = 0; b < blocks && !given_up(r); b++)
			ifm_block(r, ob, (forward ? b : blocks - 1 - b) * r->ibd);
}

u64 npu85_weights_count(const struct npu_config *config, const struct npu_op *op, unsigned stream)
{
	struct npu85_order r = npu85_order_of(config, op);

	r.stream = stream;
	npu85_order_walk(&r);
	return r.count;
}

bool npu85_weights_pack(const struct npu_config *config, const struct npu_op *op, unsigned stream,
			struct npu_weights_source *source, npu_weights_put_fn *put,
			const struct npu_weights_target *to)
{
	struct npu85_order r = npu85_order_of(config, op);

	r.view = source->view;
	r.stream = stream;
	r.in = source;
	r.put = put_packed;
	r.put_packed = put;
	r.packed = to;
	npu85_order_walk(&r);
	return !r.ended;
}
