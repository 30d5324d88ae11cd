/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine/draw_waits.h"

void draw_waits(struct insn_random *r, struct cpu_config *config)
{
	static const u32 base[] = { 0, 0x10000000, 0x20000000, 0x30000000 };
	const u16 latency = (u16)insn_random_below(r, 30), beat = (u16)(1 + insn_random_below(r, 4));
	const unsigned untimed = insn_random_below(r, 8);

	config->timing = insn_random_below(r, 2) ? CPU_TIMING_M55 : CPU_TIMING_M85;
	config->icache_size = insn_random_below(r, 5) ? 128u << insn_random_below(r, 6) : 0;
	config->dcache_size = insn_random_below(r, 5) ? 256u << insn_random_below(r, 5) : 0;
	config->itcm_size_code = insn_random_below(r, 2) ? 5 : 0; /* 16 KiB in front of one of the memories: some of the code is there */
	const u32 itcm = config->itcm_size_code ? 0x4000 : 0;
	for (unsigned i = 0; i < ARRAY_LEN(base); i++) {
		const u32 skip = i < 2 ? itcm : 0;
		if (i / 2 != untimed)
			config->memories[config->memory_count++] = (struct cpu_memory){ base[i] + skip, 0x10000 - skip, latency, beat };
	}
}
