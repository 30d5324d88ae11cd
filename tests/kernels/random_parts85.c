/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/random_parts85.h"

#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/u85/u85.h"

void set_size(struct npu_fm *fm, u32 h, u32 w, u32 c)
{
	fm->height = h;
	fm->width = w;
	fm->depth = c;
}

struct npu85_scale random_scale(struct rng *r)
{
	static const u8 dbls[] = { 0, 0, 0, 15, 20, 30, 31 };
	struct npu85_scale s = { .round = (u8)rng_below(r, 6) };

	s.dbl = dbls[rng_below(r, ARRAY_LEN(dbls))];
	switch (rng_below(r, 4)) {
	case 0: /* none */
		s.scale = 1;
		break;
	case 1: /* a power of two */
		s.scale = UINT32_C(1) << rng_below(r, 32);
		s.shift = (u8)rng_below(r, 64);
		break;
	case 2: /* what quantised networks have */
		s.scale = (u32)rng_range(r, 1 << 30, INT32_MAX);
		s.shift = (u8)rng_range(r, 28, 48);
		break;
	default:
		s.scale = rng_short(r);
		s.shift = (u8)rng_below(r, 64);
		break;
	}
	return s;
}

void random_records(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	bool usual = rng_below(r, 4), wide = op->u85.acc48, small = rng_one_in(r, 2); /* results about as large as bytes */
	const bool sums = op->kind == NPU_POOL && op->mode == NPU_POOL_NONE;
	const bool odd = usual && rng_one_in(r, sums ? 2 : 6); /* some channels' scales are above a half */
	const bool whole = op->ofm.bytes == 4 && rng_below(r, 2); /* factors alone */
	const unsigned bias_bits = wide ? (unsigned)rng_range(r, 17, 40) : 17;
	size_t at = arena_take(a, op->ofm.depth * 10 + 16);

	for (u32 c = 0; c < op->ofm.depth; c++) {
		u8 *p = a->bytes + at + 10 * c;
		u64 bias = (u64)((i64)rng_next64(r) >> (63 - bias_bits));
		u32 scale = usual ? (u32)rng_range(r, 1 << 30, INT32_MAX) : rng_next(r);
		if (!usual && rng_one_in(r, 4))
			bias = rng_next64(r);
		for (unsigned b = 0; b < 6; b++)
			p[b] = (u8)(bias >> (8 * b));
		for (unsigned b = wide ? 6 : 4; b < 8; b++)
			p[b] = (u8)(scale >> (8 * (b - 4)));
		p[8] = (u8)(usual ? rng_range(r, wide ? 10 : small ? 39 : 32, small ? 43 : 46) : rng_range(r, 0, 63));
		if (odd && rng_one_in(r, sums ? 3 : 12))
			p[8] = (u8)rng_range(r, sums ? 20 : 28, 33);
		if (whole)
			p[8] = 0;
		else if (usual && rng_one_in(r, 16)) { /* channels without weights */
			p[8] = 63;
			for (unsigned b = 4; b < 8 && !wide && rng_one_in(r, 2); b++)
				p[b] = 0;
		}
	}
	op->scales[0].length = (op->ofm.depth * 10 + 15) / 16 * 16;
	view->scales[0] = a->bytes + at;
}

void random_ublock(struct rng *r, const struct npu_config *config, struct npu_op *op)
{
	static const u8 heights[] = { 1, 1, 1, 2, 2, 4 }, widths[] = { 1, 2, 4, 2, 4, 4 };
	unsigned least = 4 * config->cores, b;

	do {
		b = rng_below(r, ARRAY_LEN(heights));
		op->u85.ublock_h = heights[b];
		op->u85.ublock_w = widths[b];
		op->u85.ublock_d = (u16)(config->macs / 8 / (heights[b] * widths[b]));
	} while (op->u85.ublock_d < least);
	op->block_d = (u16)(op->u85.ublock_d * (1 + rng_below(r, 4)));
}

