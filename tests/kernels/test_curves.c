/* SPDX-License-Identifier: Apache-2.0 */
/* int16 through tables and through the units for tanh and sigmoid, at every host level against the formulas. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/arith.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/simd/simd.h"
#include "npu/sigmoid.h"
#include "tests/kernels/random.h"

enum { PIECES = 512, ELEMENTS = 1 << 12, GAP = 5 };

/* Rows that are not contiguous, as those of bricks. */
struct rows {
	struct npu_words_grid grid;
	i16 from[ELEMENTS], to[ELEMENTS];
};

static void random_rows(struct rng *r, struct rows *w)
{
	const size_t n = rng_one_in(r, 3) ? 16 : 1 + rng_below(r, rng_one_in(r, 2) ? 20 : 200), gap = rng_below(r, GAP);
	const i64 down = (i64)((n + gap) * sizeof(i16));

	for (unsigned i = 0; i < ELEMENTS; i++)
		w->from[i] = (i16)rng_next(r);
	memset(w->to, 0, sizeof(w->to));
	w->grid = (struct npu_words_grid){ .a = (u8 *)w->from, .to = (u8 *)w->to, .down_a = down, .down_to = down, .rows = 1 + rng_below(r, ELEMENTS / (u32)(n + gap)), .n = n };
}

/* As npu_curve16 says. */
static i32 curve_of(const struct npu_curve16 *c, const i32 *word, i64 v)
{
	const i64 in = npu_clamp(v + c->zero_point, c->lo, c->hi), piece = (in >> c->bits) + c->first;
	const i64 r = (i64)(i16)word[piece] * (1 << c->bits) + (word[piece] >> 16) * (in & ((1 << c->bits) - 1)) - (c->less && in < 0);
	const i64 out = (r + c->add) >> c->down;

	return c->wraps ? (i16)out : (i32)npu_clamp(out, c->least, c->most);
}

static struct npu_curve16 random_curve(struct rng *r, const i32 *word)
{
	const u8 bits = (u8)(7 + rng_below(r, 3));
	struct npu_curve16 c = { .table = word, .bits = bits, .down = bits == 9 ? 10 : bits, .first = 256, .less = bits > 7 };

	c.zero_point = rng_below(r, 2) ? 0 : rng_range(r, -300, 300);
	c.wraps = bits == 7 && rng_below(r, 2);
	c.add = bits == 9 ? 512 + (16384 << 10) : 1 << (bits - 1);
	c.lo = bits > 7 ? -((256 << bits) - 1) : rng_below(r, 2) ? INT16_MIN : rng_range(r, INT16_MIN, 0);
	c.hi = bits > 7 ? (256 << bits) - 1 : rng_below(r, 2) ? INT16_MAX : rng_range(r, 0, INT16_MAX);
	c.least = bits == 7 || rng_below(r, 2) ? INT16_MIN : rng_range(r, INT16_MIN, 0);
	c.most = bits == 7 || rng_below(r, 2) ? INT16_MAX : rng_range(r, 0, INT16_MAX);
	return c;
}

static i32 random_word(struct rng *r)
{
	const i32 word = (i32)rng_next(r);

	return rng_one_in(r, 8) ? (i32)(rng_below(r, 2) ? 0x80008000u : 0x7fff7fffu) : rng_one_in(r, 2) ? (word >> 20) * 65536 + (word & 0xffff) : word;
}

/* What stays between rows is left alone. */
static void expect_curve(const struct rows *w, const struct npu_curve16 *c, const i32 *word, i32 factor, i32 zero, const char *name)
{
	const size_t all = (size_t)w->grid.down_to / sizeof(i16);

	for (size_t i = 0; i < ELEMENTS; i++) {
		const bool within = i / all < w->grid.rows && i % all < w->grid.n;
		const i32 want = within ? curve_of(c, word, (i64)(w->from[i] - zero) * factor) : 0;
		cr_assert_eq(w->to[i], want, "level %s, bits %u, rows of %zu, element %zu: %d gives %d, not %d", name, c->bits, w->grid.n, i, w->from[i], w->to[i], want);
	}
}

