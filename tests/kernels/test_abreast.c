/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises of few output channels, whose pixels are done as channels of one, against the generic path on every
 * level of the host: all of memory must be equal afterwards. Most results lie as networks have them. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/one_kernel.h"

static void add_levels(struct one_kernel *b)
{
	const struct npu_simd *simd[8];

	b->levels = npu_simd_list(simd);
	for (unsigned l = 0; l < b->levels; l++)
		b->fast[l] = npu_kernels_new(b->config, simd[l]->name);
}

/* Pixels side by side, for three of four. */
static void place_results(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	struct npu_fm *const ofm = &op->ofm;
	const bool brick = rng_one_in(r, 3);

	if (rng_one_in(r, 4))
		return;
	ofm->format = brick ? NPU_NHCWB16 : NPU_NHWC;
	ofm->stride_c = ofm->bytes;
	ofm->stride_x = (i64)(brick ? 16 : ofm->depth) * ofm->bytes;
	ofm->stride_y = ofm->stride_x * ofm->width;
	ofm->width0 = ofm->width;
	ofm->height0 = ofm->height1 = ofm->height;
	ofm->tiled = ofm->stacked = 0;
	memset(view->ofm, 0, sizeof(view->ofm));
	view->ofm[0] = a->bytes + arena_take(a, (size_t)ofm->stride_y * ofm->height + 64);
}

/* Few channels of many have kernels of their own (few.h). */
static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= 8 && (op->ofm.depth > NPU_FEW || op->ifm.depth < 16) && op->ofm.width > 1 && op->ofm.width * op->ofm.height >= 64 && !op->ifm.tiled && op->dilation_x == 1 && !op->upscale;
}

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(120);
	struct rng r = { seed };
	struct one_kernel b;

	one_kernel_open(&b, npu_fast_abreast, accelerator);
	add_levels(&b);
	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b.config, kind, &b.arena, &op, &view);
		while (!is_wanted(&op));
		place_results(&r, &b.arena, &op, &view);
		if (op.lo <= op.hi && !op.ofm.tiled)
			one_kernel_compare(&b, i, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++) {
		cr_log_info("kind %d level %s: %u of %u", kind, npu_kernels_name(b.fast[l]), b.done[l], rounds);
		cr_assert_gt(b.done[l], rounds / 6);
	}
	one_kernel_close(&b);
}

Test(abreast, convolution)
{
	run(NPU_CONV, 91, "ethos-u55-128");
}

Test(abreast, convolution_by_two_cores)
{
	run(NPU_CONV, 92, "ethos-u65-512");
}

Test(abreast, depthwise)
{
	run(NPU_DEPTHWISE, 93, "ethos-u55-64");
}
