/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/verdict.h"
#include "sim/cli/origin_print.h"
#include "sim/network/npu_names.h"
#include "sim/params/message.h"

#include <stdio.h>
#include <string.h>

enum { PRINTED_REGISTERS = 16, PRINTED_BRANCHES = 8 };

static void print_place(struct machine *m, const char *what, u32 addr)
{
	char where[160];

	machine_describe(m, addr, where, sizeof where);
	message("fvp-sim:   %s 0x%08x%s%s\n", what, addr, *where ? " in " : "", where);
}

static void print_fault(struct machine *m, const char *which, const struct cpu_fault_info *fault)
{
	message("fvp-sim:   %s: %s\n", which, fault->cause);
	print_place(m, "raised at", fault->pc);
}

static void print_registers(const struct machine *m)
{
	static const char *const names[PRINTED_REGISTERS] = { "r0", "r1", "r2",	 "r3",	"r4", "r5", "r6", "r7",
							      "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc" };

	for (unsigned i = 0; i < PRINTED_REGISTERS; i++) {
		message("%s%4s %08x", i % 4 ? "" : "fvp-sim:  ", names[i], cpu_get_reg(m->cpu, i));
		if (i % 4 == 3)
			message("\n");
	}
	message("fvp-sim:   xpsr %08x  msp %08x  psp %08x  control %x  %s\n", cpu_get_reg(m->cpu, CPU_REG_XPSR),
		cpu_get_reg(m->cpu, CPU_REG_MSP), cpu_get_reg(m->cpu, CPU_REG_PSP),
		cpu_get_reg(m->cpu, CPU_REG_CONTROL), cpu_get_reg(m->cpu, CPU_REG_SECURE) ? "Secure" : "Non-secure");
}

/* Behind a fault the way to it matters; elsewhere a few branches show where the program was. */
static unsigned printed_branches(const struct machine *m)
{
	return origin_is_own_end(m) || m->stop == STOP_FAULT || m->stop == STOP_LOCKUP ? TRAIL_BRANCHES : PRINTED_BRANCHES;
}

static void print_failed_job(const struct machine *m, const struct npu_result *r)
{
	const char *name = npu_names_find(m->npu_names, r->offset);

	message("fvp-sim:   the last NPU job failed: %s%s%s%s\n", name ? "in " : "", name ? name : "", name ? ", " : "", r->message);
}

void verdict_print(struct machine *m, const struct origin *o)
{
	struct cpu_fault_info fault, first;
	const bool own_end = origin_is_own_end(m);

	if (!o)
		return;
	cpu_fault_info(m->cpu, &fault);
	cpu_first_fault_info(m->cpu, &first);
	if (own_end)
		message("fvp-sim: %s with status %d after a fault\n", stop_text(m->stop), m->guest_status);
	else
		message("fvp-sim: %s\n", stop_text(m->stop));
	if (first.valid)
		print_fault(m, "first fault", &first);
	if (fault.valid) {
		print_fault(m, "last fault", &fault);
		message("fvp-sim:   status: CFSR 0x%08x HFSR 0x%08x SFSR 0x%08x\n", fault.cfsr, fault.hfsr, fault.sfsr);
	}
	if (!own_end) {
		print_place(m, "stopped at", cpu_get_reg(m->cpu, REG_PC));
		print_registers(m);
	}
	origin_print(o, printed_branches(m));
	if (own_end)
		return;
	if (m->npu && *npu_result(m->npu)->message)
		print_failed_job(m, npu_result(m->npu));
	const char *advice = exit_advice(stop_status(m->stop, false, m->guest_status));

	if (advice)
		message("fvp-sim:   what to do: %s\n", advice);
}
