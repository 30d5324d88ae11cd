/* SPDX-License-Identifier: Apache-2.0 */
/* Random depthwises of few channels whose weights are all the same, as means over rows, columns, blocks and whole maps, against the generic path on every
 * level of the host: all of memory must be equal afterwards. */
#include <criterion/criterion.h>

#include "npu/kernels/conv/even.h"
#include "tests/kernels/one_kernel.h"
#include "tests/kernels/random_weights.h"

enum { MOST_PIXELS = 20000 };

static const struct npu_config *config; /* that streams are made for */

/* Windows beside each other, over whole rows or columns often. */
static void even_window(struct rng *r, struct npu_op *op)
{
	const bool rows = rng_below(r, 2), columns = !rows && rng_below(r, 2);

	op->kernel_h = 1 + rng_below(r, rows ? 2 : 60);
	op->kernel_w = 1 + rng_below(r, columns ? 2 : 60);
	op->ofm.height = 1 + rng_below(r, op->kernel_h > 8 ? 3 : 150);
	op->ofm.width = rows && rng_below(r, 4) ? 1 : 1 + rng_below(r, op->kernel_w > 8 ? 3 : 80);
	op->stride_y = (u8)(rng_below(r, 3) ? 1 : 1 + rng_below(r, 3));
	op->stride_x = (u8)(rng_below(r, 3) ? 1 : 1 + rng_below(r, 3));
	if (rng_one_in(r, 3)) {
		op->stride_y = (u8)op->kernel_h;
		op->stride_x = (u8)op->kernel_w;
	}
	op->dilation_y = (u8)(1 + rng_one_in(r, 6));
	op->dilation_x = (u8)(1 + rng_one_in(r, 12));
	op->pad_top = op->pad_left = op->pad_bottom = op->pad_right = 0;
	op->upscale = NPU_UPSCALE_NONE;
	op->up_height = op->ifm.height = (op->ofm.height - 1) * op->stride_y + (op->kernel_h - 1) * op->dilation_y + 1 + rng_below(r, 2);
	op->up_width = op->ifm.width = (op->ofm.width - 1) * op->stride_x + (op->kernel_w - 1) * op->dilation_x + 1 + rng_below(r, 2);
}

static bool make_even(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	even_window(r, op);
	if ((u64)op->ifm.height * op->ifm.width > MOST_PIXELS)
		return false;
	random_even_streams(r, config, a, op, view);
	random_places(r, a, op, view);
	return true;
}

static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth < 16 && op->ifm.bytes <= 2;
}

/* One for each row of results, of whole rows or the first pixels of them, one below the other. */
static bool make_means(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	even_window(r, op);
	op->ofm.width = 1;
	op->dilation_y = op->dilation_x = 1;
	op->ofm.height = 1 + rng_below(r, rng_below(r, 2) ? 1 : 90);
	op->kernel_h = op->ofm.height > 1 ? 1 + rng_below(r, 3) : op->kernel_h;
	op->stride_y = (u8)op->kernel_h;
	op->up_height = op->ifm.height = op->ofm.height * op->kernel_h + rng_below(r, 2);
	op->up_width = op->ifm.width = op->kernel_w + rng_below(r, 2);
	if ((u64)op->ifm.height * op->ifm.width > MOST_PIXELS / 4)
		return false;
	if (rng_below(r, 8))
		random_even_streams(r, config, a, op, view);
	else
		random_streams(r, config, a, op, view);
	random_places(r, a, op, view);
	return true;
}

static bool is_wanted_mean(const struct npu_op *op)
{
	return op->ofm.depth >= 16 && op->ifm.bytes == 1;
}

static bool has_sums(const struct npu_simd *simd)
{
	return simd->pixel_sums;
}

static void run_means(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(300);
	struct one_kernel b;

	config = npu_config_find(accelerator);
	one_kernel_open(&b, npu_fast_means, accelerator);
	one_kernel_add_levels_that(&b, has_sums);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_DEPTHWISE, .seed = seed, .rounds = rounds, .least = rounds / 6, .is_wanted = is_wanted_mean,
							  .change = make_means });
	one_kernel_close(&b);
}

Test(even, means_of_many_channels)
{
	run_means(133, "ethos-u55-128");
}

Test(even, means_of_two_cores)
{
	run_means(134, "ethos-u65-512");
}

static void run(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(200);
	struct one_kernel b;

	config = npu_config_find(accelerator);
	one_kernel_open(&b, npu_fast_even, accelerator);
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_DEPTHWISE, .seed = seed, .rounds = rounds, .least = rounds / 6, .is_wanted = is_wanted,
							  .change = make_even });
	one_kernel_close(&b);
}

Test(even, one_core)
{
	run(131, "ethos-u55-128");
}

Test(even, two_cores)
{
	run(132, "ethos-u65-512");
}
