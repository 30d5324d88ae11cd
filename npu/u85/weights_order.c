/* SPDX-License-Identifier: Apache-2.0 */
/* Order of the weights of Ethos-U85: that of Vela's ethos_u85_weight_encoder.cpp. */
#include "npu/u85/weights_order.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/weights/put.h"

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

/* Walk of one stream; never in memory, which what is put might change. */
struct walk {
	struct npu85_order *r;
	const struct npu_weights_target to;
	u32 od, id, oud, iud, step;   /* of r */
	u32 begin, side, next;        /* channels of a microblock: the first, how many lie one behind the other, the distance to more of them */
	u32 line, element;            /* weights of `step` input channels, of one kernel element */
	u32 bytes;                    /* of a weight */
};

/* Where weights go; as npu_weights_put_fn, but for runs of `step`. A constant wherever it is handed on, so that every way to put
 * weights has a walk of its own, without calls. NULL: they are only counted. */
typedef void put_fn(const struct walk *w, u32 o, u32 outs, size_t k, u32 n, const void *from);

static inline put_fn put85_packed_i8, put85_packed_i16;

ALWAYS_INLINE struct walk walk_of(struct npu85_order *r, u32 step, u32 bytes, const struct npu_weights_target *to)
{
	const u32 own = r->oud > 4 * r->stream ? r->oud - 4 * r->stream : 0;
	const u32 fours = (own + 4 * r->streams - 1) / (4 * r->streams), line = 4 * fours * step;
	const u32 side = r->streams == 1 ? 4 * fours : 4; /* streams take fours of channels in turn */

	r->count = 0;
	r->ended = false;
	return (struct walk){ .r = r, .to = { to->out, to->step, 0, 1, to->line, to->order, to->groups }, .od = r->od, .id = r->id, .oud = r->oud, .iud = r->iud, .step = step,
			      .begin = 4 * r->stream, .side = side, .next = side * r->streams, .line = line,
			      .element = (r->iud + step - 1) / step * line, .bytes = bytes };
}

/* The next weights of the stream; NULL when they are only counted, or at its end. */
ALWAYS_INLINE const u8 *next(struct npu85_order *r, u64 n)
{
	r->count += n;
	if (!r->in || r->ended || !n)
		return NULL;
	const u8 *const p = npu_weights_take(r->in, n);
	if (!p)
		r->ended = true;
	return p;
}

/* The elements of a sub-kernel of at most 8x8 in the order in which each microblock has them. */
struct taps {
	u32 y, x, count;                    /* where it begins; 0 elements: of no sub-kernel yet */
	u64 weights;                        /* of a microblock, all of them */
	struct { u64 tap, skip; } of[8 * 8]; /* number in the kernel; weights of no use behind the element's */
};

static void taps_add(struct taps *t, u64 tap, u64 element, u64 skip)
{
	t->of[t->count].tap = tap;
	t->of[t->count++].skip = skip;
	t->weights += element + skip;
}

/* Stride phases, rows in a serpentine, rounded up to `round` elements. */
static NOINLINE void taps_find(struct taps *t, const struct npu85_order *r, u64 element, u32 sky, u32 skx, u32 sh, u32 sw)
{
	const u32 all = sw * sh, round = r->round;
	u32 rest = (all + round - 1) / round * round;

	t->y = sky;
	t->x = skx;
	t->count = 0;
	t->weights = 0;
	for (u32 yy = 0; yy < r->stride_y; yy++)
		for (u32 xx = 0; xx < r->stride_x; xx++) {
			u32 kh = (sh + r->stride_y - 1 - yy) / r->stride_y;
			u32 kw = (sw + r->stride_x - 1 - xx) / r->stride_x;
			for (u32 ky = 0; ky < kh; ky++)
				for (u32 kx = 0; kx < kw; kx++) {
					u32 x = ky & 1 ? kw - 1 - kx : kx;
					u64 extra = --rest % round == 0 ? (u64)r->extra * r->oud / r->streams : 0;
					u64 tap = (u64)(sky + yy + ky * r->stride_y) * r->kw + skx + xx + x * r->stride_x;
					taps_add(t, tap, element, extra);
				}
		}
	if (rest > 0) {
		const u64 skip = (u64)(rest + r->extra) * r->iud * r->oud / r->streams;
		t->of[all - 1].skip += skip;
		t->weights += skip;
	}
}

