/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/verdict.h"
#include "sim/report/origin_lines.h"
#include "sim/network/npu_names.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_REGISTERS = 16, SHOWN_BRANCHES = 8 };

static void add_place(const struct lines *out, struct machine *m, const char *what, u32 addr)
{
	char where[160];

	machine_describe(m, addr, where, sizeof where);
	lines_add(out, "  %s 0x%08x%s%s", what, addr, *where ? " in " : "", where);
}

static void add_fault(const struct lines *out, struct machine *m, const char *which, const struct cpu_fault_info *fault)
{
	lines_add(out, "  %s: %s", which, fault->cause);
	add_place(out, m, "raised at", fault->pc);
}

/* The FVPs' semihosting is off unless asked for: its call is the commonest cause of a DebugMonitor exception. */
static void add_refused_call(const struct lines *out, const struct machine *m, const struct cpu_fault_info *fault)
{
	static const u8 call[] = { 0xab, 0xbe }; /* BKPT 0xAB: Semihosting for AArch32 and AArch64, "The semihosting interface" */
	u8 there[sizeof call];

	if (!m->semihosting && !strncmp(fault->cause, "DebugMonitor", 12) && cpu_peek(m->cpu, fault->pc, there, sizeof there) &&
	    !memcmp(there, call, sizeof call))
		lines_add(out, "  it is a call of semihosting, which is off: --semihosting on or cpu0.semihosting-enable=1 serves it");
}

static void add_registers(const struct lines *out, const struct machine *m)
{
	static const char *const names[SHOWN_REGISTERS] = { "r0", "r1", "r2",	 "r3",	"r4", "r5", "r6", "r7",
							      "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc" };

	for (unsigned i = 0; i < SHOWN_REGISTERS; i += 4)
		lines_add(out, " %4s %08x%4s %08x%4s %08x%4s %08x", names[i], cpu_get_reg(m->cpu, i), names[i + 1], cpu_get_reg(m->cpu, i + 1),
			  names[i + 2], cpu_get_reg(m->cpu, i + 2), names[i + 3], cpu_get_reg(m->cpu, i + 3));
	lines_add(out, "  xpsr %08x  msp %08x  psp %08x  control %x  %s", cpu_get_reg(m->cpu, CPU_REG_XPSR),
		cpu_get_reg(m->cpu, CPU_REG_MSP), cpu_get_reg(m->cpu, CPU_REG_PSP),
		cpu_get_reg(m->cpu, CPU_REG_CONTROL), cpu_get_reg(m->cpu, CPU_REG_SECURE) ? "Secure" : "Non-secure");
}

/* Behind a fault the way to it matters; elsewhere a few branches show where the program was. */
static unsigned shown_branches(const struct machine *m)
{
	return origin_is_own_end(m) || m->stop == STOP_FAULT || m->stop == STOP_LOCKUP ? TRAIL_BRANCHES : SHOWN_BRANCHES;
}

static void add_failed_job(const struct lines *out, const struct machine *m, const struct npu_result *r)
{
	const char *name = npu_names_find(m->npu_names, r->offset);

	lines_add(out, "  the last NPU job failed: %s%s%s%s", name ? "in " : "", name ? name : "", name ? ", " : "", r->message);
}

void verdict_add_lines(const struct lines *out, struct machine *m, const struct origin *o)
{
	struct cpu_fault_info fault, first;
	const bool own_end = origin_is_own_end(m);

	cpu_fault_info(m->cpu, &fault);
	cpu_first_fault_info(m->cpu, &first);
	if (own_end)
		lines_add(out, "%s with status %d after a fault", stop_text(m->stop), m->guest_status);
	else
		lines_add(out, "%s", stop_text(m->stop));
	if (first.valid)
		add_fault(out, m, "first fault", &first);
	if (fault.valid) {
		add_fault(out, m, "last fault", &fault);
		add_refused_call(out, m, &fault);
		lines_add(out, "  status: CFSR 0x%08x HFSR 0x%08x SFSR 0x%08x", fault.cfsr, fault.hfsr, fault.sfsr);
	}
	if (!own_end) {
		add_place(out, m, "stopped at", cpu_get_reg(m->cpu, REG_PC));
		add_registers(out, m);
	}
	origin_add_lines(out, o, shown_branches(m));
	if (own_end)
		return;
	if (m->npu && *npu_result(m->npu)->message)
		add_failed_job(out, m, npu_result(m->npu));
	const char *advice = exit_advice(stop_status(m->stop, false, m->guest_status));

	if (advice)
		lines_add(out, "  what to do: %s", advice);
}
