/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams as compilers make them, long ones: every level of host code decodes what was encoded here. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/weights/weights.h"
#include "tests/kernels/bytes_again.h"
#include "tests/kernels/random.h"

/* Of a stream that is zero there. */
static void put_bits(u8 *data, u64 at, unsigned n, u32 value)
{
	for (unsigned i = 0; i < n; i++, at++)
		data[at >> 3] |= (u8)((value >> i & 1) << (at & 7));
}

/* Symbols as digits: each continues the symbol (2) or ends it. */
struct digits {
	u8 *digit;
	u32 count, at;
	u32 ended; /* symbols, those beyond the last one included */
};

static void put_symbol(struct digits *d, u32 quotient, bool runs)
{
	for (; quotient >= (runs ? 1 : 2); quotient -= runs ? 1 : 2)
		d->digit[d->count++] = 2;
	d->digit[d->count++] = (u8)quotient;
}

/* The digits of a chunk; returns how many symbols end in them. */
static u32 take_digits(struct digits *d, u8 *to, u32 n)
{
	u32 ended = 0;

	for (u32 i = 0; i < n; i++, d->at++) {
		to[i] = d->at < d->count ? d->digit[d->at] : 0;
		ended += to[i] < 2;
	}
	d->ended += ended;
	return ended;
}

/* One slice of `count` weights, with zeros between them or without, as compilers make it; `palette`: an empty one, from `offset` on.
 * `packed`: uncompressed, which needs that palette. Returns its bytes. */
static u32 encode(u8 *data, const u16 *index, u32 count, const u32 *zeros, bool palette, u32 offset, unsigned width, bool packed)
{
	struct digits w = { .digit = malloc(260 * ((size_t)count + 2)) }, z = { .digit = malloc(300 * ((size_t)count + 2)) };
	const u32 runs = zeros ? count + palette : 0;
	u32 first = 0, waiting = 0;
	u64 at = 23;

	put_bits(data, 0, 3, zeros ? 0 : 6);
	put_bits(data, 3, 15, count - 1);
	put_bits(data, 18, 3, packed ? 7 : width);
	put_bits(data, 21, 2, palette << 1);
	if (palette) {
		put_bits(data, at, 13, offset | (packed ? (width - 2) << 10 : 0));
		at += 13;
	}
	for (u32 i = 0; i < count && !packed; i++)
		put_symbol(&w, (index[i] - offset) >> width, false);
	for (u32 i = 0; i < runs; i++)
		put_symbol(&z, zeros[i], true);
	for (bool more = true; more;) {
		u8 digit[12], run[12];
		const bool on = w.ended < count && (!zeros || (i32)(w.ended - z.ended) < 8);
		const bool run_on = zeros && (i32)(w.ended - z.ended) >= 0 && z.ended < runs;
		const u32 before = w.ended, fields = width > 5 ? 8 : 12, ended = !on ? 0 : packed ? fields : take_digits(&w, digit, 12);
		w.ended += packed ? ended : 0;
		if (run_on)
			take_digits(&z, run, 12);
		for (u32 i = 0; on && !packed && i < 12; i++)
			put_bits(data, at++, 1, digit[i] > 0);
		for (u32 i = 0; run_on && i < 12; i++)
			put_bits(data, at++, 1, run[i] > 0);
		for (u32 i = 0; on && !packed && i < 12; i++)
			if (digit[i] > 0)
				put_bits(data, at++, 1, digit[i] == 2);
		for (; waiting && first < count; waiting--, first++, at += width)
			put_bits(data, at, width, (index[first] - offset) & ((1u << width) - 1));
		more = on || run_on;
		first = before;
		waiting = ended;
	}
	free(w.digit);
	free(z.digit);
	return (u32)((at + 7) / 8);
}

/* Below n, small ones more often than large ones. */
static u32 draw_near(struct rng *r, u32 n)
{
	const u32 one = rng_below(r, n);

	return one * rng_below(r, n) / n;
}

/* Indices as of weights that lie around 0, one in `rare` of them anywhere. */
static void draw_indices(struct rng *r, u16 *index, u32 count, u32 offset, u32 reach, u32 rare)
{
	for (u32 i = 0; i < count; i++)
		index[i] = (u16)(offset + (rng_below(r, rare) ? draw_near(r, reach) : rng_below(r, 512 - offset)));
}

