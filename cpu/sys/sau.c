/* SPDX-License-Identifier: Apache-2.0 */
/* Security attribution: Armv8-M ARM B8, pseudocode SecurityCheck. */
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"

enum sau_ctrl_bits { SAU_ENABLE = 1, SAU_ALLNS = 2 };

/* Architecturally exempt ranges: they take the security of whoever accesses them. */
static bool exempt(u32 addr)
{
	return (addr >= 0xE0000000 && addr <= 0xE0005FFF) || (addr >= 0xE000E000 && addr <= 0xE000EFFF) ||
	       (addr >= 0xE002E000 && addr <= 0xE002EFFF) || (addr >= 0xE0040000 && addr <= 0xE0041FFF) ||
	       (addr >= 0xE00FF000 && addr <= 0xE00FFFFF);
}

static void match_regions(const struct cpu *c, u32 addr, struct sau_result *out)
{
	unsigned hits = 0;
	for (unsigned i = 0; i < c->config.sau_regions; i++) {
		u32 rlar = c->sys->sau_rlar[i];
		if (!region_holds(addr, c->sys->sau_rbar[i], rlar, &out->first, &out->last))
			continue;
		hits++;
		out->sregion = (u8)i;
		out->nsc = rlar & 2;
		out->ns = !out->nsc;
	}
	out->sregion_valid = hits == 1;
	if (hits > 1) {
		out->ns = out->nsc = false;
		out->sregion = 0;
	}
}

void sau_lookup(const struct cpu *c, u32 addr, bool fetch, bool secure, struct sau_result *out)
{
	*out = (struct sau_result){ .first = addr & ~(BUS_PAGE_SIZE - 1), .last = addr | (BUS_PAGE_SIZE - 1) };
	if (!c->config.security) {
		out->ns = true;
		return;
	}
	if (fetch && addr >= 0xF0000000)
		return;
	struct cpu_idau idau = { false, false, false, 0 };
	if (c->config.idau)
		c->config.idau(c->config.idau_ctx, addr, &idau);
	if (idau.exempt || exempt(addr)) {
		out->ns = !secure;
		return;
	}
	out->iregion_valid = c->config.idau != NULL;
	out->iregion = idau.region;
	u32 ctrl = c->sys->reg[BANK_S][SCS_SAU_CTRL];
	if (ctrl & SAU_ENABLE)
		match_regions(c, addr, out);
	else
		out->ns = ctrl & SAU_ALLNS;
	/* The more secure of both wins. */
	if (idau.secure && (out->ns || (!idau.nsc && out->nsc))) {
		out->ns = false;
		out->nsc = idau.nsc;
	}
}
