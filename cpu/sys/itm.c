/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus ports of the instrumentation trace: Armv8-M ARM B13.1, D1.2 (ITM_STIMn). What software
 * writes to port 0 is text for the host; a port takes any amount at once. No packets, no time stamps. */
#include "cpu/sys/debug.h"
#include "cpu/sys/hooks.h"
#include "cpu/sys/state.h"

enum stim_bits { STIM_FIFOREADY = 1, STIM_DISABLED = 2 };
enum { TCR_ITMENA = 1, PORTS_PER_PRIVILEGE = 8, TEXT_PORT = 0 };

static bool port_enabled(const struct cpu *c, unsigned port)
{
	const u32 *reg = c->sys->reg[BANK_NS];
	bool permitted = state_privileged(c, c->core.secure) || !(reg[SCS_ITM_TPR] >> port / PORTS_PER_PRIVILEGE & 1);
	return reg[SCS_DEMCR] & DEMCR_TRCENA && reg[SCS_ITM_TCR] & TCR_ITMENA && reg[SCS_ITM_TER] >> port & 1 &&
	       permitted && debug_may_observe(c, c->core.secure);
}

SCS_READ(itm_stim_read)
{
	return STIM_FIFOREADY | (port_enabled(c, a->index) ? 0 : STIM_DISABLED);
}

SCS_WRITE(itm_stim_write)
{
	if (!c->config.itm || a->index != TEXT_PORT || !port_enabled(c, TEXT_PORT))
		return;
	for (unsigned shift = 0; shift < 32; shift += 8)
		if (a->lanes >> shift & 0xFF)
			c->config.itm(c->config.itm_ctx, (u8)(value >> shift));
}
