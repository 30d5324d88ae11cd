/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor irqs" and "monitor mpu": what the core's own registers say. */
#include "sim/gdb/monitor.h"

static u32 word(struct gdb *g, u32 addr)
{
	u32 value = 0;

	cpu_debug_access(g->machine->cpu, addr, 4, false, &value);
	return value;
}

/* The core's own exceptions that have begun or wait. True: there are some. */
static bool system_exceptions(struct gdb *g)
{
	const u32 scs = 0xe000e000, shcsr = word(g, scs + 0xd24), icsr = word(g, scs + 0xd04); /* SHCSR and ICSR: to read them has no effects */
	static const struct { const char *name; u32 active, pending, icsr; } known[] = {
		{ "NMI", 1u << 5, 0, 1u << 31 },
		{ "HardFault", 1u << 2, 1u << 21, 0 },
		{ "MemManage", 1u << 0, 1u << 13, 0 },
		{ "BusFault", 1u << 1, 1u << 14, 0 },
		{ "UsageFault", 1u << 3, 1u << 12, 0 },
		{ "SecureFault", 1u << 4, 1u << 20, 0 },
		{ "SVCall", 1u << 7, 1u << 15, 0 },
		{ "DebugMonitor", 1u << 8, 0, 0 },
		{ "PendSV", 1u << 10, 0, 1u << 28 },
		{ "SysTick", 1u << 11, 0, 1u << 26 },
	};
	bool any = false;

	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		const bool active = shcsr & known[i].active, pending = shcsr & known[i].pending || icsr & known[i].icsr;

		if (active || pending)
			monitor_print(g, "%s: %s%s%s\n", known[i].name, active ? "active" : "", active && pending ? ", " : "", pending ? "pending" : "");
		any |= active || pending;
	}
	return any;
}

/* NVIC_ISER, ISPR, IABR, IPR: Armv8-M ARM D1.2. */
void monitor_irqs(struct gdb *g, const char *rest)
{
	bool any = system_exceptions(g);

	(void)rest;
	for (u32 n = 0; n < g->machine->config.cpu.irqs; n++) {
		const u32 at = 4 * (n / 32), bit = 1u << n % 32;
		const bool enabled = word(g, 0xe000e100 + at) & bit, pending = word(g, 0xe000e200 + at) & bit;
		const bool active = word(g, 0xe000e300 + at) & bit, ns = word(g, 0xe000e380 + at) & bit;

		if (!enabled && !pending && !active)
			continue;
		any = true;
		monitor_print(g, "irq %u: %s%s%spriority 0x%02x, %s\n", n, enabled ? "enabled, " : "", pending ? "pending, " : "",
		      active ? "active, " : "", word(g, 0xe000e400 + 4 * (n / 4)) >> 8 * (n % 4) & 0xff, ns ? "Non-secure" : "Secure");
	}
	if (!any)
		monitor_print(g, "no interrupt is enabled, pending or active\n");
}

/* MPU_CTRL, RNR, RBAR, RLAR; the Non-secure ones of a Secure access lie 0x20000 above. */
static void mpu_of(struct gdb *g, u32 base, const char *name)
{
	const u32 type = word(g, base), control = word(g, base + 4), chosen = word(g, base + 8);
	u32 number;

	monitor_print(g, "%s: %s, %s background\n", name, control & 1 ? "on" : "off", control & 4 ? "with" : "without");
	for (number = 0; number < (type >> 8 & 0xff); number++) {
		static const char *const rights[4] = { "privileged read/write", "read/write", "privileged read", "read" };

		cpu_debug_access(g->machine->cpu, base + 8, 4, true, &number);
		const u32 rbar = word(g, base + 12), rlar = word(g, base + 16);
		if (rlar & 1)
			monitor_print(g, "  %2u: 0x%08x..0x%08x %s%s\n", number, rbar & ~31u, rlar | 31, rights[rbar >> 1 & 3],
			      rbar & 1 ? ", no execution" : "");
	}
	number = chosen;
	cpu_debug_access(g->machine->cpu, base + 8, 4, true, &number);
}

void monitor_mpu(struct gdb *g, const char *rest)
{
	const bool secure = cpu_get_reg(g->machine->cpu, CPU_REG_SECURE);

	(void)rest;
	mpu_of(g, 0xe000ed90, secure ? "Secure MPU" : "Non-secure MPU");
	if (secure && g->machine->config.cpu.security)
		mpu_of(g, 0xe002ed90, "Non-secure MPU");
}
