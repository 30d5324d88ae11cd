/* SPDX-License-Identifier: Apache-2.0 */
/* System instructions that raise exceptions or sleep, and interworking branches. */
#include "cpu/observed.h"
#include "cpu/sys/frame.h"
#include "cpu/sys/nvic.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"
#include "cpu/sys/trustzone.h"

/* The instruction counts as done: what is stacked is the next one. */
static void step_over(struct cpu *c)
{
	c->core.r[15] = c->core.next_pc;
	c->core.epsr_it = c->core.next_it;
}

bool sysop_svc(struct cpu *c, unsigned imm)
{
	(void)imm;
	step_over(c);
	fault_raise(c, FAULT_SVC, 0);
	return false;
}

bool sysop_bkpt(struct cpu *c, unsigned imm)
{
	if (imm == 0xAB && c->config.semihost && c->config.semihost(c->config.semihost_ctx, c, c->core.r))
		return true;
	fault_raise(c, FAULT_BKPT, 0);
	return false;
}

bool sysop_udf(struct cpu *c)
{
	fault_raise(c, FAULT_UNDEFINSTR, 0);
	return false;
}

static void sleep_until_wake(struct cpu *c, bool by_event)
{
	c->sys->sleep_event = by_event;
	c->core.activity = CPU_SLEEPING;
	exception_wake(c);
}

bool sysop_wfi(struct cpu *c)
{
	sleep_until_wake(c, false);
	return true;
}

bool sysop_wfe(struct cpu *c)
{
	if (c->core.event)
		c->core.event = false;
	else
		sleep_until_wake(c, true);
	return true;
}

bool sysop_sev(struct cpu *c)
{
	c->core.event = true;
	return true;
}

/* EPSR.T becomes 0: the fault is taken with the target as return address; that address is fetched
 * from before T is looked at (Armv8-M ARM, FetchInstr), so that a fault of the fetch comes first. */
static bool leave_thumb(struct cpu *c, u32 target)
{
	u16 unused;

	c->core.r[15] = target & ~1u;
	c->core.epsr_it = c->core.next_it;
	c->sys->thumb_clear = true;
	if (c->observed)
		observed_left_thumb(c, target & ~1u);
	if (cpu_fetch(c, target & ~1u, &unused))
		fault_raise(c, FAULT_INVSTATE, 0);
	return false;
}

bool sysop_branch(struct cpu *c, u32 target)
{
	if (state_handler(c) && target >> 24 == 0xFF) {
		exception_return(c, target);
		c->core.next_pc = c->core.r[15];
		c->core.next_it = c->core.epsr_it;
		return true;
	}
	if (c->config.security && (target & ~1u) == FNC_RETURN)
		return trustzone_function_return(c);
	if (!(target & 1))
		return leave_thumb(c, target);
	c->core.next_pc = target & ~1u;
	return true;
}
