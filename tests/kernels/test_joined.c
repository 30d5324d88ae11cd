/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima of bytes in bricks whose planes lie one behind the other, at every host level against the generic path: windows of up to 16 columns that are
 * cut off at either end, results in any layout, with and without limits. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

enum { ROUNDS = 300, HEIGHT = 6, WIDTH = 40, DEPTH = 300, BYTES = HEIGHT * (WIDTH + 2) * (DEPTH + 16) };

struct rig {
	struct npu_op op;
	size_t bytes; /* of the map: nothing lies behind its last element */
	u8 *map;
	u8 right[BYTES], out[BYTES], lut[NPU_LUT_BYTES];
};

/* `more`: pixels between planes. */
static void bricks(struct npu_fm *fm, u32 h, u32 w, u32 depth, u32 more)
{
	const i64 plane = (i64)(w + more) * 16;

	*fm = (struct npu_fm){ .stride_y = plane * ((depth + 15) / 16), .stride_x = 16, .stride_c = plane, .height = h, .width = w, .depth = depth, .width0 = w,
			       .height0 = h, .height1 = h, .bytes = 1, .format = NPU_NHCWB16, .used = 1 };
}

static void draw(struct rng *r, struct rig *t)
{
	const u32 taps = 1 + rng_below(r, rng_below(r, 2) ? 3 : 16), down = 1 + rng_below(r, 3), height = down + rng_below(r, HEIGHT - down + 1);
	const u32 width = taps + rng_below(r, WIDTH - taps + 1), depth = 1 + rng_below(r, DEPTH), left = rng_below(r, taps), top = rng_below(r, down);
	const bool is_signed = rng_below(r, 2), limited = rng_one_in(r, 3);

	t->op = (struct npu_op){ .kind = NPU_POOL, .mode = NPU_POOL_MAX, .kernel_h = down, .kernel_w = taps, .stride_y = 1, .stride_x = 1, .dilation_y = 1,
				 .dilation_x = 1, .pad_top = (u8)top, .pad_bottom = (u8)(down - 1 - top), .pad_left = (u8)left, .pad_right = (u8)(taps - 1 - left),
				 .up_height = height, .up_width = width, .cores = 1, .block_d = 16, .acc_bits = 32, .output = NPU_OUT_CLAMP,
				 .ofm_scale = { .scale = 1, .first = 31, .round = NPU_ROUND_NATURAL } };
	t->op.lo = (is_signed ? -128 : 0) + (limited ? 40 : 0);
	t->op.hi = (is_signed ? 127 : 255) - (limited ? 40 : 0);
	bricks(&t->op.ifm, height, width, depth, rng_one_in(r, 6));
	bricks(&t->op.ofm, height, width, depth, rng_below(r, 2));
	t->op.ifm.is_signed = t->op.ofm.is_signed = is_signed;
	if (rng_one_in(r, 4)) {
		t->op.ofm.format = NPU_NHWC;
		t->op.ofm.stride_c = 1;
		t->op.ofm.stride_x = depth;
		t->op.ofm.stride_y = (i64)depth * width;
	}
	t->bytes = (size_t)((height - 1) * t->op.ifm.stride_y + (depth - 1) / 16 * t->op.ifm.stride_c + (width - 1) * 16 + (depth - 1) % 16 + 1);
	t->map = malloc(t->bytes);
	for (size_t i = 0; i < t->bytes; i++)
		t->map[i] = (u8)rng_next(r);
}

/* Whether the kernels took it. */
static bool compare(struct rig *t, unsigned round, struct npu_kernels *kernels)
{
	struct npu_view view = { .ifm = { t->map }, .ofm = { t->out }, .lut = t->lut };

	memset(t->out, 0x5a, sizeof(t->out));
	if (!npu_kernels_execute(kernels, &t->op, &view))
		return false;
	cr_assert_eq(memcmp(t->out, t->right, sizeof(t->out)), 0, "round %u level %s: %ux%ux%u under %ux%u, %u before", round, npu_kernels_name(kernels),
		     t->op.ifm.height, t->op.ifm.width, t->op.ifm.depth, t->op.kernel_h, t->op.kernel_w, t->op.pad_left);
	return true;
}

Test(joined, maxima)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	const struct npu_config *config = npu_config_find("ethos-u55-128");
	struct npu_kernels *kernels[8];
	static struct rig t;
	struct rng r = { 83 };
	unsigned mine = 0;

	for (unsigned l = 0; l < levels; l++)
		kernels[l] = npu_kernels_new(config, level[l]->name);
	for (unsigned round = 0; round < ROUNDS; round++) {
		draw(&r, &t);
		struct npu_view view = { .ifm = { t.map }, .ofm = { t.right }, .lut = t.lut };
		struct npu_exec e = { .config = config, .op = &t.op, .view = &view };
		memset(t.right, 0x5a, sizeof(t.right));
		cr_assert_eq(npu_exec_op(&e), NPU_EXEC_OK);
		for (unsigned l = 0; l < levels; l++)
			mine += compare(&t, round, kernels[l]);
		free(t.map);
	}
	for (unsigned l = 0; l < levels; l++)
		npu_kernels_free(kernels[l]);
	cr_assert_gt(mine * 4, ROUNDS * levels * 3, "only %u of %u", mine, ROUNDS * levels);
}