/* The fast format: random bytes behind a header, for `count` weights. */
static u32 random_fast_stream(struct rng *r, u64 count, u8 *out)
{
	static const u8 flags[] = { 1, 0, 2 }, in_byte[] = { 1, 2, 4 };
	const unsigned kind = rng_below(r, ARRAY_LEN(flags));
	const u32 bytes = (u32)((32 + count / in_byte[kind] + 15) / 16 * 16);

	for (u32 i = 0; i < bytes; i++)
		out[i] = (u8)rng_next(r);
	out[0] = flags[kind];
	if (rng_below(r, 2))
		out[13] = 0; /* raw bytes are the weights themselves */
	return bytes;
}

void random_weights(struct rng *r, const struct npu_config *config, struct arena *a, struct npu_op *op,
		    struct npu_view *view)
{
	unsigned width = rng_below(r, 3) ? 8 : (unsigned)rng_range(r, 2, 9);

	op->cores = config->cores;
	op->part_kernel = op->kind == NPU_CONV && rng_below(r, 2);
	op->u85.sparse = op->kind == NPU_CONV && rng_one_in(r, 8);
	op->u85.fast = rng_one_in(r, 6);
	if (op->u85.fast) { /* the decoders take turns */
		const u64 n = config->cores * (npu85_weights_count(config, op, 0) + 16384);
		const size_t at = arena_take(a, n + 256);
		op->weights[0].length = random_fast_stream(r, n, a->bytes + at);
		view->weights[0] = a->bytes + at;
		a->used = at + op->weights[0].length;
		return;
	}
	for (unsigned core = 0; core < op->cores; core++) {
		u64 n = npu85_weights_count(config, op, core);
		size_t at = arena_take(a, n * 2 + n / 1024 + 256);
		op->weights[core].length = random_stream(r, n, width, NULL, a->bytes + at);
		view->weights[core] = a->bytes + at;
		a->used = at + op->weights[core].length;
	}
}

void random_map(struct rng *r, struct arena *a, struct npu_fm *fm, u8 *tile[NPU_TILES])
{
	random_place(r, a, fm, tile);
	if (!rng_one_in(r, 10) || fm->format != NPU_NHWC)
		return;
	/* three tiles one below the other, as wide as the map */
	fm->stacked = fm->tiled = 1;
	fm->height0 = 1 + rng_below(r, fm->height);
	fm->height1 = fm->height0 + rng_below(r, fm->height);
	for (unsigned t = 0; t < 3; t++)
		tile[t] = a->bytes + arena_take(a, (size_t)llabs(fm->stride_y) * (fm->height + 1) + 64) +
			  (fm->stride_y < 0 ? -fm->stride_y * (fm->height - 1) : 0);
}

static u8 *element_at(const struct npu_fm *fm, u8 *tile[NPU_TILES], u32 y, u32 x, u32 c)
{
	return (u8 *)npu_fm_pixel(fm, (const u8 *const *)tile, y, x) + c / 16 * npu_fm_stride_group(fm) + c % 16 * fm->bytes;
}

void few_values(struct rng *r, const struct npu_fm *fm, u8 *tile[NPU_TILES])
{
	for (u32 y = 0; y < fm->height; y++)
		for (u32 x = 0; x < fm->width; x++)
			for (u32 c = 0; c < fm->depth; c++) {
				const i64 v = rng_range(r, -2, rng_below(r, 2) ? 5 : 66);
				memcpy(element_at(fm, tile, y, x, c), &v, fm->bytes);
			}
}

void small_elements(struct rng *r, const struct npu_fm *fm, u8 *tile[NPU_TILES])
{
	const unsigned right = 8 * (fm->bytes - 1) / 4 + rng_below(r, 4 * fm->bytes), unused = 64 - 8 * fm->bytes;

	for (u32 y = 0; y < fm->height; y++)
		for (u32 x = 0; x < fm->width; x++)
			for (u32 c = 0; c < fm->depth; c++) {
				u8 *p = element_at(fm, tile, y, x, c);
				i64 v = 0;
				memcpy(&v, p, fm->bytes);
				v = (i64)((u64)v << unused) >> (unused + right);
				memcpy(p, &v, fm->bytes);
			}
}
