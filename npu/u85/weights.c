/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams of Ethos-U85 to an array in plain order.
 *
 * The standard format is the mlw stream of U55/U65, one stream per decoder; the fast format is
 * one stream for all decoders: raw bytes or indices into a table of 16, the decoders' orders
 * interleaved in chunks. */
#include <stdlib.h>
#include <string.h>

#include "npu/u85/weights_order.h"

/* Header of the fast format, in bytes and (table) bits: flags, what raw bytes have as zero, a table of 16 entries.
 * Source: Vela's ethos_u85_weight_encoder.cpp. */
enum { FAST_HEADER = 32, FAST_FLAGS = 0, FAST_ZERO = 13, FAST_TABLE = 112, FAST_ENTRY = 9 };
enum { FLAG_RAW = 1, FLAG_FOUR = 2 /* indices of two bits, else four */ };

/* Bound on the stream's weights without walking it; saturates. */
static bool plausible(const struct npu85_order *r, u64 bytes)
{
	u64 real = (u64)r->od * r->kh, product;

	return !__builtin_mul_overflow(real, r->kw, &product) &&
	       !__builtin_mul_overflow(product, (u64)r->id, &product) &&
	       product <= (bytes + 64) * NPU_WEIGHTS_PER_BYTE;
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

static enum npu_exec_status standard(struct npu_exec *e, struct npu85_order *r)
{
	for (r->stream = 0; r->stream < r->streams; r->stream++) {
		u32 bytes = e->op->weights[r->stream].length;
		size_t capacity = ((size_t)bytes + 64) * NPU_WEIGHTS_PER_BYTE, count = 0;
		if (bytes == 0)
			continue; /* this decoder has nothing to do */
		r->in = NULL;
		npu85_order_walk(r);
		capacity = r->count < capacity ? r->count : capacity;
		i16 *in = take(e, ROOM_STREAM, capacity + 1);
		if (!in)
			return NPU_EXEC_MEMORY;
		const u8 *stream = e->view->weights[r->stream];
		enum npu_weights_status ok =
			e->next ? npu_weights_decode(e->view, e->next, e->tables, stream, bytes, in, capacity, &count)
				: npu_weights_decode_plain(e->view, stream, bytes, in, capacity, &count);
		struct npu_weights_source source = { .at = in, .have = count };
		r->in = &source;
		npu85_order_walk(r);
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

/* An entry has the sign in bit 0. */
static void read_table(const u8 *p, i16 table[16])
{
	for (unsigned i = 0; i < 16; i++) {
		unsigned value = bits_at(p, FAST_TABLE + FAST_ENTRY * i, FAST_ENTRY);
		i16 magnitude = (i16)(value >> 1);
		table[i] = value & 1 ? (i16)-magnitude : magnitude;
	}
}

/* Weights first .. first+n-1 of the fast stream. */
static void fast_weights(const u8 *p, const i16 table[16], u64 first, u64 n, i16 *out)
{
	const u8 *data = p + FAST_HEADER;
	bool raw = p[FAST_FLAGS] & FLAG_RAW, small = p[FAST_FLAGS] & FLAG_FOUR;

	if (raw) {
		for (u64 i = 0; i < n; i++)
			out[i] = (i16)((i8)data[first + i] - (i8)p[FAST_ZERO]);
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
	return p[FAST_FLAGS] & FLAG_RAW ? data : p[FAST_FLAGS] & FLAG_FOUR ? 4 * data : 2 * data;
}

static enum npu_exec_status fast(struct npu_exec *e, struct npu85_order *r)
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
		for (u64 at = r->stream * chunk; at < total && !npu_given_up(e->view); at += r->streams * chunk) {
			u64 part = total - at < chunk ? total - at : chunk;
			fast_weights(p, table, at, part, in + n);
			n += part;
		}
		struct npu_weights_source source = { .at = in, .have = n };
		r->in = &source;
		npu85_order_walk(r);
		free(source.joined);
		if (r->ended) {
			leave(e, in);
			return NPU_EXEC_WEIGHTS;
		}
	}
	leave(e, in);
	return NPU_EXEC_OK;
}

/* Room for the result, all zeros unless the operation is given up meanwhile. */
static i16 *take_result(struct npu_exec *e, size_t count)
{
	const size_t piece = (size_t)1 << 20;
	i16 *dense = take(e, ROOM_RESULT, count);

	for (size_t at = 0; dense && at < count && !npu_given_up(e->view); at += piece)
		memset(dense + at, 0, (count - at < piece ? count - at : piece) * sizeof(*dense));
	return dense;
}

i16 *npu85_weights(struct npu_exec *e, enum npu_exec_status *status)
{
	struct npu85_order r = npu85_order_of(e->config, e->op);
	u64 bytes = 0;

	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		bytes += e->op->weights[i].length;
	e->core = 0;
	e->why = "it ends before the last weight";
	*status = NPU_EXEC_WEIGHTS;
	if (!plausible(&r, bytes))
		return NULL;
	size_t count = (size_t)r.od * r.kh * r.kw * r.id + 1;
	r.view = e->view;
	r.put = npu85_put_dense;
	r.dense = take_result(e, count);
	*status = r.dense ? (e->op->u85.fast ? fast : standard)(e, &r) : NPU_EXEC_MEMORY;
	if (*status == NPU_EXEC_OK)
		return r.dense;
	leave(e, r.dense);
	return NULL;
}