/* What was encoded: weights, and the zeros between them. */
static size_t lay_out(const u16 *index, u32 count, const u32 *zeros, bool leading, i16 *to)
{
	size_t n = 0;

	for (u32 i = 0; i < count; i++) {
		for (u32 k = 0; zeros && (i || leading) && k < zeros[i - !leading]; k++)
			to[n++] = 0;
		to[n++] = (i16)(index[i] & 1 ? -(index[i] >> 1) : index[i] >> 1);
	}
	for (u32 k = 0; zeros && k < zeros[count + leading - 1]; k++)
		to[n++] = 0;
	return n;
}

/* A stream, what was encoded in it, and what became of it. */
struct coded {
	struct npu_weights_tables tables;
	const struct npu_simd *level[8];
	unsigned levels;
	u8 *data;
	u16 *index;
	u32 *zeros;
	i16 *a, *b;
};

enum { LARGE = 1 << 20, MOST = 32768, MANY = 100 * (MOST + 1) };

static struct coded coded_new(void)
{
	struct coded c = { .data = malloc(LARGE + NPU_WEIGHTS_SLACK), .index = malloc(MOST * sizeof(u16)),
			   .zeros = malloc((MOST + 1) * sizeof(u32)), .a = malloc(MANY * sizeof(i16)), .b = malloc(MANY * sizeof(i16)) };

	c.levels = npu_simd_list(c.level);
	npu_weights_tables_init(&c.tables);
	return c;
}

static void coded_free(struct coded *c)
{
	free(c->data);
	free(c->index);
	free(c->zeros);
	free(c->a);
	free(c->b);
}

/* Encodes `count` indices, with zeros between them or not, and has every level decode them. Returns the stream's bytes. */
static u32 code(struct coded *c, u32 count, bool runs, bool palette, u32 offset, unsigned width, bool packed, unsigned round)
{
	const u32 *const zeros = runs ? c->zeros : NULL;

	memset(c->data, 0, LARGE + NPU_WEIGHTS_SLACK);
	u32 bytes = encode(c->data, c->index, count, zeros, palette, offset, width, packed);
	bytes += 2; /* the end's mark may lie behind the last whole byte */
	put_bits(c->data, 8 * (u64)(bytes - 2), 16, 0xffff);
	const size_t na = lay_out(c->index, count, zeros, runs && palette, c->a);
	for (unsigned level = 0; level < c->levels; level++) {
		const char *const name = c->level[level]->name;
		size_t nb;
		const enum npu_weights_status status =
			npu_weights_decode(NULL, c->level[level]->next, &c->tables, c->data, bytes, c->b, na, &nb);
		cr_assert_eq(status, NPU_WEIGHTS_OK, "round %u, %s: %d, %zu of %zu", round, name, (int)status, nb, na);
		cr_assert_eq(na, nb, "round %u, %s: %zu of %zu", round, name, nb, na);
		cr_assert_eq(memcmp(c->a, c->b, na * sizeof(*c->a)), 0, "round %u, %s", round, name);
		decoded_to_bytes(c->level[level], &c->tables, c->data, bytes, c->a, na);
	}
	return bytes;
}

/* Long slices with the codes that compilers choose, which decoders have their fastest loops for: with and without zero runs that
 * are seldom, and with weights that these loops must leave to others. */
Test(encoded, decoded_again)
{
	struct coded c = coded_new();
	struct rng r = { 5 };

	for (unsigned round = 0; round < 120; round++) {
		const u32 count = 1 + rng_below(&r, rng_below(&r, 3) ? MOST : 200), between = 1 + rng_below(&r, rng_below(&r, 3) ? 1000 : 10);
		const bool runs = round / 4 % 2, palette = rng_below(&r, 2);
		const u32 reach = 1 + rng_below(&r, 256), offset = palette && rng_below(&r, 2) ? rng_below(&r, 32) : 0;
		draw_indices(&r, c.index, count, offset, reach, rng_below(&r, 2) ? 1 << 30 : 20000);
		for (u32 i = 0; i <= count; i++)
			c.zeros[i] = rng_below(&r, between) ? 0 : rng_below(&r, 100);
		(void)code(&c, count, runs, palette, offset, 3 + rng_below(&r, 3), false, round);
	}
	coded_free(&c);
}

/* Codes that go on over several chunks, at every place in the vectors that chunks are put in; those of more than 127 digits
 * must be left to others. */
