/* SPDX-License-Identifier: Apache-2.0 */
/* Memory systems of a vela.ini. */
#include "sim/network/npu_memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* What all ports of a kind move in the compiler's terms, each of ours moves a part of. */
Test(memory, ports_share_the_bandwidth_of_a_vela_ini)
{
	static const struct { const char *accelerator, *system; u32 sram, external; } rows[] = {
		{ "ethos-u55-128", "Ethos_U55_High_End_Embedded", 1000, 125 }, { "ethos-u85-512", "Ethos_U85_SYS_DRAM_Mid_512", 1000, 750 },
		{ "ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid_1024", 1000, 750 }, { "ethos-u85-2048", "Ethos_U85_SYS_DRAM_High_2048", 1000, 750 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct npu_memory_words words = { .config = getenv("SYSTEMS"), .system = rows[i].system };
		struct npu_memory_profile found;
		enum npu_memory_mode mode;
		bool given;
		char why[400];

		cr_assert_not(npu_memory_find(&words, npu_config_find(rows[i].accelerator), &found, &mode, &given, why, sizeof why), "%s", why);
		cr_expect_eq(found.adapter[0].cap, rows[i].sram, "%s: %u", rows[i].accelerator, found.adapter[0].cap);
		cr_expect_eq(found.adapter[1].cap, rows[i].external, "%s: %u", rows[i].accelerator, found.adapter[1].cap);
	}
}
