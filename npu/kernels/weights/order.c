/* SPDX-License-Identifier: Apache-2.0 */
/* The order of weights in a U55/U65 stream.
 *
 * The hardware's decoder delivers weights block by block, sub-kernel (8x8 taps) by sub-kernel,
 * in groups that fill the MAC array; channels and taps missing to a full group are padding.
 * The nest is that of Vela 5.2's mlw_codec (reorder), checked against compiled networks for
 * depth-first and part-kernel order, 8 and 16 bit, one and two cores. */
#include "npu/integer.h"
#include "npu/kernels/weights/weights.h"
#include "npu/kernels/weights/put.h"

struct npu_weights_shape npu_weights_shape_of(const struct npu_op *op, unsigned core,
					      unsigned ublock_d)
{
	u32 n = op->cores ? op->cores : 1;
	bool depthwise = op->kind == NPU_DEPTHWISE;

	return (struct npu_weights_shape) {
		.od = (op->ofm.depth + n - 1 - core) / n,
		.kh = op->kernel_h,
		.kw = op->kernel_w,
		.id = depthwise ? 1 : op->ifm.depth,
		.block_d = (op->block_d + n - 1 - core) / n,
		.ublock_d = (u8)ublock_d,
		.dilation_y = op->dilation_y,
		.dilation_x = op->dilation_x,
		.ifm_bits = (u8)(op->ifm.bytes * 8),
		.part_kernel = op->part_kernel && !depthwise,
		.depthwise = depthwise,
	};
}

/* Sizes derived from a shape. */
struct order {
	u32 ifm_block, sub_h, sub_w, tap_group;
};

static struct order order_of(const struct npu_weights_shape *s)
{
	bool wide = s->ifm_bits == 16;
	return (struct order) {
		.ifm_block = s->part_kernel || wide ? 16 : 32,
		.sub_h = 8u / s->dilation_y,
		.sub_w = 8u / s->dilation_x,
		.tap_group = s->depthwise ? 4 : !s->part_kernel ? 1 : wide ? 2 : 4,
	};
}

/* One sub-kernel of one pair of blocks: where it starts and what it covers. */
struct part {
	u32 ob, bd;     /* first output channel, block depth */
	u32 ib, id;     /* first input channel, block depth */
	u32 sy, sx, sh, sw, taps;
};

static size_t part_count(const struct npu_weights_shape *s, const struct part *p)
{
	size_t ins = s->depthwise ? 1 : round_up_to(p->id, IFM_UBLOCK_D);
	return ins * round_up_to(p->bd, s->ublock_d) * p->taps;
}

static u32 ifm_block_depth(const struct npu_weights_shape *s, const struct order *o, u32 ib)
{
	if (s->depthwise)
		return IFM_UBLOCK_D;
	return s->part_kernel ? min_u32(o->ifm_block, s->id - ib) : o->ifm_block;
}

static bool shape_valid(const struct npu_weights_shape *s)
{
	return s->od && s->kh && s->kw && s->id && s->block_d && s->ublock_d;
}

/* Steps to the next part, to the first from an all-zero one; false behind the last, and for a shape without weights. */
static bool part_next(const struct npu_weights_shape *s, const struct order *o, struct part *p)
{
	if (!shape_valid(s))
		return false;
	if (p->taps) {
		p->sx += o->sub_w;
		if (p->sx >= s->kw) {
			p->sx = 0;
			p->sy += o->sub_h;
		}
		if (p->sy >= s->kh) {
			p->sy = 0;
			p->ib += o->ifm_block;
		}
		if (p->ib >= s->id) {
			p->ib = 0;
			p->ob += s->block_d;
		}
	}
	if (p->ob >= s->od)
		return false;
	p->bd = min_u32(s->block_d, s->od - p->ob);
	p->id = ifm_block_depth(s, o, p->ib);
	p->sh = min_u32(s->kh - p->sy, o->sub_h);
	p->sw = min_u32(s->kw - p->sx, o->sub_w);
	p->taps = (u32)round_up_to(p->sh * p->sw, o->tap_group);
	return true;
}

