/* SPDX-License-Identifier: Apache-2.0 */
/* Random convolutions and depthwises of maps that are one pixel wide, which are done as maps one pixel high, against the generic path on every level
 * of the host: all of memory must be equal afterwards. */
#include <criterion/criterion.h>

#include "npu/kernels/conv/turned.h"
#include "tests/kernels/one_kernel.h"

static void run(enum npu_kind kind, u64 seed, const char *accelerator)
{
	const unsigned rounds = rounds_of(150);
	struct one_kernel b;

	one_kernel_open(&b, npu_fast_turned, accelerator);
	one_kernel_add_levels(&b);
	one_kernel_random(&b, &(struct one_kernel_draws){ .kind = kind, .seed = seed, .rounds = rounds, .least = rounds / 2, .is_wanted = npu_turns });
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
