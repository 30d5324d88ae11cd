/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of Ethos-U85: order (Vela's ethos_u85_weight_encoder.cpp) and the fast format.
 *
 * The standard format is the mlw stream of U55/U65, one stream per decoder; the fast format is
 * one stream for all decoders: raw bytes or indices into a table of 16, the decoders' orders
 * interleaved in chunks. */
#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/weights.h"
#include "npu/u85/u85.h"

/* As in npu/exec_mac.c: a bound that keeps a corrupt length from allocating the host's memory. */
#define MAX_WEIGHTS_PER_BYTE 8192
#define FAST_HEADER 32 /* bytes */

struct order;

/* `step` weights each of four channels from o on, of input channels from i on. */
typedef void put_four(const struct order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from);

struct order {
	const struct npu_op *op;
	u32 od, id, kh, kw;
	u32 obd, oud, ibd, iud, step, round, extra;
	u32 stride_y, stride_x;
	u32 streams, stream;
	u64 count; /* weights walked over */
	/* Where they come from, NULL: only counted; whether there were enough; where they go. */
	struct npu_weights_source *in;
	bool ended;
	put_four *put;
	i16 *dense;
	npu_weights_put_fn *put_packed;
	const struct npu_weights_target *packed;
};

static struct order order_of(const struct npu_config *config, const struct npu_op *op)
{
	bool depthwise = op->kind == NPU_DEPTHWISE, wide = op->ifm.bytes == 2, sparse = op->u85.sparse;
	struct order r = {
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
static const i16 *next(struct order *r, u64 n)
{
	const i16 *p = NULL;

	r->count += n;
	if (r->in && !r->ended && n)
		p = npu_weights_take(r->in, n);
	r->ended |= r->in && n && !p;
	return p;
}

static void put_dense(const struct order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from)
{
	const u32 n = r->step < r->id - i ? r->step : r->id - i;
	i16 *to = r->dense + (((u64)o * r->kh + ky) * r->kw + kx) * r->id + i;

	for (u32 end = min_u32(o + 4, r->od); o < end; o++, to += (u64)r->kh * r->kw * r->id, from += r->step)
		memcpy(to, from, n * sizeof(*to));
}

static void put_packed(const struct order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from)
{
	r->put_packed(r->packed, o, min_u32(4, r->od - o), ((u64)ky * r->kw + kx) * r->id + i,
		      min_u32(r->step, r->id - i), from);
}

/* Channel groups of 4 of a microblock that this stream holds. */
static u32 groups_of(const struct order *r)
{
	u32 own = r->oud > 4 * r->stream ? r->oud - 4 * r->stream : 0;
	return (own + 4 * r->streams - 1) / (4 * r->streams);
}

/* One kernel element: all channels of a microblock that this stream holds. */
static void element(struct order *r, u32 o, u32 ky, u32 kx, u32 i)
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
static void sub_kernel(struct order *r, u32 o, u32 i, u32 sky, u32 skx, u32 sh, u32 sw)
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

static void ifm_block(struct order *r, u32 ob, u32 ib)
{
	u32 th = 8u / r->op->dilation_y, tw = 8u / r->op->dilation_x;

	for (u32 skx = 0; skx < r->kw; skx += tw)
		for (u32 sky = 0; sky < r->kh; sky += th)
			for (u32 iuo = 0; iuo < min_u32(r->ibd, r->id - ib); iuo += r->iud)
				for (u32 ouo = 0; ouo < min_u32(r->obd, r->od - ob); ouo += r->oud)
					sub_kernel(r, ob + ouo, ib + iuo, sky, skx, min_u32(r->kh - sky, th),
						   min_u32(r->kw - skx, tw));
}

/* Walks one stream. IFM blocks go forth and back in turn. */
static void walk(struct order *r)
{
	u32 blocks = (r->id + r->ibd - 1) / r->ibd;
	bool forward = true;

	r->count = 0;
	r->ended = false;
	for (u32 ob = 0; ob < r->od; ob += r->obd, forward = !forward)
		for (u32 b = 0; b < blocks; b++)
			ifm_block(r, ob, (forward ? b : blocks - 1 - b) * r->ibd);
}

u64 npu85_weights_count(const struct npu_config *config, const struct npu_op *op, unsigned stream)
{
	struct order r = order_of(config, op);

	r.stream = stream;
	walk(&r);
	return r.count;
}

bool npu85_weights_pack(const struct npu_config *config, const struct npu_op *op, unsigned stream,
			struct npu_weights_source *source, npu_weights_put_fn *put,
			const struct npu_weights_target *to)
{
	struct order r = order_of(config, op);

	r.stream = stream;
	r.in = source;
	r.put = put_packed;
	r.put_packed = put;
	r.packed = to;
	walk(&r);
	return !r.ended;
}

/* Bound on the stream's weights without walking it; saturates. */
static bool plausible(const struct order *r, u64 bytes)
{
	u64 real = (u64)r->od * r->kh, product;

	return !__builtin_mul_overflow(real, r->kw, &product) &&
	       !__builtin_mul_overflow(product, (u64)r->id, &product) &&
	       product <= (bytes + 64) * MAX_WEIGHTS_PER_BYTE;
}

enum { ROOM_STREAM, ROOM_RESULT };

static i16 *take(struct npu_exec *e, unsigned which, size_t count)
{
	struct npu_weights_room fresh = { NULL, 0 }, *room = e->room ? &e->room[which] : &fresh;

	if (room->count < count || !room->data) {
		free(room->data);
		*room = (struct npu_weights_room){ malloc(count * sizeof(*room->data)), count };
	}
	return room->data;
}

/* What take() gave. */
static void leave(struct npu_exec *e, i16 *data)
{
	if (!e->room)
		free(data);
}

static enum npu_exec_status standard(struct npu_exec *e, struct order *r)
{
	for (r->stream = 0; r->stream < r->streams; r->stream++) {
		u32 bytes = e->op->weights[r->stream].length;
		size_t capacity = ((size_t)bytes + 64) * MAX_WEIGHTS_PER_BYTE, count = 0;
		if (bytes == 0)
			continue; /* this decoder has nothing to do */
		r->in = NULL;
		walk(r);
		capacity = r->count < capacity ? r->count : capacity;
		i16 *in = take(e, ROOM_STREAM, capacity + 1);
		if (!in)
			return NPU_EXEC_MEMORY;
		const u8 *stream = e->view->weights[r->stream];
		enum npu_weights_status ok =
			e->next ? npu_weights_decode(e->next, e->tables, stream, bytes, in, capacity, &count)
				: npu_weights_decode_plain(stream, bytes, in, capacity, &count);
		struct npu_weights_source source = { .at = in, .have = count };
		r->in = &source;
		walk(r);
		free(source.joined);
		leave(e, in);
		e->core = r->stream;
		e->why = ok != NPU_WEIGHTS_OK ? "reserved coding or a slice that runs past its end"
					      : "it ends before the last weight";
		if (ok != NPU_WEIGHTS_OK || r->ended)
			return NPU_EXEC_WEIGHTS;
	}
	return NPU_EXEC_OK;
}

static unsigned bits_at(const u8 *p, u64 at, unsigned width)
{
	unsigned v = 0;
	for (unsigned i = 0; i < width; i++)
		v |= (p[(at + i) / 8] >> ((at + i) % 8) & 1u) << i;
	return v;
}

/* Magnitudes and signs of the table's 16 entries. */
static void read_table(const u8 *p, i16 table[16])
{
	for (unsigned i = 0; i < 16; i++) {
		unsigned value = bits_at(p, 112 + 9 * i, 9);
		i16 magnitude = (i16)(value >> 1);
		table[i] = value & 1 ? (i16)-magnitude : magnitude;
	}
}

/* Weights first .. first+n-1 of the fast stream. */
static void fast_weights(const u8 *p, const i16 table[16], u64 first, u64 n, i16 *out)
{
	const u8 *data = p + FAST_HEADER;
	bool raw = p[0] & 1, small = p[0] & 2;

	if (raw) {
		for (u64 i = 0; i < n; i++)
			out[i] = (i16)((i8)data[first + i] - (i8)p[13]);
	} else if (small) {
		for (u64 i = 0; i < n; i++)
			out[i] = table[data[(first + i) / 4] >> (first + i) % 4 * 2 & 3];
	} else {
		for (u64 i = 0; i < n; i++)
			out[i] = table[data[(first + i) / 2] >> (first + i) % 2 * 4 & 15];
	}
}

static u64 fast_count(const u8 *p, u32 bytes)
{
	u64 data = bytes > FAST_HEADER ? bytes - FAST_HEADER : 0;
	return p[0] & 1 ? data : p[0] & 2 ? 4 * data : 2 * data;
}

static enum npu_exec_status fast(struct npu_exec *e, struct order *r)
{
	u32 bytes = e->op->weights[0].length;
	const u8 *p = e->view->weights[0];

	e->core = 0;
	e->why = "it ends before the last weight";
	if (bytes < FAST_HEADER)
		return NPU_EXEC_WEIGHTS;
	u64 total = fast_count(p, bytes);
	u64 chunk = (u64)r->oud * r->iud * r->round / r->streams;
	i16 *in = take(e, ROOM_STREAM, total + 1);
	if (!in)
		return NPU_EXEC_MEMORY;
	i16 table[16];
	read_table(p, table);
	for (r->stream = 0; r->stream < r->streams; r->stream++) {
		u64 n = 0;
		/* this decoder's chunks out of the round-robin */
		for (u64 at = r->stream * chunk; at < total; at += r->streams * chunk) {
			u64 part = total - at < chunk ? total - at : chunk;
			fast_weights(p, table, at, part, in + n);
			n += part;
		}
		struct npu_weights_source source = { .at = in, .have = n };
		r->in = &source;
		walk(r);
		free(source.joined);
		if (r->ended) {
			leave(e, in);
			return NPU_EXEC_WEIGHTS;
		}
	}
	leave(e, in);
	return NPU_EXEC_OK;
}

i16 *npu85_weights(struct npu_exec *e, enum npu_exec_status *status)
{
	struct order r = order_of(e->config, e->op);
	u64 bytes = 0;

	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		bytes += e->op->weights[i].length;
	e->core = 0;
	e->why = "it ends before the last weight";
	*status = NPU_EXEC_WEIGHTS;
	if (!plausible(&r, bytes))
		return NULL;
	size_t count = (size_t)r.od * r.kh * r.kw * r.id + 1;
	r.put = put_dense;
	r.dense = take(e, ROOM_RESULT, count);
	if (r.dense)
		memset(r.dense, 0, count * sizeof(*r.dense));
	*status = r.dense ? (e->op->u85.fast ? fast : standard)(e, &r) : NPU_EXEC_MEMORY;
	if (*status == NPU_EXEC_OK)
		return r.dense;
	leave(e, r.dense);
	return NULL;
}
