/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "loader/vela_ini.h"

static const char text[] =
	"; a comment\n[System_Config.Base]\naxi0_port=Sram\naxi1_port=Dram\nSram_read_latency=32\nSram_write_latency = 16\n"
	"Dram_clock_scale=0.234375\nDram_ports_used=2\nDram_max_reads=64\n\n[System_Config.Fast]\r\ninherit=System_Config.Base\r\n"
	"Dram_clock_scale=0.75\r\n[System_Config.Lame]\naxi0_port=Sram\n[System_Config.Odd]\naxi0_port=Sram\naxi1_port=Flash\n"
	"Flash_read_latency=many\n[System_Config.Round]\ninherit=System_Config.Round\n"
	"[Memory_Mode.Mine]\nconst_mem_area=Axi1\narena_mem_area=Axi0\n[Memory_Mode.Bad]\nconst_mem_area=Axi2\n";

Test(vela_ini, system)
{
	struct vela_memory m[VELA_PORTS];
	char why[200];

	cr_assert(vela_ini_system(text, "Base", m, why, sizeof why), "%s", why);
	cr_expect(m[0].read_latency == 32 && m[0].write_latency == 16 && m[0].per_mille == 1000 && !m[0].max_reads);
	cr_expect(m[1].per_mille == 2 * 234 && m[1].max_reads == 64 && !m[1].read_latency);
}

Test(vela_ini, sections_inherit)
{
	struct vela_memory m[VELA_PORTS];
	char why[200];

	cr_assert(vela_ini_system(text, "fast", m, why, sizeof why), "%s", why);
	cr_expect(m[0].read_latency == 32 && m[1].per_mille == 1500 && m[1].max_reads == 64);
}

Test(vela_ini, modes)
{
	struct vela_mode mode;
	char why[200];

	cr_assert(vela_ini_mode(text, "Mine", &mode, why, sizeof why), "%s", why);
	cr_expect(mode.constants == 1 && mode.arena == 0);
	cr_expect_not(vela_ini_mode(text, "Bad", &mode, why, sizeof why));
	cr_expect(strstr(why, "const_mem_area") != NULL, "%s", why);
	cr_expect_not(vela_ini_mode(text, "Other", &mode, why, sizeof why));
	cr_expect(strstr(why, "Mine") != NULL, "%s", why);
}

Test(vela_ini, what_cannot_be_read_is_refused)
{
	static const struct { const char *system, *why; } bad[] = {
		{ "None", "Base" }, { "Lame", "axi1_port" }, { "Odd", "Flash_read_latency=many" }, { "Round", "axi0_port" },
	};
	struct vela_memory m[VELA_PORTS];
	char why[200];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		cr_expect_not(vela_ini_system(text, bad[i].system, m, why, sizeof why));
		cr_expect(strstr(why, bad[i].why) != NULL, "%s: %s", bad[i].system, why);
	}
}
