/* SPDX-License-Identifier: Apache-2.0 */
/* The accumulator behind an element, of random operations: the same operation whose output stage does nothing stores it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/inspect.h"
#include "npu/u85/arith.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_op.h"
#include "tests/kernels/random_op85.h"

#define FILLED_BYTES ((size_t)1 << 19)

struct bench {
	const struct npu_config *config;
	struct arena arena;
	struct rng rng;
	unsigned looked;
};

/* Stores accumulators, in plain order, to be freed; an average pool that divides stores quotients. */
static u8 *stored(const struct bench *b, struct npu_op op, struct npu_view view)
{
	struct npu_fm *ofm = op.u85.enabled ? &op.u85.stored : &op.ofm;
	struct npu_exec e = { .config = b->config, .op = &op, .view = &view };
	struct npu85_carry carry = { 0 };
	enum npu_exec_status status;

	op.ofm.bytes = ofm->bytes = op.u85.enabled ? 8 : 4;
	op.ofm.is_signed = ofm->is_signed = 1;
	op.ofm.zero_point = ofm->zero_point = 0;
	npu_inspect_plain(ofm);
	op.per_channel = 0;
	op.ofm_scale = (struct npu_scale){ .scale = 1, .round = NPU_ROUND_NATURAL };
	op.output = NPU_OUT_RAW32;
	op.lo = INT32_MIN;
	op.hi = INT32_MAX;
	op.u85.ofm_scale = (struct npu85_scale){ .scale = 1, .round = NPU85_NATURAL };
	op.u85.clip_off = 1;
	op.u85.table = NPU85_TABLE_NONE;
	memset(view.ofm, 0, sizeof view.ofm);
	view.ofm[0] = calloc((size_t)ofm->height * ofm->width * ofm->depth, ofm->bytes);
	status = op.u85.enabled ? npu85_exec(&e, &carry) : npu_exec_op(&e);
	cr_assert_eq(status, NPU_EXEC_OK);
	npu85_carry_free(&carry);
	return view.ofm[0];
}

/* Average pools that divide by the number of elements. */
static bool divides(const struct npu_op *op)
{
	return op->kind == NPU_POOL && op->mode == NPU_POOL_AVERAGE && (op->u85.enabled || op->divide_by_count);
}

static i64 quotient(const struct npu_op *op, i64 sum, u32 h, u32 w)
{
	const struct npu_op natural = { .u85.ofm_scale.round = NPU85_NATURAL };
	i64 count = 0;
	u32 y, x;

	for (u32 ky = 0; ky < op->kernel_h; ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++)
			count += npu_tap_at(op, h, w, ky, kx, &y, &x) != NPU_TAP_PADDING;
	if (op->u85.enabled)
		return npu85_wrap(npu85_average(&natural, sum, count), op->u85.acc48 ? 48 : 32);
	return count ? (sum >= 0 ? sum + count / 2 : sum - count / 2) / count : 0;
}

/* What the accumulator has beyond the products: nothing without a scale stream, else the bias of its channel. */
static void look(struct bench *b, const struct npu_op *op, const struct npu_view *view, const char *text)
{
	const struct npu_fm *ofm = npu_stored(op);
	u8 *all = stored(b, *op, *view);
	static i64 bias[65536]; /* the most channels that registers can say */
	static bool known[ARRAY_LEN(bias)];

	memset(known, 0, sizeof known);
	for (unsigned i = 0; i < 8; i++) {
		u32 y = rng_below(&b->rng, ofm->height), x = rng_below(&b->rng, ofm->width), c = rng_below(&b->rng, ofm->depth);
		u32 h = y, w = x, channel = c;
		const u8 *at = all + (((size_t)y * ofm->width + x) * ofm->depth + c) * (op->u85.enabled ? 8 : 4);
		i64 acc, products;

		cr_assert_eq(npu_inspect_accumulator(b->config, op, view, y, x, c, &acc), NPU_INSPECT_OK, "%s", text);
		if (op->u85.enabled)
			npu85_result_of(op, &h, &w, &channel);
		cr_assert_lt(channel, ARRAY_LEN(bias));
		if (divides(op))
			acc = quotient(op, acc, h, w);
		products = op->u85.enabled ? npu_load_element(&(struct npu_fm){ .bytes = 8, .is_signed = 1 }, at)
					   : npu_load_element(&(struct npu_fm){ .bytes = 4, .is_signed = 1 }, at);
		if (!op->u85.enabled && (products == INT32_MAX || products == INT32_MIN))
			continue; /* the store saturates */
		if (!known[channel])
			bias[channel] = acc - products;
		known[channel] = true;
		cr_assert_eq(acc - products, op->per_channel ? bias[channel] : 0, "%s: element %u %u %u: %lld, products %lld", text, y, x, c, (long long)acc,
			     (long long)products);
		b->looked++;
	}
	free(all);
}

