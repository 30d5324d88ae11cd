/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams: known vectors, and both decoders and both sorters against each other on
 * random streams and shapes. Any bits behind a legal header are a legal body, so random bits
 * with a chosen density of ones reach every kind of slice. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "npu/kernels/weights/weights.h"
#include "tests/kernels/bytes_again.h"
#include "tests/kernels/random.h"

struct vector {
	const char *hex;
	unsigned count;
	i16 weight[32];
};

/* Made with the mlw codec of Vela 5.2. */
static const struct vector vectors[] = {
	{ "3e00645004af34720453f8ffffffffff", 8, { 1, -1, 2, 0, 0, 0, 5, -7 } },
	{ "0b005c13721b64e2ffffffffffffffff", 28, { [6] = 3, [27] = -3 } },
	{ "4e006890fcef5fab190828842100c02d5884d2ffffffffffffffffffffffffff", 10,
	  { 127, -127, 64, -64, 33, -90, 1, 0, 77, 12 } },
	{ "0100400010001ec0ffffffffffffffff", 10, { 0 } },
	{ "2e006450fedf7f407f0200cc006bffff", 6, { -128, 127, -255, 255, 0, 1 } },
};

static u32 unhex(const char *hex, u8 *out)
{
	u32 n = 0;
	for (; *hex; hex += 2) {
		unsigned byte;
		sscanf(hex, "%2x", &byte);
		out[n++] = (u8)byte;
	}
	return n;
}

Test(weights, vectors)
{
	const struct npu_simd *best = npu_simd_find(NULL);
	struct npu_weights_tables t;
	npu_weights_tables_init(&t);
	for (unsigned i = 0; i < ARRAY_LEN(vectors); i++) {
		u8 stream[64 + NPU_WEIGHTS_SLACK] = { 0 };
		i16 out[64];
		size_t n;
		u32 bytes = unhex(vectors[i].hex, stream);
		cr_assert_eq(npu_weights_decode_plain(NULL, stream, bytes, out, 64, &n), NPU_WEIGHTS_OK);
		cr_assert_eq(n, vectors[i].count);
		cr_assert_eq(memcmp(out, vectors[i].weight, n * sizeof(*out)), 0, "vector %u", i);
		cr_assert_eq(npu_weights_decode(NULL, best->next, &t, stream, bytes, out, 64, &n), NPU_WEIGHTS_OK);
		cr_assert_eq(n, vectors[i].count);
		cr_assert_eq(memcmp(out, vectors[i].weight, n * sizeof(*out)), 0, "vector %u", i);
	}
}

static void set_bits(u8 *data, u64 at, unsigned n, u32 value)
{
	for (unsigned i = 0; i < n; i++, at++) {
		data[at >> 3] &= (u8)~(1u << (at & 7));
		data[at >> 3] |= (u8)((value >> i & 1) << (at & 7));
	}
}

/* Ones have density `ones`/256. */
static void random_bits(struct rng *r, u8 *data, u32 bytes, u32 ones)
{
	memset(data, 0, bytes);
	for (u32 i = 0; i < bytes; i++)
		for (unsigned b = 0; b < 8; b++)
			data[i] |= (u8)((rng_below(r, 256) < ones) << b);
}

/* A stream that starts with a legal header. */
static u32 random_stream(struct rng *r, u8 *data, u32 room)
{
	static const u8 densities[] = { 8, 64, 128, 160, 192, 240, 254 };
	static const u8 zdivs[] = { 0, 1, 2, 3, 6, 6, 6, 6 };
	static const u8 wdivs[] = { 0, 1, 2, 3, 4, 5, 7, 7 };
	u32 bytes = rng_below(r, 8) ? 1 + rng_below(r, room) : 1 + rng_below(r, 40);
	u32 ones = densities[rng_below(r, ARRAY_LEN(densities))];

	memset(data, 0, room);
	random_bits(r, data, bytes, ones);
	if (bytes < 8)
		return bytes;
	set_bits(data, 0, 3, zdivs[rng_below(r, 8)]);
	set_bits(data, 3, 15, rng_below(r, 2) ? rng_below(r, 300) : rng_below(r, 32768));
	set_bits(data, 18, 3, wdivs[rng_below(r, 8)]);
	set_bits(data, 21, 2, rng_below(r, 4));
	if (rng_below(r, 2))
		set_bits(data, 28, 5, rng_below(r, 2) ? rng_below(r, 32) : 0);
	if (rng_below(r, 2))
		set_bits(data, 33, 3, rng_below(r, 8));
	return bytes;
}

