/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from one layout to another against element by element: sizes around those of squares and vectors, dimensions in any order on
 * both sides, bytes beside the elements untouched. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/move/copy_squares.h"
#include "tests/kernels/random.h"

enum { MOST = 40, AREA = MOST * MOST * 4 * 4 * 8 * 2, ROUNDS = 4000 };

/* Strides of a layout whose dimensions follow each other in a random order, with gaps now and then. */
static void layout(struct rng *r, const size_t n[NPU_COPY_DIMS], unsigned dims, unsigned bytes, i64 stride[NPU_COPY_DIMS])
{
	i64 step = bytes * (i64)(rng_one_in(r, 8) ? 2 : 1);
	bool done[NPU_COPY_DIMS] = { false };

	for (unsigned i = 0; i < dims; i++) {
		unsigned d = rng_below(r, dims);
		while (done[d])
			d = (d + 1) % dims;
		done[d] = true;
		stride[d] = step;
		step *= (i64)n[d];
		if (rng_one_in(r, 6) && step < AREA / 64)
			step += 3;
	}
}

static void expect(const struct npu_copy_dim *dim, unsigned dims, unsigned bytes, u8 *to, const u8 *from)
{
	if (dims == 0) {
		memcpy(to, from, bytes);
		return;
	}
	for (size_t i = 0; i < dim->n; i++)
		expect(dim + 1, dims - 1, bytes, to + (i64)i * dim->to, from + (i64)i * dim->from);
}

static u8 from[AREA], to[AREA], expected[AREA];

static struct rng begin(u64 seed)
{
	struct rng r = { seed };

	for (size_t i = 0; i < AREA; i++)
		from[i] = (u8)rng_next(&r);
	return r;
}

/* Copies what begins at `source`, compares all of the memory, and returns how it was done. */
static struct npu_copy_plan compare_from(const u8 *source, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes, unsigned round)
{
	const struct npu_view view = { 0 };
	struct npu_copy_plan plan;

	memset(to, 0x5a, AREA);
	memset(expected, 0x5a, AREA);
	expect(dim, dims, bytes, expected, source);
	npu_copy_plan(&plan, dim, dims, bytes);
	npu_copy_planned(&view, &plan, to, source);
	const bool same = memcmp(to, expected, AREA) == 0;
	for (unsigned d = 0; d < dims && !same; d++)
		cr_log_info("%zu, %lld bytes apart to %lld bytes apart", dim[d].n, (long long)dim[d].from, (long long)dim[d].to);
	cr_assert(same, "round %u: %u dimensions of elements of %u bytes", round, dims, bytes);
	return plan;
}

static struct npu_copy_plan compare(const struct npu_copy_dim *dim, unsigned dims, unsigned bytes, unsigned round)
{
	return compare_from(from, dim, dims, bytes, round);
}

Test(copy, layouts_of_any_order)
{
	struct rng r = begin(5);

	for (unsigned round = 0; round < ROUNDS; round++) {
		const unsigned dims = rng_below(&r, NPU_COPY_DIMS + 1), bytes = 1u << (rng_below(&r, 2) ? 0 : rng_below(&r, 4));
		size_t n[NPU_COPY_DIMS] = { 0 };
		i64 to_stride[NPU_COPY_DIMS], from_stride[NPU_COPY_DIMS];
		struct npu_copy_dim dim[NPU_COPY_DIMS];

		for (unsigned d = 0; d < dims; d++)
			n[d] = 1 + rng_below(&r, d < 2 ? MOST : dims > 4 ? 2 : 4);
		layout(&r, n, dims, bytes, to_stride);
		layout(&r, n, dims, bytes, from_stride);
		for (unsigned d = 0; d < dims; d++)
			dim[d] = (struct npu_copy_dim){ n[d], to_stride[d], rng_one_in(&r, 12) ? 0 : from_stride[d] };
		compare(dim, dims, bytes, round);
	}
}

/* Two or four lines that are brought together, or taken apart, in several rows. */
Test(copy, lines)
{
	struct rng r = begin(6);
	unsigned few = 0;

	for (unsigned round = 0; round < ROUNDS / 4; round++) {
		const unsigned bytes = 1u << rng_below(&r, 4), lines = 2u << rng_below(&r, 2), n = 1 + rng_below(&r, 70), rows = 1 + rng_below(&r, 5);
		const i64 apart = (i64)(bytes * (n + rng_below(&r, 9))), row = apart * lines + (i64)rng_below(&r, 9);
		const struct npu_copy_dim together[] = { { lines, bytes, apart }, { rows, row, row }, { n, (i64)(bytes * lines), bytes } };
		const struct npu_copy_dim asunder[] = { { n, bytes, (i64)(bytes * lines) }, { lines, apart, bytes }, { rows, row, row } };
		const struct npu_copy_dim *dim = rng_below(&r, 2) ? together : asunder;

		few += compare(dim, 3, bytes, round).few;
	}
	cr_expect_gt(few, ROUNDS / 8);
}