/* Whatever the table has, and whether the level brings it into another form or not. */
Test(curves, curves_of_any_table)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 17 };
	unsigned done = 0;

	for (unsigned round = 0; round < 200; round++) {
		NPU_LINE u8 room[NPU_CURVE_BYTES];
		static struct rows w;
		i32 word[PIECES];
		for (unsigned i = 0; i < PIECES; i++)
			word[i] = random_word(&r);
		random_rows(&r, &w);
		struct npu_unary16 u = { .curved = true, .curve = random_curve(&r, word) };
		u.zero_point = rng_one_in(&r, 2) ? 0 : rng_range(&r, -300, 300);
		u.up.factor = rng_one_in(&r, 2) ? 1 : rng_range(&r, 2, 20);
		for (unsigned l = 0; l < levels; l++)
			for (unsigned way = 0; level[l]->unary16 && way < (level[l]->curve_bytes ? 2 : 1); way++) {
				u.curve.bytes = way && level[l]->curve_bytes(&u.curve, room) ? room : NULL;
				memset(w.to, 0, sizeof(w.to));
				level[l]->unary16(&u, &w.grid);
				expect_curve(&w, &u.curve, word, u.up.factor, u.zero_point, level[l]->name);
				done++;
			}
	}
	cr_assert(!npu_simd_find("avx2") || done);
}

/* Every int16 with several scales, neighbours far from each other. */
Test(curves, units)
{
	static const struct npu_scale scale[] = { { .scale = 1 }, { .scale = 3, .shift = 1 }, { .scale = 1717986918, .shift = 29, .first = 31 }, { .scale = 1400000000, .shift = 32, .first = 31, .round = NPU_ROUND_DBL } };
	static i16 from[1 << 16], to[1 << 16];
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	unsigned done = 0;

	for (unsigned i = 0; i < ARRAY_LEN(from); i++)
		from[i] = (i16)(i * 40503);
	for (unsigned round = 0; round < 4 * ARRAY_LEN(scale); round++) {
		struct npu_op op = { .kind = NPU_POOL, .mode = NPU_POOL_AVERAGE, .output = round & 1 ? NPU_OUT_TANH : NPU_OUT_SIGMOID, .lo = round & 2 ? -20000 : INT16_MIN, .hi = round & 2 ? 30000 : INT16_MAX };
		op.ifm = op.ofm = (struct npu_fm){ .height = 256, .width = 16, .depth = 16, .bytes = 2, .is_signed = 1 };
		const struct npu_scale s = scale[round / 4];
		for (unsigned l = 0; l < levels; l++) {
			const struct npu_sink sink = { .simd = level[l], .op = &op };
			const i64 down[] = { 32, 32 }, stride[] = { 2, 2 };
			u8 *const p[] = { (u8 *)to, (u8 *)from };
			NPU_LINE u8 room[NPU_CURVE_BYTES];
			i32 words[NPU_CURVE_WORDS];
			struct npu_unary16 u;
			if (!npu_unary16_init(&u, &sink, s, words))
				continue;
			npu_unary16_begin(&u, level[l], &op, room);
			cr_assert(npu_unary16_run(level[l], &u, &(struct npu_halves){ p, down, stride, ARRAY_LEN(from) / 16, 16 }));
			done++;
			for (unsigned i = 0; i < ARRAY_LEN(from); i++) {
				const i64 v = npu_scale_round(from[i], s);
				cr_assert_eq(to[i], npu_clamp(round & 1 ? npu_tanh(v) : npu_sigmoid(v), op.lo, op.hi), "round %u level %s: %d", round, level[l]->name, from[i]);
			}
		}
	}
	cr_assert(!npu_simd_find("avx2") || done);
}
