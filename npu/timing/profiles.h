/* SPDX-License-Identifier: Apache-2.0 */
/* Named memory systems for estimates without a whole board; npu/timing/profiles.def. */
#ifndef NPU_TIMING_PROFILES_H
#define NPU_TIMING_PROFILES_H

#include "npu/timing/timing.h"

struct npu_memory_profile {
	const char *name, *text;
	struct npu_adapter adapter[NPU_PORTS];
};

/* Ends with name NULL. */
extern const struct npu_memory_profile npu_memory_profiles[];

/* By name, NULL when unknown. */
const struct npu_memory_profile *npu_memory_profile_find(const char *name);

#endif