/* Two or four channels whose rows and columns change places as well; sides around those of blocks. */
Test(copy, turned)
{
	struct rng r = begin(7);
	unsigned turned = 0;

	for (unsigned round = 0; round < ROUNDS / 8; round++) {
		const unsigned bytes = 1u << rng_below(&r, 2), channels = 2u << rng_below(&r, 2), rows = 1 + rng_below(&r, 40);
		const unsigned columns = 1 + rng_below(&r, rng_below(&r, 3) ? 70 : 300);
		const i64 pixel = bytes * channels, row = pixel * columns + (i64)rng_below(&r, 9);
		const i64 column = (i64)(bytes * rows + rng_below(&r, 9)), plane = column * columns + (i64)rng_below(&r, 9);
		const struct npu_copy_dim all[] = { { rows, bytes, row }, { columns, column, pixel }, { channels, plane, bytes } };
		const unsigned first = rng_below(&r, 3), step = 1 + rng_below(&r, 2);
		const struct npu_copy_dim dim[] = { all[first], all[(first + step) % 3], all[(first + 2 * step) % 3] };

		turned += compare(dim, 3, bytes, round).turned;
	}
	cr_expect_gt(turned, ROUNDS / 16);
}

/* Bricks to channels side by side, or the other way round: groups of 16 bytes, in any number, whose pixels may be apart. */
Test(copy, groups)
{
	struct rng r = begin(9);

	for (unsigned round = 0; round < ROUNDS / 8; round++) {
		const unsigned bytes = 1u << rng_below(&r, 4), groups = 2 + rng_below(&r, 9), pixels = 2 + rng_below(&r, rng_one_in(&r, 8) ? 1200 : 70);
		const i64 pixel = 16 * (i64)groups + (i64)rng_below(&r, 2) * 16, brick = 16 + (i64)rng_below(&r, 2) * 3, group = brick * pixels + (i64)rng_below(&r, 9);
		const bool bricks_to = rng_below(&r, 2);
		const struct npu_copy_dim side[] = { { groups, 16, group }, { pixels, pixel, brick }, { 16 / bytes, bytes, bytes } };
		struct npu_copy_dim dim[3];

		for (unsigned d = 0; d < 3; d++)
			dim[d] = bricks_to ? (struct npu_copy_dim){ side[d].n, side[d].from, side[d].to } : side[d];
		compare(dim, 3, bytes, round);
	}
}

/* Bricks to channels side by side, or the other way round, of maps whose rows are pages: columns are copied together, not what is a page apart. */
Test(copy, rows_a_page_apart)
{
	struct rng r = begin(8);

	for (unsigned round = 0; round < ROUNDS / 16; round++) {
		const unsigned bytes = 1u << rng_below(&r, 3), groups = 2u << rng_below(&r, 2), columns = 8 + rng_below(&r, 9), rows = 9 + rng_below(&r, 16);
		const i64 group = 16 * (i64)bytes, pixel = group * groups, row = 4096, lines = (i64)columns * group;
		const bool bricks_to = rng_below(&r, 2);
		const struct npu_copy_dim bricks[] = { { rows, row, row * groups }, { groups, group, lines }, { columns, pixel, group }, { 16, bytes, bytes } };
		struct npu_copy_dim dim[4];

		for (unsigned d = 0; d < 4; d++)
			dim[d] = bricks_to ? (struct npu_copy_dim){ bricks[d].n, bricks[d].from, bricks[d].to } : bricks[d];
		const struct npu_copy_plan plan = compare(dim, 4, bytes, round);
		cr_assert(plan.dim[plan.dims - 2].to != bricks[0].to && plan.dim[plan.dims - 2].from != bricks[0].to, "round %u: %ux%u, %u groups, %u bytes", round,
			  rows, columns, groups, bytes);
	}
}

/* Rows and columns that change places, few of either; behind the elements there is no memory. */
Test(copy, squares)
{
	struct rng r = begin(9);
	unsigned squares = 0;

	for (unsigned round = 0; round < ROUNDS / 4; round++) {
		const unsigned bytes = 1u + rng_below(&r, 2), rows = 1 + rng_below(&r, 20), columns = 1 + rng_below(&r, 20), planes = 1 + rng_below(&r, 5);
		const unsigned gap = rng_below(&r, 2) ? 0 : bytes * rng_below(&r, 4), more = rng_below(&r, 2) ? 0 : rng_below(&r, 9);
		const i64 column = (i64)(bytes * rows + gap), row = (i64)(bytes * columns + gap);
		const i64 from_plane = column * columns + more, to_plane = row * rows + more;
		const struct npu_copy_dim dim[] = { { planes, to_plane, from_plane }, { rows, row, bytes }, { columns, bytes, column } };
		const size_t size = (size_t)(from_plane * (planes - 1) + column * (columns - 1) + bytes * rows);
		u8 *const source = memcpy(malloc(size), from, size);
		const struct npu_copy_plan plan = compare_from(source, dim, 3, bytes, round);
		squares += !plan.few && !plan.turned && npu_copy_is_squares(&plan.dim[plan.dims - 2], &plan.dim[plan.dims - 1], plan.bytes);
		free(source);
	}
	cr_expect_gt(squares, ROUNDS / 8);
}

/* The last element of each row becomes the first one. */
Test(copy, reversed)
{
	struct rng r = begin(10);

	for (unsigned round = 0; round < ROUNDS / 4; round++) {
		const unsigned bytes = 1u << rng_below(&r, 4), n = 1 + rng_below(&r, 70), rows = 1 + rng_below(&r, 9);
		const i64 step = (i64)bytes, row = step * n + (i64)rng_below(&r, 9);
		const bool down = rng_below(&r, 2);
		const struct npu_copy_dim dim[] = { { rows, step * n, down ? -row : row }, { n, step, -step } };
		const size_t size = (size_t)(row * (rows - 1) + step * n), first = (size_t)(step * (n - 1) + (down ? row * (rows - 1) : 0));
		u8 *const source = memcpy(malloc(size), from, size);

		compare_from(source + first, dim, 2, bytes, round);
		free(source);
	}
}
