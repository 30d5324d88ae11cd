/* SPDX-License-Identifier: Apache-2.0 */
/* Debug authentication: Armv8-M ARM B12.3, D1.2 (DAUTHCTRL, DAUTHSTATUS), pseudocode
 * SecureDebugMonitorAllowed, SecureNoninvasiveDebugAllowed, UpdateSecureDebugEnable. The signals DBGEN, NIDEN, SPIDEN and SPNIDEN
 * are high unless the board lowers them; with DAUTHCTRL Secure software decides instead of the last two. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/time.h"

enum dauthctrl_bits { SPIDENSEL = 1, INTSPIDEN = 2, SPNIDENSEL = 4, INTSPNIDEN = 8, FSDMA = 1 << 8 };
/* DAUTHSTATUS: two bits for each kind of debug, 10 implemented, 11 also allowed; the upper half is for
 * unprivileged debug, which needs a debugger. */
enum dauthstatus { IMPLEMENTED = 0x00AA00AA, NS_INVASIVE = 0x1, NS_COUNTING = 0x4, SECURE_INVASIVE = 0x10, SECURE_COUNTING = 0x40 };

static u32 dauthctrl(const struct cpu *c) { return c->sys->reg[BANK_S][SCS_DAUTHCTRL]; }

static bool high(const struct cpu *c, enum cpu_debug_signal signal) { return !(c->sys->debug_low >> signal & 1); }

static bool observable(const struct cpu *c) { return high(c, CPU_DBGEN) || high(c, CPU_NIDEN); }

/* Of DebugMonitor; halting debug needs DBGEN in any case. */
static bool secure_monitor(const struct cpu *c)
{
	return dauthctrl(c) & SPIDENSEL ? dauthctrl(c) & INTSPIDEN : high(c, CPU_DBGEN) && high(c, CPU_SPIDEN);
}

static bool secure_invasive(const struct cpu *c) { return high(c, CPU_DBGEN) && secure_monitor(c); }

static bool secure_noninvasive(const struct cpu *c)
{
	return dauthctrl(c) & SPNIDENSEL ? dauthctrl(c) & INTSPNIDEN : high(c, CPU_SPIDEN) || high(c, CPU_SPNIDEN);
}

bool debug_may_observe(const struct cpu *c, bool secure)
{
	return observable(c) && (!secure || secure_invasive(c) || secure_noninvasive(c));
}

void debug_update_target(struct cpu *c)
{
	const struct sys_exception *monitor = &c->sys->exc[BANK_NS][EXC_DEBUG];
	u32 *demcr = &c->sys->reg[BANK_NS][SCS_DEMCR];
	if (!c->config.security || monitor->pending || monitor->active)
		return;
	bool allowed = dauthctrl(c) & FSDMA || secure_monitor(c);
	*demcr = (*demcr & ~(u32)DEMCR_SDME) | (allowed ? (u32)DEMCR_SDME : 0);
}

void cpu_debug_low(void *cpu, unsigned number, bool low)
{
	struct cpu *c = cpu;

	counters_sync(c);
	c->sys->debug_low = low ? c->sys->debug_low | 1u << number : c->sys->debug_low & ~(1u << number);
	debug_update_target(c);
	counters_schedule(c);
}

SCS_WRITE(dauthctrl_write)
{
	(void)a;
	counters_sync(c);
	c->sys->reg[BANK_S][SCS_DAUTHCTRL] = value & 0x70F;
	debug_update_target(c);
	counters_schedule(c);
}

SCS_READ(dauthstatus_read)
{
	(void)a;
	return IMPLEMENTED | (high(c, CPU_DBGEN) ? NS_INVASIVE : 0) | (observable(c) ? NS_COUNTING : 0) |
	       (secure_invasive(c) ? SECURE_INVASIVE : 0) |
	       (debug_may_observe(c, true) ? SECURE_COUNTING : 0);
}
