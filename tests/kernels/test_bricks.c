/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of few elements, most of them bricks that are not full: maxima and minima, and tables of bytes, at every host level against plain C. What
 * lies between rows is left alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/rows/words.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/one_kernel.h"

enum { BYTES = 4096, ROUNDS = 3000, BRICK = 16 };

/* Three maps of bytes, the third being that of results, and where a row is in each. */
struct rows {
	u8 map[3][BYTES], before[BYTES];
	size_t n, rows, bytes; /* elements, rows, bytes of an element */
	i64 down[3];
};

static void draw(struct rng *r, struct rows *w, size_t bytes, size_t most)
{
	const bool bricks = rng_below(r, 2);

	for (unsigned m = 0; m < 3; m++)
		for (unsigned i = 0; i < BYTES; i++)
			w->map[m][i] = (u8)rng_next(r);
	memcpy(w->before, w->map[2], BYTES);
	w->bytes = bytes;
	w->n = 1 + rng_below(r, bricks ? BRICK - 1 : (u32)most);
	for (unsigned m = 0; m < 3; m++) {
		const size_t gap = rng_below(r, 9);
		w->down[m] = (i64)(bytes * (bricks ? BRICK : w->n + gap));
	}
	const size_t room = BYTES / ((most + BRICK) * bytes);
	w->rows = 1 + rng_below(r, (u32)room);
}

static const u8 *element(const struct rows *w, unsigned m, size_t row, size_t i)
{
	return w->map[m] + (i64)row * w->down[m] + i * w->bytes;
}

/* Byte i of the results: the element that it is of, or that it is between rows. */
static bool is_result(const struct rows *w, size_t i, size_t *row, size_t *at)
{
	*row = i / (size_t)w->down[2];
	*at = i % (size_t)w->down[2] / w->bytes;
	return *row < w->rows && *at < w->n;
}

static i32 value(const struct npu_extreme *e, const u8 *p)
{
	const u16 half = (u16)(p[0] | (e->bytes == 2 ? p[1] << 8 : 0));

	return e->bytes == 2 ? (i16)half : e->is_signed ? (i8)*p : *p;
}

static struct npu_extreme random_extreme(struct rng *r)
{
	const bool half = rng_below(r, 2), is_signed = half || rng_below(r, 2), all = rng_below(r, 2);
	const i32 least = half ? INT16_MIN : is_signed ? INT8_MIN : 0, most = least + (half ? UINT16_MAX : UINT8_MAX);
	const i32 lo = all ? least : rng_range(r, least, most);
	const i32 hi = all ? most : rng_range(r, lo, most);
	const bool larger = rng_below(r, 2);

	return (struct npu_extreme){ .bytes = half ? 2 : 1, .is_signed = is_signed, .most = larger, .lo = lo, .hi = hi };
}

static void expect_extremes(const struct rows *w, const struct npu_extreme *e, i64 step_b, const char *level)
{
	for (size_t i = 0; i < BYTES; i += w->bytes) {
		size_t row, at;
		if (!is_result(w, i, &row, &at)) {
			cr_assert_eq(memcmp(w->map[2] + i, w->before + i, w->bytes), 0, "level %s: byte %zu between rows of %zu", level, i, w->n);
			continue;
		}
		const i32 a = value(e, element(w, 0, row, at)), b = value(e, element(w, 1, row, step_b ? at : 0)), v = (a > b) == e->most ? a : b;
		const i32 want = v < e->lo ? e->lo : v > e->hi ? e->hi : v;
		cr_assert_eq(value(e, w->map[2] + i), want, "level %s, row %zu of %zu: element %zu of %d and %d is not %d", level, row, w->n, at, a, b, want);
	}
}

