/* SPDX-License-Identifier: Apache-2.0 */
/* Debug authentication: Armv8-M ARM B12.3, D1.2 (DAUTHCTRL, DAUTHSTATUS), pseudocode
 * SecureDebugMonitorAllowed, SecureNoninvasiveDebugAllowed, UpdateSecureDebugEnable. The signals DBGEN, NIDEN, SPIDEN and SPNIDEN
 * are high; with DAUTHCTRL Secure software decides instead of the last two. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/time.h"

enum dauthctrl_bits { SPIDENSEL = 1, INTSPIDEN = 2, SPNIDENSEL = 4, INTSPNIDEN = 8, FSDMA = 1 << 8 };
/* DAUTHSTATUS: two bits for each kind of debug, 10 implemented, 11 also allowed; the upper half is for
 * unprivileged debug, which needs a debugger. */
enum dauthstatus { IMPLEMENTED = 0x00AA00AA, NS_ALLOWED = 0x5, SECURE_INVASIVE = 0x10, SECURE_COUNTING = 0x40 };

static u32 dauthctrl(const struct cpu *c) { return c->sys->reg[BANK_S][SCS_DAUTHCTRL]; }

static bool secure_invasive(const struct cpu *c)
{
	return !(dauthctrl(c) & SPIDENSEL) || dauthctrl(c) & INTSPIDEN;
}

bool debug_may_observe(const struct cpu *c, bool secure)
{
	return !secure || secure_invasive(c) || !(dauthctrl(c) & SPNIDENSEL) || dauthctrl(c) & INTSPNIDEN;
}

void debug_update_target(struct cpu *c)
{
	const struct sys_exception *monitor = &c->sys->exc[BANK_NS][EXC_DEBUG];
	u32 *demcr = &c->sys->reg[BANK_NS][SCS_DEMCR];
	if (!c->config.security || monitor->pending || monitor->active)
		return;
	bool allowed = dauthctrl(c) & FSDMA || secure_invasive(c);
	*demcr = (*demcr & ~(u32)DEMCR_SDME) | (allowed ? (u32)DEMCR_SDME : 0);
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
	return IMPLEMENTED | NS_ALLOWED | (secure_invasive(c) ? SECURE_INVASIVE : 0) |
	       (debug_may_observe(c, true) ? SECURE_COUNTING : 0);
}