static void run(const char *accelerator, enum npu_kind kind, unsigned rounds)
{
	struct bench b = { .config = npu_config_find(accelerator), .arena = { .bytes = calloc(1, ARENA_BYTES), .used = ARENA_BYTES }, .rng = { 77 + kind } };
	char text[1024];
	i64 acc;

	rounds = rounds_of(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		struct sequence s;
		struct npu_op op;
		struct npu_view view;

		b.arena.used = FILLED_BYTES;
		if (npu_config_find(accelerator)->product == NPU_U85) {
			arena_fill(&b.arena, &b.rng);
			sequence_start(&b.rng, &s, b.config, &b.arena);
			random_op85(&b.rng, &s, kind, false, &op, &view);
			op85_text(&op, text, sizeof text);
		} else {
			random_op(&b.rng, b.config, kind, &b.arena, &op, &view);
			*text = 0;
		}
		if (op.u85.acc_input == NPU85_ACC_KEEP)
			cr_assert_eq(npu_inspect_accumulator(b.config, &op, &view, 0, 0, 0, &acc), NPU_INSPECT_KEPT);
		else if (kind == NPU_ELEMENTWISE || kind == NPU_RESIZE || (kind == NPU_POOL && op.mode == NPU_POOL_NONE))
			cr_assert_eq(npu_inspect_accumulator(b.config, &op, &view, 0, 0, 0, &acc), NPU_INSPECT_NONE);
		else if (!divides(&op) || op.u85.acc_input == NPU85_ACC_RESET) /* else the quotient is added to what was there */
			look(&b, &op, &view, text);
	}
	cr_assert(kind == NPU_ELEMENTWISE || kind == NPU_RESIZE || b.looked > rounds, "only %u", b.looked);
	free(b.arena.bytes);
}

Test(inspect, convolution)
{
	run("ethos-u55-128", NPU_CONV, 100);
	run("ethos-u65-512", NPU_CONV, 100);
	run("ethos-u85-512", NPU_CONV, 100);
}

Test(inspect, depthwise)
{
	run("ethos-u55-128", NPU_DEPTHWISE, 100);
	run("ethos-u85-512", NPU_DEPTHWISE, 100);
}

Test(inspect, pool)
{
	run("ethos-u55-128", NPU_POOL, 100);
	run("ethos-u85-512", NPU_POOL, 100);
}

Test(inspect, others_have_none)
{
	run("ethos-u55-128", NPU_ELEMENTWISE, 20);
	run("ethos-u85-512", NPU_ELEMENTWISE, 20);
	run("ethos-u85-512", NPU_RESIZE, 20);
}

Test(inspect, chained_operands_are_not_in_memory)
{
	struct npu_op op = { .kind = NPU_ELEMENTWISE, .u85 = { .enabled = 1, .ifm2_chained = 1 } };
	i64 acc;

	cr_assert_eq(npu_inspect_accumulator(npu_config_find("ethos-u85-256"), &op, &(struct npu_view){ 0 }, 0, 0, 0, &acc), NPU_INSPECT_CHAINED);
}
