/* SPDX-License-Identifier: Apache-2.0 */
/* Draws memory systems of the processor. */
#ifndef TESTS_ENGINE_DRAW_WAITS_H
#define TESTS_ENGINE_DRAW_WAITS_H

#include "cpu/cpu.h"
#include "cpu/insn/encode.h"

/* Memories with wait states, one of which may be as fast as a TCM, the timing of a core, and caches of some size. */
void draw_waits(struct insn_random *r, struct cpu_config *config);

#endif