Test(bricks, extremes)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 31 };
	static struct rows w;

	for (unsigned l = 0; l < levels; l++) {
		unsigned done = 0;
		if (!level[l]->extremes)
			continue;
		for (unsigned round = 0; round < ROUNDS; round++) {
			const struct npu_extreme e = random_extreme(&r);
			draw(&r, &w, e.bytes, rng_below(&r, 2) ? 20 : 200);
			const i64 step_b = rng_one_in(&r, 4) ? 0 : e.bytes;
			if (!level[l]->extremes(&e, &(struct npu_words_grid){ .a = w.map[0], .b = w.map[1], .to = w.map[2], .down_a = w.down[0], .down_b = w.down[1],
									  .down_to = w.down[2], .step_b = step_b, .rows = w.rows, .n = w.n })) {
				cr_assert_eq(memcmp(w.map[2], w.before, BYTES), 0, "level %s: refused, but wrote", level[l]->name);
				continue;
			}
			done++;
			expect_extremes(&w, &e, step_b, level[l]->name);
		}
		cr_assert_gt(done, ROUNDS / 5, "level %s: only %u", level[l]->name, done);
	}
}

/* Whether a drawn operation's maps have elements of as many bytes, so that it may be one whose maps have one type. */
static bool has_one_size(const struct npu_op *op)
{
	return !op->unary && !op->ifm2_scalar && op->ifm.bytes <= 2 && op->ifm2.bytes == op->ifm.bytes && op->ofm.bytes == op->ifm.bytes;
}

/* Operations whose maps have the same type, but for a few. */
Test(bricks, extremes_of_maps)
{
	const struct npu_simd *level[8];
	struct rng r = { 34 };
	struct one_kernel b;
	unsigned drawn = 0;

	one_kernel_open(&b, npu_kernels_execute, "ethos-u55-128");
	b.levels = npu_simd_list(level);
	for (unsigned l = 0; l < b.levels; l++)
		b.fast[l] = npu_kernels_new(b.config, level[l]->name);
	for (unsigned round = 0; drawn < 300; round++) {
		struct npu_op op = { 0 };
		struct npu_view view = { 0 };
		random_op(&r, b.config, NPU_ELEMENTWISE, &b.arena, &op, &view);
		if (!has_one_size(&op))
			continue;
		const bool is_signed = op.ifm.bytes == 2 || rng_below(&r, 2);
		const i32 least = !is_signed ? 0 : op.ifm.bytes == 1 ? INT8_MIN : INT16_MIN, most = least + (op.ifm.bytes == 1 ? UINT8_MAX : UINT16_MAX);
		op.mode = rng_below(&r, 2) ? NPU_EW_MAX : NPU_EW_MIN;
		op.output = NPU_OUT_CLAMP;
		op.ofm_scale = (struct npu_scale){ .scale = 1, .first = 31 };
		op.lo = rng_below(&r, 2) ? least : rng_range(&r, least, most);
		op.hi = rng_below(&r, 2) ? most : rng_range(&r, op.lo, most);
		op.ifm.is_signed = op.ifm2.is_signed = op.ofm.is_signed = is_signed;
		op.ifm.zero_point = op.ifm2.zero_point = rng_range(&r, -100, 100);
		op.ofm.zero_point = op.ifm.zero_point + rng_one_in(&r, 8);
		drawn++;
		one_kernel_compare(&b, round, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++)
		cr_assert_gt(b.done[l], 150, "level %s: only %u", level[l]->name, b.done[l]);
	one_kernel_close(&b);
}

Test(bricks, tables)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 32 };
	static struct rows w;
	u8 table[256];

	for (unsigned l = 0; l < levels; l++)
		for (unsigned round = 0; level[l]->look_up_rows && round < ROUNDS; round++) {
			for (unsigned i = 0; i < 256; i++)
				table[i] = (u8)rng_next(&r);
			draw(&r, &w, 1, 40);
			if (!level[l]->look_up_rows(table, &(struct npu_byte_rows){ w.map[0], w.map[2], w.down[0], w.down[2], w.rows, w.n })) {
				cr_assert_eq(memcmp(w.map[2], w.before, BYTES), 0, "level %s: refused, but wrote", level[l]->name);
				continue;
			}
			for (size_t i = 0; i < BYTES; i++) {
				size_t row, at;
				const u8 want = is_result(&w, i, &row, &at) ? table[*element(&w, 0, row, at)] : w.before[i];
				cr_assert_eq(w.map[2][i], want, "level %s, rows of %zu, byte %zu", level[l]->name, w.n, i);
			}
		}
}
