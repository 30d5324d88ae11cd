/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises of maps that are one pixel wide, which are done as maps one pixel high, against the generic path on every level
 * of the host: all of memory must be equal afterwards. */
#include <criterion/criterion.h>

#include "npu/kernels/conv/turned.h"
#include "npu/kernels/simd/simd.h"
#include "tests/kernels/one_kernel.h"

static void add_levels(struct one_kernel *b)
{
	const struct npu_simd *simd[8];

	b->levels = npu_simd_list(simd);
	for (unsigned l = 0; l < b->levels; l++)
		b->fast[l] = npu_kernels_new(b->config, simd[l]->name);
}

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(150);
	struct rng r = { seed };
	struct one_kernel b;

	one_kernel_open(&b, npu_fast_turned, accelerator);
	add_levels(&b);
	for (unsigned i = 0; i < rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b.config, kind, &b.arena, &op, &view);
		while (!npu_turns(&op));
		if (op.lo <= op.hi)
			one_kernel_compare(&b, i, &op, &view);
	}
	for (unsigned l = 0; l < b.levels; l++) {
		cr_log_info("kind %d level %s: %u of %u", kind, npu_kernels_name(b.fast[l]), b.done[l], rounds);
		cr_assert_gt(b.done[l], rounds / 2);
	}
	one_kernel_close(&b);
}

Test(turned, convolution)
{
	run(NPU_CONV, 121, "ethos-u55-128");
}

Test(turned, convolution_by_two_cores)
{
	run(NPU_CONV, 122, "ethos-u65-512");
}

Test(turned, depthwise)
{
	run(NPU_DEPTHWISE, 123, "ethos-u55-64");
}