/* One kernel element: all channels of a microblock that this stream holds. */
ALWAYS_INLINE void element(const struct walk *w, u32 o, u64 tap, u32 i, const u8 *from, put_fn *put)
{
	for (u32 ouz = o + w->begin; ouz < min_u32(o + w->oud, w->od); ouz += w->next, from += w->side * w->step * w->bytes)
		put(w, ouz, min_u32(w->side, w->od - ouz), tap * w->id + i, min_u32(w->iud, w->id - i), from);
}

/* A sub-kernel for one microblock, all of whose weights are at `from`. */
ALWAYS_INLINE void elements(const struct walk *w, const struct taps *t, u32 o, u32 i, const u8 *from, put_fn *put)
{
	const u32 outs = min_u32(w->side, w->od - o), n = min_u32(w->iud, w->id - i);

	if ((put == put85_packed_i8 || put == put85_packed_i16) && w->r->streams == 1 && all_eights(&w->to, o, outs, n)) {
		u8 *to = (u8 *)w->to.out + packed_at(&w->to, o, i, 4 / w->bytes) * w->bytes;
		for (u32 k = 0; k < t->count; from += (w->element + t->of[k++].skip) * w->bytes)
			w->to.order(&w->to, outs, to + t->of[k].tap * w->id * 16 * w->bytes, from, n / IFM_UBLOCK_D, w->line * w->bytes,
				    EIGHT_RUNS * w->bytes);
		return;
	}
	for (u32 k = 0; k < t->count; from += (w->element + t->of[k++].skip) * w->bytes)
		element(w, o, t->of[k].tap, i, from, put);
}

ALWAYS_INLINE void sub_kernel(const struct walk *w, const struct taps *t, u32 o, u32 i, put_fn *put)
{
	struct npu85_order *r = w->r;

	if (!put || r->in->have >= t->weights) { /* mostly */
		const u8 *from = next(r, t->weights);
		if (from && put)
			elements(w, t, o, i, from, put);
		return;
	}
	for (u32 k = 0; k < t->count; k++) {
		const u8 *from = next(r, w->element);
		if (from)
			element(w, o, t->of[k].tap, i, from, put);
		(void)next(r, t->of[k].skip);
	}
}

/* Whether the walk is at its end before the last weight. */
static bool given_up(struct npu85_order *r)
{
	r->ended |= r->view && npu_given_up(r->view);
	return r->ended;
}

ALWAYS_INLINE void ifm_block(const struct walk *w, struct taps *t, u32 ob, u32 ib, put_fn *put)
{
	struct npu85_order *r = w->r;
	u32 th = 8u / r->op->dilation_y, tw = 8u / r->op->dilation_x;

	for (u32 skx = 0; skx < r->kw; skx += tw)
		for (u32 sky = 0; sky < r->kh; sky += th) {
			if (!t->count || t->y != sky || t->x != skx)
				taps_find(t, r, w->element, sky, skx, min_u32(r->kh - sky, th), min_u32(r->kw - skx, tw));
			for (u32 iuo = 0; iuo < min_u32(r->ibd, r->id - ib); iuo += r->iud)
				for (u32 ouo = 0; ouo < min_u32(r->obd, r->od - ob) && !given_up(r); ouo += r->oud)
					sub_kernel(w, t, ob + ouo, ib + iuo, put);
		}
}

/* IFM blocks go forth and back in turn. */
ALWAYS_INLINE void walk_stream(struct npu85_order *r, const struct walk w, put_fn *put)
{
	u32 blocks = (r->id + r->ibd - 1) / r->ibd;
	bool forward = true;
	struct taps t;

	t.count = 0;
	for (u32 ob = 0; ob < r->od; ob += r->obd, forward = !forward)
		for (u32 b = 0; b < blocks && !given_up(r); b++)
			ifm_block(&w, &t, ob, (forward ? b : blocks - 1 - b) * r->ibd, put);
}

