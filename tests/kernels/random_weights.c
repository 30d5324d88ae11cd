/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/random_weights.h"

#include <stdlib.h>

#include "npu/kernels/weights/weights.h"

#define LOW_BITS 15 /* of a position in an element of int16 */

/* Where each weight of the plain order lies in the stream. */
static u32 *positions_of(const struct npu_weights_shape *s, u64 count)
{
	const size_t row = (size_t)s->kh * s->kw * s->id, all = row * s->od;
	i16 *stream = calloc(count, sizeof(*stream)), *dense = calloc(all, sizeof(*dense));
	u32 *position = calloc(all, sizeof(*position));

	for (unsigned shift = 0; shift < 2 * LOW_BITS; shift += LOW_BITS) {
		for (u64 i = 0; i < count; i++)
			stream[i] = (i16)(i >> shift & ((1u << LOW_BITS) - 1));
		npu_weights_sort_plain(s, stream, dense, row);
		for (size_t i = 0; i < all; i++)
			position[i] |= (u32)dense[i] << shift;
	}
	free(stream);
	free(dense);
	return position;
}

/* By position in the stream: 0 for a weight of a hole, as every tap is that lies between those that are so far apart. */
static u16 *holes_of(const struct npu_weights_shape *s, u64 count, u32 apart_y, u32 apart_x)
{
	const size_t taps = (size_t)s->kh * s->kw, all = taps * s->id * s->od;
	u32 *position = positions_of(s, count);
	u16 *given = malloc(count * sizeof(*given));

	for (u64 i = 0; i < count; i++)
		given[i] = RANDOM_WEIGHT;
	for (size_t i = 0; i < all; i++) {
		const size_t tap = i / s->id % taps;
		if (tap / s->kw % apart_y || tap % s->kw % apart_x)
			given[position[i]] = 0;
	}
	free(position);
	return given;
}

/* The same of weights of which each channel has one, but for one of them all now and then. */
static u16 *even_weights(struct rng *r, const struct npu_weights_shape *s, u64 count)
{
	const size_t row = (size_t)s->kh * s->kw * s->id, all = row * s->od;
	u32 *position = positions_of(s, count);
	u16 *given = calloc(count, sizeof(*given));
	u16 one = 0;

	for (size_t i = 0; i < all; i++) {
		if (i % row == 0)
			one = (u16)(rng_next(r) & 0x1ff);
		given[position[i]] = one;
	}
	if (all && rng_one_in(r, 8))
		given[position[rng_below(r, (u32)all)]] = RANDOM_WEIGHT;
	free(position);
	return given;
}

static void put_stream(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view, unsigned core, u64 n, unsigned width, const u16 *given)
{
	const size_t at = arena_take(a, n * 2 + n / 1024 + 256);

	op->weights[core].length = random_stream(r, n, width, given, a->bytes + at);
	op->weights[core].addr = at;
	view->weights[core] = a->bytes + at;
	a->used = at + op->weights[core].length;
}

void random_streams(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const unsigned width = rng_below(r, 3) ? 8 : (unsigned)rng_range(r, 2, 9);
	const bool holes = op->kernel_h * op->kernel_w > 1 && rng_one_in(r, 4);
	const u32 apart_y = 1 + rng_below(r, op->kernel_h), apart_x = 1 + rng_below(r, op->kernel_w);

	for (unsigned core = 0; core < op->cores; core++) {
		const struct npu_weights_shape s = npu_weights_shape_of(op, core, config->ofm_ublock_d);
		const u64 n = npu_weights_stream_count(&s);
		u16 *given = holes && n ? holes_of(&s, n, apart_y, apart_x) : NULL;
		put_stream(r, a, op, view, core, n, width, given);
		free(given);
	}
}

void random_even_streams(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const unsigned width = rng_below(r, 3) ? 8 : (unsigned)rng_range(r, 2, 9);

	for (unsigned core = 0; core < op->cores; core++) {
		const struct npu_weights_shape s = npu_weights_shape_of(op, core, config->ofm_ublock_d);
		const u64 n = npu_weights_stream_count(&s);
		u16 *given = n ? even_weights(r, &s, n) : NULL;
		put_stream(r, a, op, view, core, n, width, given);
		free(given);
	}
}