u64 npu_weights_stream_count(const struct npu_weights_shape *s)
{
	if (!shape_valid(s))
		return 0;
	/* The count is a product over independent axes, so it needs no walk: a corrupt stream
	 * may ask for 65536 x 65536 channels. */
	struct order o = order_of(s);
	u64 taps = 0, outs, ins;

	for (u32 sy = 0; sy < s->kh; sy += o.sub_h)
		for (u32 sx = 0; sx < s->kw; sx += o.sub_w)
			taps += round_up_to(min_u32(s->kh - sy, o.sub_h) * min_u32(s->kw - sx, o.sub_w),
					 o.tap_group);
	outs = (u64)(s->od / s->block_d) * round_up_to(s->block_d, s->ublock_d) +
	       round_up_to(s->od % s->block_d, s->ublock_d);
	if (s->depthwise)
		ins = 1;
	else if (s->part_kernel)
		ins = round_up_to(s->id, IFM_UBLOCK_D);
	else
		ins = round_up_to(s->id, o.ifm_block);
	/* taps < 2^33, outs <= 2^19, ins <= 2^17 */
	return taps > UINT64_MAX / outs / ins ? UINT64_MAX : taps * outs * ins;
}

static void sort_part_plain(const struct npu_weights_shape *s, const struct part *p,
			    const i16 **stream, i16 *out, size_t step_o)
{
	for (u32 io = 0; io < (s->part_kernel ? p->id : 1); io += IFM_UBLOCK_D)
	for (u32 ou = 0; ou < p->bd; ou += s->ublock_d)
	for (u32 e = 0; e < p->taps; e++)
	for (u32 ii = 0; ii < (s->part_kernel ? 1 : p->id); ii += IFM_UBLOCK_D)
	for (u32 oz = 0; oz < s->ublock_d; oz++)
	for (u32 iz = 0; iz < (s->depthwise ? 1 : IFM_UBLOCK_D); iz++) {
		u32 ky = e / p->sw, kx = e % p->sw;
		u32 o = p->ob + ou + oz, i = p->ib + io + ii + iz;
		i16 w = *(*stream)++;
		if (o < p->ob + p->bd && i < s->id && ky < p->sh)
			out[o * step_o + ((p->sy + ky) * (size_t)s->kw + p->sx + kx) * s->id + i] = w;
	}
}

void npu_weights_sort_plain(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
			    size_t step_o)
{
	struct order o = order_of(s);
	struct part p = { 0 };

	while (part_next(s, &o, &p))
		sort_part_plain(s, &p, &stream, out, step_o);
}

/* By runs (weights/put.h), from channel `first` of the block on: of a microblock's channels, those of a block's input channels one behind
 * the other in the stream. */
ALWAYS_INLINE void sort_part_runs(const struct npu_weights_shape *s, const struct part *p, u32 first, const u8 *stream, const size_t bytes,
				  const struct npu_weights_target *t, npu_weights_put_fn *put)
{
	const u32 ublock = s->ublock_d, ins = s->part_kernel ? IFM_UBLOCK_D : (u32)round_up_to(p->id, IFM_UBLOCK_D);

	for (u32 io = 0; io < (s->part_kernel ? p->id : 1); io += IFM_UBLOCK_D)
	for (u32 ou = first; ou < p->bd; ou += ublock) {
		const u32 outs = min_u32(ublock, p->bd - ou), i = p->ib + io;
		const size_t start = (p->sy * (size_t)s->kw + p->sx) * s->id;
		for (u32 e = 0, ky = 0, kx = 0; e < p->taps; e++) {
			const size_t tap = start + (ky * (size_t)s->kw + kx) * s->id;
			if (ky < p->sh)
				put(t, p->ob + ou, outs, tap + i, min_u32(ins, s->id - i), stream, ublock * IFM_UBLOCK_D);
			stream += ublock * ins * bytes;
			if (++kx == p->sw) {
				kx = 0;
				ky++;
			}
		}
	}
}

/* Whether a part consists of whole groups of channels, and their runs are whole. */
static inline bool in_groups(const struct npu_weights_shape *s, const struct part *p, const struct npu_weights_target *t)
{
	return t->groups && t->cores <= 2 && !s->part_kernel && s->ublock_d == 8 && p->ob % (16 / t->cores) == 0 && s->id % IFM_UBLOCK_D == 0;
}

