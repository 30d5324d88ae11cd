/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams of Ethos-U85 to an array in plain order.
 *
 * The standard format is the mlw stream of U55/U65, one stream per decoder; the fast format
 * (weights_fast.c) is one stream for all decoders. */
#include <stdlib.h>
#include <string.h>

#include "npu/u85/weights_order.h"

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
		npu85_order_count(r);
		capacity = r->count < capacity ? r->count : capacity;
		i16 *in = take(e, ROOM_STREAM, capacity + 1);
		if (!in)
			return NPU_EXEC_MEMORY;
		const u8 *stream = e->view->weights[r->stream];
		enum npu_weights_status ok =
			e->next ? npu_weights_decode(e->view, e->next, e->tables, stream, bytes, in, capacity, &count)
				: npu_weights_decode_plain(e->view, stream, bytes, in, capacity, &count);
		struct npu_weights_source source = npu_weights_source_of(in, count);
		r->in = &source;
		npu85_order_dense(r);
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

/* Weights of decoder `stream`, up to `room`. */
static u64 read_fast(const struct npu_exec *e, const struct npu85_fast *f, unsigned stream, i16 *in, u64 room)
{
	enum { AT_ONCE = 1 << 20 }; /* whether anybody waits for it is asked in between */
	u64 n = 0;

	for (u64 part = 1; part && n < room && !npu_given_up(e->view); n += part)
		part = npu85_fast_read(f, stream, n, room - n < AT_ONCE ? room - n : AT_ONCE, in + n);
	return n;
}

static enum npu_exec_status fast(struct npu_exec *e, struct npu85_order *r)
{
	struct npu85_fast f;

	e->core = 0;
	e->why = "it ends before the last weight";
	if (!npu85_fast_open(&f, e->config, e->op, e->view->weights[0]))
		return NPU_EXEC_WEIGHTS;
	i16 *in = take(e, ROOM_STREAM, f.count + 1);
	if (!in)
		return NPU_EXEC_MEMORY;
	for (r->stream = 0; r->stream < r->streams && !r->ended; r->stream++) {
		struct npu_weights_source source = npu_weights_source_of(in, read_fast(e, &f, r->stream, in, f.count));
		r->in = &source;
		npu85_order_dense(r);
		free(source.joined);
	}
	leave(e, in);
	return r->ended ? NPU_EXEC_WEIGHTS : NPU_EXEC_OK;
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
	r.dense = take_result(e, count);
	*status = r.dense ? (e->op->u85.fast ? fast : standard)(e, &r) : NPU_EXEC_MEMORY;
	if (*status == NPU_EXEC_OK)
		return r.dense;
	leave(e, r.dense);
	return NULL;
}
