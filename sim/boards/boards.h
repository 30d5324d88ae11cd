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
	.irqs = 480, .priority_bits = 3,                                            \
	.mpu_s_regions = 8, .mpu_ns_regions = 8, .sau_regions = 8,                  \
	.icache_size = 32 * 1024, .dcache_size = 32 * 1024, .tgu_block = {8, 8},    \
	.fpu = true, .mve_int = true, .mve_fp = true, .dsp = true, .security = true,\
	.cpi_mul = 1, .cpi_div = 1

/* The Cortex-M85 of SSE-310 and SSE-320. */
#define CORSTONE_M85                                                                \
	.model = CPU_CORTEX_M85, CORSTONE_CPU, .initsvtor = 0x11000000,             \
	.cpuid = 0x411fd230, /* r1p0 */                                             \
	.itcm_size_code = 6, .dtcm_size_code = 6

/* What every board's file says of its own tables (initialisers of struct board). */
#define CORSTONE_TABLES                                                             \
	.memories = memories, .memory_count = ARRAY_LEN(memories), .vm_banks = 2,   \
	.devices = devices, .device_count = ARRAY_LEN(devices),                     \
	.params = params, .idau = corstone_idau, .access_config = "SACFG"

#endif