/* Bytes of whole groups, so that whole lines of what is packed are written at once. Returns of how many channels. */
static u32 sort_groups(const struct npu_weights_shape *s, const struct part *p, const u8 *stream, const struct npu_weights_target *t)
{
	const size_t ins = round_up_to(p->id, IFM_UBLOCK_D), tap = s->ublock_d * ins;
	const size_t start = (p->sy * (size_t)s->kw + p->sx) * s->id + p->ib;
	const u32 channels = 16 / t->cores;
	const struct npu_weights_groups g = {
		.to = (u8 *)t->out + packed_at(t, p->ob, start, 4), .from = stream, .groups = p->bd / channels, .group = t->step,
		.eights = p->taps * tap, .runs = min_u32((u32)ins, s->id - p->ib) / IFM_UBLOCK_D, .tap = tap,
		.line = 16 * (size_t)s->kw * s->id, .column = 16 * (size_t)s->id, .lines = p->sh, .columns = p->sw,
	};

	t->groups(t, &g);
	return p->bd / channels * channels;
}

/* Of weights that have `bytes` bytes each. */
ALWAYS_INLINE bool sort_runs(const struct npu_weights_shape *s, struct npu_weights_source *source, const size_t bytes,
			     const struct npu_weights_target *t, npu_weights_put_fn *put)
{
	struct order o = order_of(s);
	struct part p = { 0 };

	while (part_next(s, &o, &p)) {
		const u8 *stream = npu_weights_take(source, part_count(s, &p));
		if (!stream)
			return false;
		const u32 done = put == put_packed_i8 && in_groups(s, &p, t) ? sort_groups(s, &p, stream, t) : 0;
		if (done < p.bd)
			sort_part_runs(s, &p, done, stream + done * p.taps * round_up_to(p.id, IFM_UBLOCK_D) * bytes, bytes, t, put);
	}
	return true;
}

/* Depthwise: one input channel, so the channels of a microblock lie side by side. */
ALWAYS_INLINE bool pack_depthwise(const struct npu_weights_shape *s, struct npu_weights_source *source, const u32 taps,
				  const struct npu_weights_target *to)
{
	const size_t bytes = 4 / taps;
	struct order o = order_of(s);
	struct part p = { 0 };

	while (part_next(s, &o, &p)) {
		const u8 *stream = npu_weights_take(source, part_count(s, &p));
		if (!stream)
			return false;
		for (u32 ou = 0; ou < p.bd; ou += s->ublock_d) {
			const u32 outs = min_u32(s->ublock_d, p.bd - ou);
			for (u32 ky = 0; ky < p.sh; ky++)
				for (u32 kx = 0; kx < p.sw; kx++, stream += s->ublock_d * bytes)
					put_tap(to, p.ob + ou, outs, p.sy + ky, p.sx + kx, taps, stream);
			stream += (p.taps - p.sh * p.sw) * s->ublock_d * bytes;
		}
	}
	return true;
}

bool npu_weights_pack(const struct npu_weights_shape *s, struct npu_weights_source *source, unsigned taps, const struct npu_weights_target *to)
{
	const struct npu_weights_target t = *to; /* never in memory, which what is put might change */

	/* each function becomes part of its own loop */
	if (s->depthwise)
		return taps == 4 ? pack_depthwise(s, source, 4, &t) : pack_depthwise(s, source, 2, &t);
	if (taps == 4)
		return s->id % 4 ? sort_runs(s, source, 1, &t, put_torn_i8)
				 : sort_runs(s, source, 1, &t, put_packed_i8);
	return s->id % 2 ? sort_runs(s, source, 2, &t, put_torn_i16)
			 : sort_runs(s, source, 2, &t, put_packed_i16);
}

static void sort_depthwise(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
			   size_t step_o)
{
	struct order o = order_of(s);
	struct part p = { 0 };

	while (part_next(s, &o, &p))
		for (u32 ou = 0; ou < p.bd; ou += s->ublock_d) {
			u32 outs = min_u32(s->ublock_d, p.bd - ou);
			for (u32 ky = 0; ky < p.sh; ky++)
				for (u32 kx = 0; kx < p.sw; kx++, stream += s->ublock_d) {
					i16 *to = out + (p.ob + ou) * step_o +
						  (p.sy + ky) * (size_t)s->kw + p.sx + kx;
					for (u32 oz = 0; oz < outs; oz++)
						to[oz * step_o] = stream[oz];
				}
			stream += (p.taps - p.sh * p.sw) * s->ublock_d;
		}
}

void npu_weights_sort(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
		      size_t step_o)
{
	const struct npu_weights_target t = { out, step_o, 0, 1, 0, NULL, NULL };
	struct npu_weights_source source = npu_weights_source_of(stream, npu_weights_stream_count(s));

	if (s->depthwise)
		sort_depthwise(s, stream, out, step_o);
	else
		(void)sort_runs(s, &source, sizeof(i16), &t, put_sorted);
}
