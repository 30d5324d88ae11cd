/* SPDX-License-Identifier: Apache-2.0 */
/* The core's slave port: where other managers reach the TCMs, through the gates that the core has in front of them. */
#include "sim/tcm_port.h"

#include "sim/machine.h"

#define SECURE_ALIAS 0x10000000u

static bool allows(void *ctx, u32 addr, struct bus_attr attr)
{
	const struct machine_tcm_port *p = ctx;

	return cpu_port_allows(p->machine->cpu, p->tcm, (addr - p->base) & ~SECURE_ALIAS, attr.secure);
}

static enum bus_status refuse(void *ctx, u32 addr, struct bus_attr attr, bool write)
{
	const struct machine_tcm_port *p = ctx;

	return cpu_port_errs(p->machine->cpu, p->tcm) ? BUS_REFUSED : BUS_OK;
}

static const struct bus_gate_ops gate = { allows, refuse };

bool tcm_ports_add(struct machine *m)
{
	for (unsigned i = 0; i < m->config.board->memory_count; i++) {
		const struct board_memory *memory = &m->config.board->memories[i];
		const unsigned tcm = memory->ns_base >> 29;
		const u32 bytes = m->config.memory_bytes[i];

		if (!memory->port_base)
			continue;
		m->tcm_port[tcm] = (struct machine_tcm_port){ m, tcm, memory->port_base };
		if (!bus_add_gate(m->bus, memory->port_base, bytes, &gate, &m->tcm_port[tcm]) ||
		    !bus_add_gate(m->bus, memory->port_base + SECURE_ALIAS, bytes, &gate, &m->tcm_port[tcm]))
			return false;
	}
	return true;
}