enum { ROOM = 20000, CAPACITY = 200000 };

/* Both decoders, and what they made of the last stream. */
struct decoders {
	struct npu_weights_tables tables;
	const struct npu_simd *level[8];
	unsigned levels;
	u8 *data;
	i16 *plain, *fast;
};

static struct decoders decoders_new(void)
{
	struct decoders x = { .data = calloc(ROOM + NPU_WEIGHTS_SLACK, 1),
			      .plain = malloc(CAPACITY * sizeof(i16)),
			      .fast = malloc(CAPACITY * sizeof(i16)) };

	npu_weights_tables_init(&x.tables);
	x.levels = npu_simd_list(x.level);
	return x;
}

static void decoders_free(struct decoders *x)
{
	free(x->data);
	free(x->plain);
	free(x->fast);
}

/* The number of weights that both made of x->data, each level in its turn. */
static size_t agree(struct decoders *x, unsigned round, u32 bytes, size_t capacity)
{
	size_t plain, fast;
	const enum npu_weights_status a = npu_weights_decode_plain(NULL, x->data, bytes, x->plain, capacity, &plain);
	const enum npu_weights_status b =
		npu_weights_decode(NULL, x->level[round % x->levels]->next, &x->tables, x->data, bytes, x->fast, capacity, &fast);

	cr_assert_eq(a, b, "round %u: status %d %d", round, a, b);
	cr_assert_eq(plain, fast, "round %u: count %zu %zu", round, plain, fast);
	cr_assert_eq(memcmp(x->plain, x->fast, plain * sizeof(i16)), 0, "round %u", round);
	if (a == NPU_WEIGHTS_OK)
		decoded_to_bytes(x->level[round % x->levels], &x->tables, x->data, bytes, x->plain, plain);
	return plain;
}

Test(weights, decoders_agree_on_random_streams)
{
	struct decoders x = decoders_new();
	struct rng r = { 1 };
	unsigned good = 0;

	for (unsigned round = 0; round < 3000; round++) {
		const u32 bytes = random_stream(&r, x.data, rng_below(&r, 4) ? 600 : ROOM);
		const size_t capacity = rng_below(&r, 2) ? CAPACITY : rng_below(&r, 4000);
		memset(x.data + bytes, (int)rng_below(&r, 256), NPU_WEIGHTS_SLACK);
		good += agree(&x, round, bytes, capacity) > 100;
	}
	cr_assert_gt(good, 500); /* else the test looks at refusals only */
	decoders_free(&x);
}

/* Slices that are long with their zeros, which every decoder delivers in pieces: weights lie on both sides of where one ends. */
Test(weights, decoders_agree_where_pieces_end)
{
	struct decoders x = decoders_new();
	struct rng r = { 3 };
	unsigned long_ones = 0;

	for (unsigned round = 0; round < 200; round++) {
		random_bits(&r, x.data, ROOM, 4 + rng_below(&r, 60));
		set_bits(x.data, 0, 3, rng_below(&r, 2));
		set_bits(x.data, 3, 15, 28000 + rng_below(&r, 4768));
		set_bits(x.data, 18, 3, rng_below(&r, 2));
		set_bits(x.data, 21, 2, 0);
		long_ones += agree(&x, round, ROOM, CAPACITY) > 32768;
	}
	cr_assert_gt(long_ones, 50);
	decoders_free(&x);
}

