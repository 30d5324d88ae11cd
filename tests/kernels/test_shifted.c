/* SPDX-License-Identifier: Apache-2.0 */
/* Random depthwises and convolutions of few channels, whose rows are lines of elements, against the generic path on every level of the host that has them, also with three
 * threads: all of memory must be equal afterwards. */
#include <criterion/criterion.h>

#include "npu/kernels/conv/shifted.h"
#include "npu/kernels/team.h"
#include "tests/kernels/one_kernel.h"
#include "tests/kernels/random_weights.h"

enum { MOST_ELEMENTS = 20000, LONG_ROW = 1100 };

static const struct npu_config *config; /* that streams are made for */

static void add_levels(struct one_kernel *b, bool convs)
{
	const struct npu_simd *simd[8];
	const unsigned levels = npu_simd_list(simd);
	const char *best = NULL;

	for (unsigned l = 0; l < levels; l++)
		if (simd[l]->put_line && !(convs && simd[l]->gemm_u8)) {
			best = best ? best : simd[l]->name;
			b->fast[b->levels++] = npu_kernels_new(b->config, simd[l]->name);
		}
	if (best) {
		b->fast[b->levels] = npu_kernels_new(b->config, best);
		b->fast[b->levels++]->team = npu_team_new(3, 1);
	}
}

/* Rows of a few elements to some that are stored in several parts. */
static bool make_few(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	op->ofm.width = 1 + rng_below(r, rng_one_in(r, 12) ? LONG_ROW : rng_below(r, 2) ? 20 : 120);
	op->ofm.height = 1 + rng_below(r, op->ofm.width > 120 ? 3 : 30);
	op->ofm.width += op->kind == NPU_CONV && rng_below(r, 8) ? 15 : 0;
	do
		random_window(r, op, rng_below(r, 3) ? 4 : 12);
	while (op->kind == NPU_CONV && (op->dilation_x == 1 || op->kernel_w == 1) && rng_below(r, 8)); /* others have holes at most */
	op->upscale = NPU_UPSCALE_NONE;
	op->ifm.height = op->up_height;
	op->ifm.width = op->up_width;
	if ((u64)op->ofm.width * op->ofm.depth * op->ofm.height > MOST_ELEMENTS || !op->ifm.height || !op->ifm.width)
		return false;
	random_streams(r, config, a, op, view);
	random_places(r, a, op, view);
	return true;
}

static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= 8 && op->ifm.bytes <= 2;
}

static bool is_wanted_conv(const struct npu_op *op)
{
	return op->ofm.depth <= 8 && op->ifm.depth <= 16 && op->ifm.bytes <= 2;
}

static void run_conv(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(250);
	struct one_kernel b;

	config = npu_config_find(accelerator);
	one_kernel_open(&b, npu_fast_conv_shifted, accelerator);
	add_levels(&b, true);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_CONV, .seed = seed, .rounds = rounds, .least = rounds / 8, .is_wanted = is_wanted_conv,
							  .change = make_few });
	one_kernel_close(&b);
}

static void run(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(250);
	struct one_kernel b;

	config = npu_config_find(accelerator);
	one_kernel_open(&b, npu_fast_depthwise_shifted, accelerator);
	add_levels(&b, false);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_DEPTHWISE, .seed = seed, .rounds = rounds, .least = rounds / 5, .is_wanted = is_wanted,
							  .change = make_few });
	one_kernel_close(&b);
}

Test(shifted, one_core)
{
	run(141, "ethos-u55-128");
}

Test(shifted, two_cores)
{
	run(142, "ethos-u65-512");
}

Test(shifted, convolutions)
{
	run_conv(143, "ethos-u55-128");
}

Test(shifted, convolutions_of_two_cores)
{
	run_conv(144, "ethos-u65-512");
}
