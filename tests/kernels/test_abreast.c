/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises of few output channels, whose pixels are done as channels of one, against the generic path on every
 * level of the host: all of memory must be equal afterwards. Most results lie as networks have them. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/kernels/conv/abreast.h"
#include "tests/kernels/one_kernel.h"

/* Pixels side by side, for three of four. */
static bool place_results(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	struct npu_fm *const ofm = &op->ofm;
	const bool brick = rng_one_in(r, 3);

	if (rng_one_in(r, 4))
		return !ofm->tiled;
	ofm->format = brick ? NPU_NHCWB16 : NPU_NHWC;
	ofm->stride_c = ofm->bytes;
	ofm->stride_x = (i64)(brick ? 16 : ofm->depth) * ofm->bytes;
	ofm->stride_y = ofm->stride_x * ofm->width;
	ofm->width0 = ofm->width;
	ofm->height0 = ofm->height1 = ofm->height;
	ofm->tiled = ofm->stacked = 0;
	memset(view->ofm, 0, sizeof(view->ofm));
	view->ofm[0] = a->bytes + arena_take(a, (size_t)ofm->stride_y * ofm->height + 64);
	return true;
}

/* Few channels of many have kernels of their own (few.h). */
static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= 8 && (op->ofm.depth > NPU_FEW || op->ifm.depth < 16) && op->ofm.width > 1 && op->ofm.width * op->ofm.height >= 64 && !op->ifm.tiled && op->dilation_x == 1 && !op->upscale;
}

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(120);
	struct one_kernel b;

	one_kernel_open(&b, npu_fast_abreast, accelerator);
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = kind, .seed = seed, .rounds = rounds, .least = rounds / 6, .is_wanted = is_wanted,
							  .change = place_results });
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