/* Zeros before the first weight, up to more than the digits of a chunk tell. */
Test(weights, decoders_agree_on_leading_zeros)
{
	struct decoders x = decoders_new();
	struct rng r = { 4 };

	for (unsigned round = 0; round < 36 * x.levels; round++) {
		const unsigned zeros = round / x.levels;
		random_bits(&r, x.data, ROOM, 4);
		set_bits(x.data, 0, 3, 0); /* runs without remainders */
		set_bits(x.data, 3, 15, 20000);
		set_bits(x.data, 18, 3, 0); /* nor have weights any, the first twelve of which have one digit each */
		set_bits(x.data, 21, 2, 2);
		set_bits(x.data, 23, 5, 2); /* no index is 0 */
		set_bits(x.data, 28, 20, 0);
		for (unsigned i = 0; i < 36; i++)
			set_bits(x.data, 48 + i, 1, i < zeros);
		cr_assert_gt(agree(&x, round, ROOM, CAPACITY), 20000);
		for (unsigned i = 0; i <= zeros; i++)
			cr_assert_eq(x.plain[i] == 0, i < zeros, "%u zeros, weight %u: %d", zeros, i, x.plain[i]);
	}
	decoders_free(&x);
}

/* A slice whose first weight has a code of `digits` digits that go on, and an end; zeros behind it. */
static void one_long_code(u8 *data, bool runs, u32 width, u32 digits)
{
	u64 at = 23;

	memset(data, 0, ROOM);
	set_bits(data, 0, 3, runs ? 0 : 6);
	set_bits(data, 3, 15, 299);
	set_bits(data, 18, 3, width);
	for (u32 n; digits; digits -= n, at += n) {
		n = digits < 12 ? digits : 12;
		set_bits(data, at, n, UINT32_MAX);
		at += runs && at == 23 ? 24 : 12; /* then the runs are ahead */
		set_bits(data, at, n, UINT32_MAX);
	}
}

/* An index of 2^16 is not one of 0. */
Test(weights, decoders_agree_on_codes_that_wrap)
{
	struct decoders x = decoders_new();

	for (unsigned round = 0; round < 6 * x.levels; round++) {
		const unsigned kind = round / x.levels;
		one_long_code(x.data, kind % 2, 3 + kind / 2, 32768u >> (3 + kind / 2));
		cr_assert_eq(agree(&x, round, ROOM, CAPACITY), 0);
		one_long_code(x.data, kind % 2, 3 + kind / 2, 7);
		cr_assert_geq(agree(&x, round, ROOM, CAPACITY), 300);
	}
	decoders_free(&x);
}

static struct npu_weights_shape random_shape(struct rng *r)
{
	struct npu_weights_shape s = { .od = 1 + rng_below(r, 70) };

	s.kh = 1 + rng_below(r, 10);
	s.kw = 1 + rng_below(r, 10);
	s.id = 1 + rng_below(r, 70);
	s.ublock_d = rng_below(r, 2) ? 8 : 4;
	s.dilation_y = (u8)(1 + rng_below(r, 2));
	s.dilation_x = (u8)(1 + rng_below(r, 2));
	s.ifm_bits = rng_below(r, 2) ? 8 : 16;
	s.part_kernel = rng_below(r, 2);
	s.depthwise = rng_one_in(r, 4);
	s.block_d = rng_below(r, 4) ? s.ublock_d * (1 + rng_below(r, 6)) : 1 + rng_below(r, 40);
	if (s.depthwise) {
		s.id = 1;
		s.part_kernel = false;
	}
	return s;
}

Test(weights, sorters_agree)
{
	struct rng r = { 2 };
	for (unsigned round = 0; round < 300; round++) {
		struct npu_weights_shape s = random_shape(&r);
		u64 n = npu_weights_stream_count(&s);
		size_t row = (size_t)s.kh * s.kw * s.id, step = row * (1 + rng_below(&r, 2));
		i16 *stream = malloc(n * sizeof(i16));
		i16 *a = calloc(step * s.od, sizeof(i16)), *b = calloc(step * s.od, sizeof(i16));
		for (u64 i = 0; i < n; i++)
			stream[i] = (i16)(i % 32749 + 1);
		npu_weights_sort_plain(&s, stream, a, step);
		npu_weights_sort(&s, stream, b, step);
		cr_assert_eq(memcmp(a, b, step * s.od * sizeof(i16)), 0, "round %u", round);
		for (u32 o = 0; o < s.od; o++)
			for (size_t k = 0; k < row; k++)
				cr_assert_neq(a[o * step + k], 0, "round %u: hole", round);
		free(stream);
		free(a);
		free(b);
	}
}

