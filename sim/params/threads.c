/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/threads.h"

#include <sched.h>

#include "npu/kernels/team.h"
#include "sim/params/values.h"

enum { DEFAULT_MOST = 8 };

unsigned threads_default(void)
{
	cpu_set_t allowed;
	const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;

	return cores < DEFAULT_MOST ? (unsigned)cores : DEFAULT_MOST;
}

bool threads_parse(const char *text, unsigned *out)
{
	u64 n;

	if (!value_u64(text, &n) || n < 1 || n > NPU_TEAM_MOST)
		return false;
	*out = (unsigned)n;
	return true;
}
