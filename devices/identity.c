/* SPDX-License-Identifier: Apache-2.0 */
/* Small SSE-300 blocks that are storage and identification only: SYSINFO, CPU identity, CPU power
 * control, CPU security control (Corstone SSE-300 TRM, 101773). Reset values as QEMU's model of
 * the AN547 board shows them. The locks in CPUSECCFG are stored, not obeyed. */
#include "devices/classes.h"

static const struct reg_row sysinfo_rows[] = {
	{0x000, 1, "SOC_IDENTITY", RO, 0x7e00043b, 0xffffffff, "system on chip identity"},
	{0x004, 1, "SYS_CONFIG0", RO, 0x00030152, 0xffffffff, "TCM, SRAM banks, CPU type"},
	{0x008, 1, "SYS_CONFIG1", RO, 0, 0xffffffff, "second CPU"},
	{0xfc8, 1, "IIDR", RO, 0x74a0043b, 0xffffffff, "SSE-300, implementer Arm"},
};

static const struct reg_row cpu_identity_rows[] = {
	{0x000, 1, "CPUID", RO, 0, 0xffffffff, "number of this CPU"},
};

static const struct reg_row cpu_pwrctrl_rows[] = {
	{0x000, 1, "CPUPWRCFG", RW, 0, 0x11, "0 use low power, 4 TCM in deep sleep"},
};

static const struct reg_row cpu_secctrl_rows[] = {
	{0x000, 1, "CPUSECCFG", RW, 0, 0x1f, "locks of VTOR, MPU, SAU, AIRCR"},
};

#define CLASS(name, text, table, id)                                              \
	const struct device_class name = {                                        \
		.kind = text, .size = 0x1000, .rows = table, .row_count = ARRAY_LEN(table), \
		.pidr = id,                                                       \
	};

CLASS(sysinfo_class, "SSE system information", sysinfo_rows, 0x041bb858)
CLASS(cpu_identity_class, "SSE CPU identity", cpu_identity_rows, 0x040bb858)
CLASS(cpu_pwrctrl_class, "SSE CPU power control", cpu_pwrctrl_rows, 0x040bb85a)
CLASS(cpu_secctrl_class, "SSE CPU security control", cpu_secctrl_rows, 0x040bb859)
