/* SPDX-License-Identifier: Apache-2.0 */
/* Pools of U85 that leave elements as they are, to tensors that are transposed or reversed: maps of any layout, tiles, strides, on top of each other,
 * the first time and again, against the generic path. All of memory must be equal afterwards. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/private.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/job.h"
#include "tests/kernels/random_parts85.h"

enum { ROUNDS = 600, TIMES = 3, FILLED = 1 << 19 };

struct bench {
	const struct npu_config *config;
	struct npu_kernels *kernels;
	struct arena arena;
	u8 *expected, *actual;
	unsigned through, at_once; /* results that went to memory of the kernels' own, and all others that are turned */
};

static void draw_order(struct rng *r, struct npu_op *op)
{
	static const u8 orders[] = { 0, 1, 2, 3, 6, 7 };
	struct npu_fm *const stored = &op->u85.stored;
	const u32 h = op->ofm.height, w = op->ofm.width, c = op->ofm.depth;

	op->u85.transpose = orders[rng_below(r, ARRAY_LEN(orders))];
	op->u85.reverse = (u8)(rng_below(r, 2) ? 0 : rng_below(r, 4));
	*stored = op->ofm;
	switch (op->u85.transpose) {
	case 1: set_size(stored, w, h, c); break;
	case 2: set_size(stored, h, c, w); break;
	case 3: set_size(stored, w, c, h); break;
	case 6: set_size(stored, c, h, w); break;
	case 7: set_size(stored, c, w, h); break;
	default: break;
	}
}

/* A map, and where it lies. */
static void place(struct rng *r, struct arena *a, struct npu_fm *fm, const u8 *tile[NPU_TILES])
{
	u8 *to[NPU_TILES] = { NULL };

	random_map(r, a, fm, to);
	memcpy(tile, to, sizeof(to));
}

/* Elements of a window of one, or accumulators that wait. */
static void draw_operand(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const bool accumulators = op->ofm.bytes == 4 && rng_below(r, 2), strides = !accumulators && rng_one_in(r, 4);

	op->mode = accumulators ? NPU_POOL_NONE : NPU_POOL_SUM;
	op->kernel_h = op->kernel_w = op->dilation_y = op->dilation_x = 1;
	op->stride_y = (u8)(1 + (strides ? rng_below(r, 2) : 0));
	op->stride_x = (u8)(1 + (strides ? rng_below(r, 2) : 0));
	op->ifm = op->ofm;
	op->ifm.height = op->up_height = (op->ofm.height - 1) * op->stride_y + 1;
	op->ifm.width = op->up_width = (op->ofm.width - 1) * op->stride_x + 1;
	if (accumulators) {
		op->u85.acc_input = NPU85_ACC_IFM2;
		op->ifm2 = op->ofm;
		place(r, a, &op->ifm2, view->ifm2);
	} else {
		place(r, a, &op->ifm, view->ifm);
	}
}

/* What is stored first may be what is read last. */
static void place_on_operand(struct npu_op *op, struct npu_view *view)
{
	const struct npu_fm *from = op->mode == NPU_POOL_NONE ? &op->ifm2 : &op->ifm;
	const u8 *const at = op->mode == NPU_POOL_NONE ? view->ifm2[0] : view->ifm[0];

	if (from->tiled || from->stride_y < 0)
		return;
	npu85_map_packed(&op->u85.stored);
	memset(view->ofm, 0, sizeof(view->ofm));
	view->ofm[0] = (u8 *)at;
}

static void draw(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	const u8 bytes = (u8)(2 << rng_below(r, 2));
	u8 *to[NPU_TILES] = { NULL };

	*op = (struct npu_op){ .kind = NPU_POOL, .cores = 1, .acc_bits = 32, .block_h = 16, .block_w = 16, .block_d = 16, .output = NPU_OUT_RAW32,
			       .ofm = { .bytes = bytes, .is_signed = 1, .used = 1 }, .lo = INT16_MIN, .hi = INT16_MAX,
			       .u85 = { .enabled = 1, .clip_off = 1, .clip_signed = 1, .ofm_scale = { .scale = 1 } } };
	*view = (struct npu_view){ .lut = a->bytes + arena_take(a, NPU_LUT_BYTES) };
	const u32 height = 1 + rng_below(r, 9), width = 1 + rng_below(r, 20), depth = 1 + rng_below(r, 50);
	set_size(&op->ofm, height, width, depth);
	draw_operand(r, a, op, view);
	draw_order(r, op);
	random_map(r, a, &op->u85.stored, to);
	memcpy(view->ofm, to, sizeof(to));
	if (rng_one_in(r, 4))
		place_on_operand(op, view);
	op->ofm.tiled = op->u85.stored.tiled;
}

static void once(struct bench *b, const struct npu_op *op, const struct npu_view *view, struct npu_again *again, unsigned round)
{
	const struct npu_view slow = view_moved(view, b->arena.bytes, b->expected);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	struct npu85_carry carry = { 0 }, other = { 0 };

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	memcpy(b->actual, b->arena.bytes, b->arena.used);
	cr_assert_eq(npu85_exec(&e, &carry), NPU_EXEC_OK);
	if (!again->run || !npu_kernels_again(b->kernels, again))
		cr_assert(npu_kernels_first(b->kernels, op, again, &other), "round %u is refused", round);
	cr_assert_eq(memcmp(b->expected, b->actual, b->arena.used), 0, "round %u: %ux%ux%u of %u bytes, transpose %u, reverse %u, format %u to %u, mode %u, strides %u %u", round,
		     op->ofm.height, op->ofm.width, op->ofm.depth, op->ofm.bytes, op->u85.transpose, op->u85.reverse, op->ifm.format, op->u85.stored.format, op->mode, op->stride_y,
		     op->stride_x);
}

Test(transposed, copies)
{
	struct bench b = { .config = npu_config_find("ethos-u85-256"), .arena = { .bytes = calloc(1, ARENA_BYTES) }, .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES) };
	struct rng r = { 241 };

	b.kernels = npu_kernels_new(b.config, "auto");
	b.kernels->team = npu_team_new(2, 1);
	for (unsigned round = 0; round < rounds_of(ROUNDS); round++) {
		struct npu_op op;
		struct npu_view view;
		b.arena.used = FILLED;
		arena_fill(&b.arena, &r);
		draw(&r, &b.arena, &op, &view);
		const struct npu_view fast = view_moved(&view, b.arena.bytes, b.actual);
		struct npu_again *const again = npu_again_new(&fast);
		for (unsigned time = 0; time < TIMES; time++) {
			once(&b, &op, &view, again, round);
			rng_change(&r, b.arena.bytes, (u32)b.arena.used);
		}
		b.through += again->job != NULL;
		b.at_once += !again->job && (op.u85.transpose || op.u85.reverse);
		npu_again_free(again);
	}
	cr_expect(b.at_once > b.through && b.through > rounds_of(ROUNDS) / 20, "%u at once, %u through memory of our own", b.at_once, b.through);
	npu_kernels_free(b.kernels);
	free(b.arena.bytes);
	free(b.expected);
	free(b.actual);
}
