/* SPDX-License-Identifier: Apache-2.0 */
/* The boards and what their files share. */
#ifndef SIM_BOARDS_BOARDS_H
#define SIM_BOARDS_BOARDS_H

#include "sim/board.h"

extern const struct board corstone_300, corstone_310, corstone_320;

/* Attribution of all SSE-3xx subsystems. */
void corstone_idau(u32 nsccfg, u32 addr, struct cpu_idau *out);

/* What the cores of all boards have in common (initialisers of struct cpu_config). */
#define CORSTONE_CPU                                                                \
	.timing = CPU_TIMING_IPC1, .engine = CPU_ENGINE_TAIL, .clock_hz = 25000000, \
	.irqs = 480, .priority_bits = 8,                                            \
	.mpu_s_regions = 8, .mpu_ns_regions = 8, .sau_regions = 8,                  \
	.icache_size = 64 * 1024, .dcache_size = 64 * 1024,                         \
	.fpu = true, .mve_int = true, .mve_fp = true, .dsp = true, .security = true,\
	.cpi_mul = 1, .cpi_div = 1

#endif