Test(encoded, symbols_far_apart)
{
	struct coded c = coded_new();
	struct rng r = { 6 };

	for (unsigned round = 0; round < 600; round++) {
		const u32 count = 1 + rng_below(&r, 300), between = 1 + rng_below(&r, 30), far = 1 + rng_below(&r, 20);
		const unsigned width = rng_below(&r, 3);
		const u32 most = rng_below(&r, 8) ? 256 : 512;
		for (u32 i = 0; i < count; i++)
			c.index[i] = (u16)(rng_below(&r, far) ? rng_below(&r, 4u << width) : rng_below(&r, most));
		for (u32 i = 0; i <= count; i++)
			c.zeros[i] = rng_below(&r, between) ? 0 : rng_below(&r, 100);
		(void)code(&c, count, round % 2, false, 0, width, false, round);
	}
	coded_free(&c);
}

/* As bytes, up to where the stream ends, with `expected` and after n weights of c->a. */
static void damaged_to_bytes(const struct coded *c, const struct npu_simd *level, u32 bytes, size_t n, enum npu_weights_status expected)
{
	struct npu_weights_decoder *d = npu_weights_decoder_new();
	enum npu_weights_status status = NPU_WEIGHTS_OK;
	const void *piece;
	size_t at = 0;

	npu_weights_start(d, &c->tables, c->data, bytes);
	npu_weights_narrow(d);
	for (size_t have = 1; have && status == NPU_WEIGHTS_OK; at += have) {
		status = level->next(d, &piece, &have);
		cr_assert_leq(have, n - at, "%s: more than %zu weights", level->name, n);
		for (size_t i = 0; i < have; i++)
			cr_assert_eq(((const i8 *)piece)[i], (i8)c->a[at + i], "%s: weight %zu of %zu", level->name, at + i, n);
	}
	if (status == NPU_WEIGHTS_OK)
		cr_assert_eq(npu_weights_decoder_bits(d), npu_weights_bits(c->a, n), "%s", level->name);
	if (status != NPU_WEIGHTS_LONG) /* the plain decoder's */
		cr_assert(status == expected && at == n, "%s: status %d after %zu of %zu", level->name, (int)status, at, n);
	npu_weights_decoder_free(d);
}

/* The encoded stream with a few wrong bits, or cut off: every level says of it what the plain decoder says. */
static void code_damaged(struct coded *c, struct rng *r, u32 bytes, unsigned round)
{
	for (u32 i = rng_below(r, 3); i; i--)
		c->data[rng_below(r, bytes)] ^= (u8)(1 << rng_below(r, 8));
	if (rng_below(r, 2))
		bytes -= rng_below(r, min_u32(bytes, rng_below(r, 2) ? bytes : 16));
	size_t na, nb;
	const enum npu_weights_status expected = npu_weights_decode_plain(NULL, c->data, bytes, c->a, MANY, &na);
	for (unsigned level = 0; level < c->levels; level++) {
		const char *const name = c->level[level]->name;
		const enum npu_weights_status status =
			npu_weights_decode(NULL, c->level[level]->next, &c->tables, c->data, bytes, c->b, MANY, &nb);
		cr_assert_eq(status, expected, "round %u, %s: %d, not %d", round, name, (int)status, (int)expected);
		cr_assert(na == nb && memcmp(c->a, c->b, na * sizeof(*c->a)) == 0, "round %u, %s: %zu of %zu", round, name, nb, na);
		damaged_to_bytes(c, c->level[level], bytes, na, expected);
	}
}

/* Uncompressed slices, with few zero runs, with many and without, of indices that are weights of bytes and of such that are not; and
 * damaged. */
Test(encoded, uncompressed)
{
	struct coded c = coded_new();
	struct rng r = { 7 };

	for (unsigned round = 0; round < 300; round++) {
		const u32 count = 1 + rng_below(&r, rng_below(&r, 3) ? 4000 : 200), between = 1 + rng_below(&r, rng_below(&r, 3) ? 1000 : 10);
		const unsigned width = rng_below(&r, 3) ? 8 : 2 + rng_below(&r, 7);
		const u32 offset = rng_below(&r, 3) ? rng_below(&r, 4) : rng_below(&r, 32), reach = rng_below(&r, 3) ? 1u << width : 1 + rng_below(&r, 1u << width);
		const u32 most = rng_below(&r, 3) ? reach : min_u32(reach, 256 - offset);
		const bool runs = rng_below(&r, 4);
		for (u32 i = 0; i < count; i++)
			c.index[i] = (u16)(offset + rng_below(&r, most));
		for (u32 i = 0; i <= count; i++)
			c.zeros[i] = rng_below(&r, between) ? 0 : rng_below(&r, 100);
		code_damaged(&c, &r, code(&c, count, runs, true, offset, width, true, round), round);
	}
	coded_free(&c);
}
