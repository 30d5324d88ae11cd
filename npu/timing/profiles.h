/* SPDX-License-Identifier: Apache-2.0 */
/* Named memory systems for estimates without a whole board; npu/timing/profiles.def. */
#ifndef NPU_TIMING_PROFILES_H
#define NPU_TIMING_PROFILES_H

#include "npu/timing/timing.h"

struct npu_memory_profile {
	const char *name;
	const char *system; /* the compiler's name for it, "" when it has none */
	const char *text;
	struct npu_adapter adapter[NPU_PORTS];
};

/* Ends with name NULL. */
extern const struct npu_memory_profile npu_memory_profiles[];

/* The system that published measurements of this accelerator used. */
const struct npu_memory_profile *npu_memory_profile_default(const struct npu_config *config);

/* Reads "NAME[,PORT.FIELD=VALUE]...": a profile or a system configuration by name (any letter case; a
 * longer name that begins with it will do), PORT sram or ext, FIELD a member of struct npu_adapter.
 * An empty name stands for `base`. False with a line in `why`. */
bool npu_memory_profile_parse(const char *text, const struct npu_memory_profile *base,
			      struct npu_memory_profile *out, char *why, size_t why_size);

#endif
