/* SPDX-License-Identifier: Apache-2.0 */
/* A memory port: one beat a cycle and direction, then the limits of the NPU's own counters and
 * of the timing adapter in front of it. Reads and writes have channels of their own but share
 * the adapter's window. */
#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

/* Round trip to a memory without an adapter. The hardware's own figure is not published: the
 * SRAM latency of the compiler's system configurations is 8 to 32. */
enum { OWN_LATENCY = 16, SMALLEST_BURST = 64 };

static u32 tighter(u32 a, u32 b)
{
	return !a ? b : !b ? a : a < b ? a : b;
}

static void port_model_of(const struct npu_ports *p, unsigned index, struct port_model *out)
{
	const struct npu_adapter *adapter = &p->adapter[index];
	const unsigned counter = 2 * index; /* limits 0, 1 belong to port 0, 2 and 3 to port 1 */

	*out = (struct port_model){
		.read_latency = OWN_LATENCY + adapter->read_latency,
		.write_latency = OWN_LATENCY + adapter->write_latency,
		.max_reads = tighter(max_u64(p->reads[counter], p->reads[counter + 1]), adapter->max_reads),
		.max_writes = tighter(max_u64(p->writes[counter], p->writes[counter + 1]), adapter->max_writes),
		.window = adapter->window,
		.cap = adapter->cap,
		.burst = max_u64(p->burst_bytes[counter], SMALLEST_BURST),
	};
}

void memory_model_of(const struct npu_ports *ports, struct memory_model *m)
{
	for (unsigned i = 0; i < NPU_PORTS; i++)
		port_model_of(ports, i, &m->port[i]);
	for (unsigned i = 0; i < ARRAY_LEN(m->region_port); i++)
		m->region_port[i] = ports->region_attr[i] >> 1 & 1;
	m->stream_port = ports->stream_attr >> 1 & 1;
}

static u64 direction_cycles(u64 beats, u64 transactions, u32 latency, u32 outstanding)
{
	const u64 by_latency = outstanding ? div_up(transactions * latency, outstanding) : 0;

	return max_u64(beats, by_latency);
}

u64 port_cycles_of(const struct port_model *port, const struct traffic *t)
{
	u64 cycles = max_u64(direction_cycles(t->read_beats, t->reads, port->read_latency, port->max_reads),
			     direction_cycles(t->write_beats, t->writes, port->write_latency, port->max_writes));

	if (port->cap && port->window)
		cycles = max_u64(cycles, div_up((t->read_beats + t->write_beats) * port->window, port->cap));
	return cycles;
}
