/* SPDX-License-Identifier: Apache-2.0 */
/* Small SSE-300 blocks that are storage and identification only: SYSINFO, CPU identity, CPU power
 * control, CPU security control (Corstone SSE-300 TRM, 101773). Reset values as QEMU's model of
 * the AN547 board shows them. The locks of CPUSECCFG: Reference Systems Architecture (102803). */
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
	{0x000, 1, "CPUSECCFG", RW, 0, 0x3f,
	 "1 locks VTOR_S, AIRCR.PRIS and BFHFNMINS, 2 SAU, 4 Secure MPU, 8 TCM sizes, 16 ITGU, 32 DTGU; set until the next reset"},
};
static const char *const cpu_secctrl_wires[] = {"svtaircr", "sau", "smpu", "tcm", "itgu", "dtgu", NULL};

static void cpu_secctrl_write(struct device *d, u32 offset, u32 value, u32 old)
{
	u32 *locks = device_reg(d, offset);

	(void)value;
	*locks |= old;
	for (unsigned i = 0; cpu_secctrl_wires[i]; i++)
		device_wire(d, i, *locks >> i & 1);
}

#define CLASS(name, text, table, id)                                              \
	const struct device_class name = {                                        \
		.kind = text, .size = 0x1000, .rows = table, .row_count = ARRAY_LEN(table), \
		.pidr = id,                                                       \
	};

CLASS(sysinfo_class, "SSE system information", sysinfo_rows, 0x041bb858)
CLASS(cpu_identity_class, "SSE CPU identity", cpu_identity_rows, 0x040bb858)
CLASS(cpu_pwrctrl_class, "SSE CPU power control", cpu_pwrctrl_rows, 0x040bb85a)
const struct device_class cpu_secctrl_class = {
	.kind = "SSE CPU security control", .size = 0x1000, .rows = cpu_secctrl_rows,
	.row_count = ARRAY_LEN(cpu_secctrl_rows), .pidr = 0x040bb859, .wires = cpu_secctrl_wires, .write = cpu_secctrl_write,
};
