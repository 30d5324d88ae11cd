/* SPDX-License-Identifier: Apache-2.0 */
/* --cpu-memory: what the board's memories cost the processor, where its timing is estimated. */
#ifndef SIM_CPU_MEMORIES_H
#define SIM_CPU_MEMORIES_H

#include "sim/config.h"
#include "sim/failure.h"

#define CPU_MEMORY_IDEAL "ideal" /* all as fast as the TCMs */

/* Reads config->cpu_memory (NULL: ideal) into config->cpu, once board and timing are known. Else a line in `why`. */
enum failure cpu_memories_find(struct machine_config *config, char *why, size_t why_size);

/* cpu_config.taken: the share of the memory at addr that the NPU takes for the operation under way. */
u32 cpu_memories_taken(void *machine, u32 addr);

#endif