void npu85_order_count(struct npu85_order *r)
{
	const struct npu_weights_target none = { 0 };

	r->in = NULL;
	walk_stream(r, walk_of(r, r->step, sizeof(i16), &none), NULL);
}

ALWAYS_INLINE void put_dense(const struct walk *w, u32 o, u32 outs, size_t k, u32 n, const void *weights)
{
	const i16 *from = weights;
	i16 *to = (i16 *)w->to.out + o * w->to.step + k;

	for (u32 oz = 0; w->step == 1 && oz < outs; oz++) /* depthwise */
		to[oz * w->to.step] = from[oz];
	for (; w->step > 1 && n; n -= min_u32(w->step, n), to += w->step, from += w->line)
		for (u32 oz = 0; oz < outs; oz++)
			memcpy(to + oz * w->to.step, from + oz * w->step, min_u32(w->step, n) * sizeof(*to));
}

void npu85_order_dense(struct npu85_order *r)
{
	const struct npu_weights_target to = { r->dense, (size_t)r->kh * r->kw * r->id, 0, 1, 0, NULL, NULL };

	walk_stream(r, walk_of(r, r->step, sizeof(i16), &to), put_dense);
}

u64 npu85_weights_count(const struct npu_config *config, const struct npu_op *op, unsigned stream)
{
	struct npu85_order r = npu85_order_of(config, op);

	r.stream = stream;
	npu85_order_count(&r);
	return r.count;
}

/* A depthwise: one kernel element. */
ALWAYS_INLINE void put85_tap_i8(const struct walk *w, u32 o, u32 outs, size_t k, u32 n, const void *from)
{
	put_tap(&w->to, o, outs, (u32)k / w->r->kw, (u32)k % w->r->kw, 4, from);
}

ALWAYS_INLINE void put85_tap_i16(const struct walk *w, u32 o, u32 outs, size_t k, u32 n, const void *from)
{
	put_tap(&w->to, o, outs, (u32)k / w->r->kw, (u32)k % w->r->kw, 2, from);
}

#define PUT85(name) \
	ALWAYS_INLINE void put85_##name(const struct walk *w, u32 o, u32 outs, size_t k, u32 n, const void *from) \
	{ \
		put_##name(&w->to, o, outs, k, n, from, w->line); \
	}
PUT85(packed_i8)
PUT85(packed_i16)
PUT85(torn_i8)
PUT85(torn_i16)
#undef PUT85

#define WALK(name, step, bytes, put) \
	static NOINLINE void walk_##name(struct npu85_order *r, const struct npu_weights_target *to) \
	{ \
		walk_stream(r, walk_of(r, step, bytes, to), put); \
	}
WALK(packed_i8, IFM_UBLOCK_D, 1, put85_packed_i8)
WALK(packed_i16, IFM_UBLOCK_D, 2, put85_packed_i16)
WALK(torn_i8, IFM_UBLOCK_D, 1, put85_torn_i8)
WALK(torn_i16, IFM_UBLOCK_D, 2, put85_torn_i16)
WALK(depthwise_i8, 1, 1, put85_tap_i8)
WALK(depthwise_i16, 1, 2, put85_tap_i16)
#undef WALK

bool npu85_weights_pack(const struct npu_config *config, const struct npu_op *op, unsigned stream,
			struct npu_weights_source *source, unsigned taps, const struct npu_weights_target *to)
{
	struct npu85_order r = npu85_order_of(config, op);

	r.view = source->view;
	r.stream = stream;
	r.in = source;
	if (op->kind == NPU_DEPTHWISE)
		(taps == 4 ? walk_depthwise_i8 : walk_depthwise_i16)(&r, to);
	else if (taps == 4)
		(r.id % 4 ? walk_torn_i8 : walk_packed_i8)(&r, to);
	else
		(r.id % 2 ? walk_torn_i16 : walk_packed_i16)(&r, to);
	return !r.ended;
}
