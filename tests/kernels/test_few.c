/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions of bytes to a few channels, whose sums are made pixel by pixel, against the generic path on every level of the host that
 * has them, also with three threads: all of memory must be equal afterwards. */
#include <criterion/criterion.h>

#include "npu/kernels/conv/few.h"
#include "npu/kernels/team.h"
#include "tests/kernels/one_kernel.h"

static void add_levels(struct one_kernel *b)
{
	const struct npu_simd *simd[8];
	const unsigned levels = npu_simd_list(simd);

	for (unsigned l = 0; l < levels; l++)
		if (simd[l]->few_u8)
			b->fast[b->levels++] = npu_kernels_new(b->config, simd[l]->name);
	if (b->levels) {
		b->fast[b->levels] = npu_kernels_new(b->config, NULL);
		b->fast[b->levels++]->team = npu_team_new(3, 1);
	}
}

static bool is_wanted(const struct npu_op *op)
{
	return op->ofm.depth <= NPU_FEW && op->ifm.bytes == 1 && op->ofm.bytes == 1 && op->lo <= op->hi && op->ifm.height && op->ifm.width;
}

static bool run_fast(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_mac m;

	if (!npu_mac_init(&m, k, op, view) || !npu_mac_fits_32(&m))
		return false;
	npu_mac_start(&m, k);
	return npu_fast_few(k, &m);
}

static void run(u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(150);
	struct one_kernel b;

	one_kernel_open(&b, run_fast, accelerator);
	add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = NPU_CONV, .seed = seed, .rounds = rounds, .least = rounds / 6, .is_wanted = is_wanted });
	one_kernel_close(&b);
}

Test(few, one_core)
{
	run(111, "ethos-u55-128");
}

Test(few, two_cores)
{
	run(112, "ethos-u65-512");
}
