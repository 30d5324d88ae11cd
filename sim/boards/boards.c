/* SPDX-License-Identifier: Apache-2.0 */
/* The list of boards, and their common attribution of addresses. */
#include "sim/boards/boards.h"

#include <string.h>

const struct board *const boards[] = {&corstone_300, &corstone_310, &corstone_320, NULL};

const struct board *board_find(const char *name)
{
	for (const struct board *const *b = boards; *b; b++)
		if (!strcmp((*b)->name, name))
			return *b;
	return NULL;
}

static bool add_ports(struct bus *bus, const struct board_memory *m, u32 bytes)
{
	return bus_add_alias(bus, m->name, m->port_base, bytes, m->views, m->ns_base) &&
	       bus_add_alias(bus, m->name, m->port_base + 0x10000000, bytes, m->views, m->ns_base);
}

bool board_add_memory(struct bus *bus, const struct board_memory *m, u32 bytes)
{
	return bus_add_ram(bus, m->name, m->ns_base, bytes, m->views) &&
	       (!m->alias || bus_add_alias(bus, m->name, m->s_base, bytes, m->views, m->ns_base)) &&
	       (!m->port_base || add_ports(bus, m, bytes));
}

/* Bits 31:28 decide (SSE-300 TRM, "security attribution"): odd ones are Secure. The code and
 * RAM regions 1 and 3 become non-secure callable through SACFG.NSCCFG. */
void corstone_idau(u32 nsccfg, u32 addr, struct cpu_idau *out)
{
	u32 nibble = addr >> 28;

	out->region = (u8)nibble;
	out->secure = nibble & 1;
	out->exempt = nibble >= 0xe && !(addr & 0x0ff00000);
	out->nsc = (nibble == 1 && (nsccfg & 1)) || (nibble == 3 && (nsccfg & 2));
}
