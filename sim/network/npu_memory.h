/* SPDX-License-Identifier: Apache-2.0 */
/* The memory system that options of a command line name, out of our list or a vela.ini of the user's. */
#ifndef SIM_NPU_MEMORY_H
#define SIM_NPU_MEMORY_H

#include "npu/timing/profiles.h"
#include "sim/failure.h"
#include "sim/network/npu_program.h"

/* Words of the command line; NULL: not given. */
struct npu_memory_words {
	const char *memory; /* a profile, changes behind commas; without a name they change `system` */
	const char *config; /* path of a vela.ini */
	const char *system; /* a System_Config of it */
	const char *mode;   /* a Memory_Mode of it, or one of ours */
};

/* A failure comes with one line in `why` that begins with the option. `mode_given`: a mode was named. */
enum failure npu_memory_find(const struct npu_memory_words *words, const struct npu_config *config, struct npu_memory_profile *out,
		    enum npu_memory_mode *mode, bool *mode_given, char *why, size_t why_size);

#endif
