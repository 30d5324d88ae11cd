/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in words. */
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *name, *text; } kinds[] = {
#define F(name, exception, status, bit, address, text) [FAULT_##name] = { #name, text },
#include "cpu/sys/fault.def"
#undef F
};

const char *cpu_fault_kind(unsigned kind)
{
	return kind < ARRAY_LEN(kinds) ? kinds[kind].name : NULL;
}

static const char *exception_name(unsigned num)
{
	static const char *const names[16] = {
		"Thread mode", "Reset", "NMI", "HardFault", "MemManage fault", "BusFault", "UsageFault",
		"SecureFault", "?", "?", "?", "SVCall", "DebugMonitor", "?", "PendSV", "SysTick",
	};
	return num < 16 ? names[num] : "interrupt handler";
}

/* What lies at the address of a bus error. */
static const char *place(const struct cpu *c, const struct sys_fault_record *f, char *text, size_t size)
{
	const struct region *r = bus_find(c->bus, f->addr, BUS_CPU);
	if (f->status == BUS_REFUSED && r)
		snprintf(text, size, "refused by %s", r->name);
	else if (f->status == BUS_REFUSED)
		snprintf(text, size, "refused");
	else
		snprintf(text, size, "nothing there");
	return text;
}

static int describe(const struct cpu *c, const struct sys_fault_record *f, char *out, size_t size)
{
	char where[64];
	if (f->vector_read)
		return snprintf(out, size, "HardFault: vector of exception %u at 0x%08x cannot be read (%s)",
				f->exception, f->addr, place(c, f, where, sizeof(where)));
	int n = snprintf(out, size, "%s: %s", exception_name(f->exception), kinds[f->kind].text);
	if (f->exception == EXC_BUS && f->addr_valid)
		return n + snprintf(out + n, size - (size_t)n, " at 0x%08x (%s)", f->addr,
				    place(c, f, where, sizeof(where)));
	if (f->addr_valid)
		n += snprintf(out + n, size - (size_t)n, " at 0x%08x", f->addr);
	return n;
}

static void explain(const struct cpu *c, const struct sys_fault_record *f, struct cpu_fault_info *out)
{
	*out = (struct cpu_fault_info){ .valid = f->valid };
	if (!f->valid)
		return;
	out->lockup = f->lockup;
	out->exception = f->escalated ? EXC_HARD : f->exception;
	out->pc = f->pc;
	out->addr = f->addr;
	out->addr_valid = f->addr_valid;
	out->cfsr = f->cfsr;
	out->hfsr = f->hfsr;
	out->sfsr = f->sfsr;
	size_t n = (size_t)describe(c, f, out->cause, sizeof(out->cause));
	if (n < sizeof(out->cause) && f->lockup)
		snprintf(out->cause + n, sizeof(out->cause) - n, ", lockup: in %s it cannot be handled",
			 exception_name(f->lockup_exception));
	else if (n < sizeof(out->cause) && f->escalated && !f->vector_read)
		snprintf(out->cause + n, sizeof(out->cause) - n, ", escalated to HardFault");
}

void cpu_fault_info(const struct cpu *c, struct cpu_fault_info *out)
{
	explain(c, &c->sys->fault, out);
}

void cpu_first_fault_info(const struct cpu *c, struct cpu_fault_info *out)
{
	explain(c, &c->sys->first_fault, out);
}
