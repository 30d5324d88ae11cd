/* SPDX-License-Identifier: Apache-2.0 */
/* Second operands with one element for each pixel, which are repeated for all channels: the vectors that do it, and random operations of which they are the
 * same in all rows, or not, or one pixel for a row, against the generic path on every level of the host. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/one_kernel.h"

enum { ROUNDS = 4000, RUNS = 140, MOST = 70, STEP = 9, FILL = 0x5a };

static void expect_repeated(const struct npu_simd *level, struct rng *r)
{
	static u8 from[RUNS * STEP], to[(RUNS * MOST + 16) * sizeof(i32)];
	const unsigned bytes = 1u << rng_below(r, 3);
	const i64 step = (i64)(bytes + (rng_below(r, 3) ? 0 : rng_below(r, STEP - bytes)));
	const size_t runs = 1 + rng_below(r, RUNS), n = 1 + rng_below(r, rng_below(r, 2) ? 16 : MOST), length = runs * n * bytes;

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (u8)rng_next(r);
	memset(to, FILL, sizeof(to));
	level->repeat(to, from, step, runs, n, bytes);
	for (size_t i = 0; i < length; i++)
		cr_assert_eq(to[i], from[(i64)(i / bytes / n) * step + i % bytes], "level %s: byte %zu of %zu elements of %u bytes, %zu times, %d apart", level->name, i, runs,
			     bytes, n, (int)step);
	for (size_t i = length; i < length + 16; i++)
		cr_assert_eq(to[i], FILL, "level %s: byte %zu behind %zu elements of %u bytes, %zu times", level->name, i - length, runs, bytes, n);
}

Test(repeated, elements)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng r = { 211 };

	for (unsigned l = 0; l < levels; l++)
		for (unsigned round = 0; level[l]->repeat && round < ROUNDS; round++)
			expect_repeated(level[l], &r);
}

static bool has_two_maps(const struct npu_op *op)
{
	return !op->unary && !op->ifm2_scalar;
}

static void place(struct rng *r, struct arena *a, struct npu_fm *fm, u8 *tile[NPU_TILES])
{
	const size_t before = a->used;

	memset(tile, 0, NPU_TILES * sizeof(*tile));
	random_place(r, a, fm, tile);
	for (size_t i = before; i < a->used; i++)
		a->bytes[i] = (u8)rng_next(r);
}

/* Few channels of many pixels; now and then a row's pixels have one second operand, with channels of its own. */
static bool by_pixel(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *ofm[NPU_TILES], *ifm[NPU_TILES], *ifm2[NPU_TILES];

	op->ofm.height = 1 + rng_below(r, 9);
	op->ofm.width = 1 + rng_below(r, rng_below(r, 2) ? 20 : 200);
	op->ofm.depth = 1 + rng_below(r, rng_below(r, 2) ? 8 : 60);
	op->ifm.height = op->ofm.height;
	op->ifm.width = op->ofm.width;
	op->ifm.depth = op->ofm.depth;
	op->ifm2.height = rng_below(r, 3) ? 1 : op->ofm.height;
	const bool one = rng_one_in(r, 4);
	op->ifm2.width = one ? 1 : op->ofm.width;
	op->ifm2.depth = one ? op->ofm.depth : 1;
	place(r, a, &op->ofm, ofm);
	place(r, a, &op->ifm, ifm);
	place(r, a, &op->ifm2, ifm2);
	for (unsigned i = 0; i < NPU_TILES; i++) {
		view->ofm[i] = ofm[i];
		view->ifm[i] = ifm[i];
		view->ifm2[i] = ifm2[i];
	}
	return true;
}

Test(repeated, operations)
{
	const unsigned rounds = rounds_of(500);
	struct one_kernel b;

	one_kernel_open(&b, npu_kernels_execute, "ethos-u55-128");
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_ELEMENTWISE, .seed = 212, .rounds = rounds, .least = rounds / 2, .is_wanted = has_two_maps,
							   .change = by_pixel });
	one_kernel_close(&b);
}