/* One core's stream in groups of 16 channels, `taps` weights side by side, as bytes or int16, as they are put there and as they belong there. */
static void packed_agrees(struct rng *r, const struct npu_weights_shape *s, const struct npu_simd *level, u32 cores, u32 taps, unsigned round)
{
	const u64 n = npu_weights_stream_count(s);
	const size_t row = (size_t)s->kh * s->kw * s->id, step = (row + taps - 1) / taps * taps * 16, count = (s->od * cores + 15) / 16 * step;
	const size_t bytes = count * (4 / taps);
	const u32 core = rng_below(r, cores);
	i16 *stream = malloc(n * sizeof(*stream)), *plain = calloc(row * s->od, sizeof(*plain)), *a = calloc(count, sizeof(*a)), *b = calloc(count, sizeof(*b));
	const struct npu_weights_target to = { .out = b, .step = step, .core = core, .cores = cores, .order = taps == 4 ? level->order_i8 : level->order_i16,
					       .groups = level->order_groups_i8 };

	for (u64 i = 0; i < n; i++)
		stream[i] = taps == 4 ? (i8)rng_next(r) : (i16)rng_next(r);
	npu_weights_sort_plain(s, stream, plain, row);
	for (u32 o = 0; o < s->od; o++)
		for (size_t k = 0; k < row; k++)
			a[(o * cores + core) / 16 * step + k / taps * 16 * taps + (o * cores + core) % 16 * taps + k % taps] = plain[o * row + k];
	struct npu_weights_source source = npu_weights_source_of(stream, n);
	if (taps == 4) {
		npu_weights_to_bytes(a, count);
		npu_weights_to_bytes(stream, n);
		source.narrow = true;
	}
	cr_assert(npu_weights_pack(s, &source, taps, &to));
	cr_assert_eq(memcmp(a, b, bytes), 0, "round %u, %s", round, level->name);
	free(source.joined);
	free(stream);
	free(plain);
	free(a);
	free(b);
}

Test(weights, packed_as_sorted)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 8 };

	for (unsigned round = 0; round < 1200; round++) {
		struct npu_weights_shape s = random_shape(&r);
		if (s.depthwise)
			continue;
		if (rng_below(&r, 3)) { /* whole runs, mostly of few taps */
			s.id = 8 * (1 + rng_below(&r, 12));
			s.kh = 1 + s.kh / 4;
			s.kw = 1 + s.kw / 4;
		}
		packed_agrees(&r, &s, level[round % levels], 1 + rng_below(&r, 2), rng_below(&r, 2) ? 4 : 2, round);
	}
}

Test(weights, positions_of_the_reference)
{
	/* depth first, 8 bit, OFM depth 3, kernel 1x3, IFM depth 2 */
	static const int expected[18] = { 0, 1, 256, 257, 512, 513, 8, 9, 264, 265, 520, 521,
					  16, 17, 272, 273, 528, 529 };
	struct npu_weights_shape s = { .od = 3, .kh = 1, .kw = 3, .id = 2, .block_d = 16,
				       .ublock_d = 8, .dilation_y = 1, .dilation_x = 1, .ifm_bits = 8 };
	i16 stream[768], out[18];
	cr_assert_eq(npu_weights_stream_count(&s), 768);
	for (int i = 0; i < 768; i++)
		stream[i] = (i16)i;
	npu_weights_sort_plain(&s, stream, out, 6);
	for (int i = 0; i < 18; i++)
		cr_assert_eq(out[i], expected[i]);
	/* 3x3, part kernel first: o=1, y=2, x=1, i=1 */
	i16 big[54];
	s.kh = 3;
	s.part_kernel = true;
	cr_assert_eq(npu_weights_stream_count(&s), 768);
	npu_weights_sort_plain(&s, stream, big, 18);
	cr_assert_eq(big[18 + (2 * 3 + 1) * 2 + 1], 457);
	/* depthwise, 10 channels, 3x3: channel 9, y=0, x=1 */
	i16 dw[90];
	s = (struct npu_weights_shape) { .od = 10, .kh = 3, .kw = 3, .id = 1, .block_d = 16,
		.ublock_d = 8, .dilation_y = 1, .dilation_x = 1, .ifm_bits = 8, .depthwise = true };
	cr_assert_eq(npu_weights_stream_count(&s), 192);
	npu_weights_sort_plain(&s, stream, dw, 9);
	cr_assert_eq(dw[9 * 9 + 1], 105);
}
