/* SPDX-License-Identifier: Apache-2.0 */
/* Random elementwise operations of U55 that softmaxes consist of, against the generic path on every level of the host: int16 as operands of
 * int32 results, int32 and sums of int16 through tables of int16, and all of int32 with itself. All of memory must be equal afterwards. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/kernels/one_kernel.h"

static bool has_two(const struct npu_op *op)
{
	return !op->unary && op->mode <= NPU_EW_SUB;
}

static bool is_of_halves(const struct npu_op *op)
{
	return has_two(op) && op->ifm.bytes == 2 && op->ifm.is_signed && op->ofm.bytes == 4 && op->output != NPU_OUT_LUT32;
}

static bool is_through_table(const struct npu_op *op)
{
	return has_two(op) && op->ifm.bytes == 4 && op->ofm.bytes == 2 && op->ofm.is_signed;
}

static bool is_of_words(const struct npu_op *op)
{
	return op->mode != NPU_EW_LRELU && op->mode != NPU_EW_ABS && op->ifm.bytes == 4 && op->ifm.is_signed && op->output != NPU_OUT_LUT16;
}

static bool is_sum_of_halves(const struct npu_op *op)
{
	const bool signs = op->ifm.is_signed && op->ifm2.is_signed && op->ofm.is_signed;

	return (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && !op->ifm2_scalar && op->ifm.bytes == 2 && op->ofm.bytes == 2 && signs;
}

static void as_they_are(struct rng *r, struct npu_op *op)
{
	static const u8 rounds[] = { NPU_ROUND_DBL, NPU_ROUND_TRUNCATE, NPU_ROUND_NATURAL };
	const struct npu_scale one = { .scale = 1, .first = 31 };

	op->ifm.zero_point = op->ifm2.zero_point = 0;
	op->operand_scaling = NPU_OPERANDS_16;
	op->opa = op->opb = op->ofm_scale = one;
	op->ofm_scale.round = rounds[rng_below(r, ARRAY_LEN(rounds))];
	if (op->mode == NPU_EW_MUL)
		op->ofm_scale.shift = (u8)(rng_one_in(r, 3) ? 0 : rng_below(r, 50));
	else if ((op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && op->ifm.bytes == 4)
		op->ofm_scale.shift = (u8)(rng_one_in(r, 3) ? 0 : rng_below(r, 34)); /* sums that may leave 32 bits before */
}

/* Products may have one operand of int32. */
static bool halves(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	as_they_are(r, op);
	if (op->mode == NPU_EW_MUL && !op->ifm2_scalar && rng_below(r, 2)) {
		op->ifm2.bytes = 4;
		u8 *tile[NPU_TILES] = { NULL };
		random_place(r, a, &op->ifm2, tile);
		for (unsigned i = 0; i < NPU_TILES; i++)
			view->ifm2[i] = tile[i];
	}
	return true;
}

static void look_up(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *const table = a->bytes + arena_take(a, NPU_LUT_BYTES);

	for (unsigned i = 0; i < NPU_LUT_BYTES; i++)
		table[i] = (u8)rng_next(r);
	view->lut = table;
	op->output = NPU_OUT_LUT16;
	op->lut_offset = 0;
}

/* With the scales that they have. */
static bool sum_through_table(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	look_up(r, a, op, view);
	return true;
}

/* int32 of any size, so that sums and products are anywhere on the table, whose pieces leave 16 bits now and then. */
static bool through_table(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const unsigned down = rng_below(r, 32);
	const u8 *const behind = a->bytes + a->used;

	as_they_are(r, op);
	for (u8 *p = a->bytes; p + sizeof(i32) <= behind; p += sizeof(i32)) {
		i32 word;
		memcpy(&word, p, sizeof(word));
		word >>= down;
		memcpy(p, &word, sizeof(word));
	}
	look_up(r, a, op, view);
	return true;
}

static i32 any_size(struct rng *r)
{
	const i32 word = (i32)rng_next(r);

	return word >> rng_below(r, 32);
}

/* Values of any size beside such that are distances, so that some results have no 32 bits and some leave the limits. */
static bool whole(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const unsigned down = rng_below(r, 24), few = rng_below(r, 3);
	const bool half = op->mode == NPU_EW_MUL && rng_one_in(r, 2);

	(void)view;
	as_they_are(r, op);
	for (u8 *p = a->bytes; p + sizeof(i32) <= a->bytes + a->used; p += sizeof(i32)) {
		i32 word;
		memcpy(&word, p, sizeof(word));
		word >>= (word & 3) < (i32)few ? 26 : down;
		memcpy(p, &word, sizeof(word));
	}
	if (half)
		op->ofm_scale.shift = (u8)rng_range(r, 28, 36); /* around the upper word */
	if (rng_below(r, 2))
		op->scalar = any_size(r);
	if (op->ofm.bytes == 4 && op->output == NPU_OUT_RAW32 && rng_below(r, 2)) {
		op->output = NPU_OUT_CLAMP;
		op->lo = any_size(r);
		op->hi = any_size(r);
	}
	return true;
}

static void run(u64 seed, const struct one_kernel_draws *draws)
{
	struct one_kernel_draws d = *draws;
	struct one_kernel b;

	d.kind = NPU_ELEMENTWISE;
	d.seed = seed;
	d.rounds = rounds_of(400);
	d.least = d.rounds / 2;
	one_kernel_open(&b, npu_kernels_execute, "ethos-u55-128");
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &d);
	one_kernel_close(&b);
}

Test(words, halves)
{
	run(131, &(struct one_kernel_draws){ .is_wanted = is_of_halves, .change = halves });
}

Test(words, through_table)
{
	run(132, &(struct one_kernel_draws){ .is_wanted = is_through_table, .change = through_table });
}

Test(words, whole)
{
	run(133, &(struct one_kernel_draws){ .is_wanted = is_of_words, .change = whole });
}

Test(words, sums_through_table)
{
	run(134, &(struct one_kernel_draws){ .is_wanted = is_sum_of_halves, .change = sum_through_table });
}
