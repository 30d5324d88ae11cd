/* SPDX-License-Identifier: Apache-2.0 */
/* A memory port: beats a cycle and direction, then the limits of the NPU's own counters and of the timing
 * adapter in front of it. Reads and writes have channels of their own but share the adapter's window. */
#include "npu/timing/constants.h"
#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

enum { SMALLEST_BURST = 64 };

static u32 tighter(u32 a, u32 b)
{
	return !a ? b : !b ? a : a < b ? a : b;
}

/* A transaction passes while fewer than `cap` beats were counted in the window, so the last one overshoots
 * (published sweeps of BWCAP with 8-beat bursts: 25 lets 32 beats through, 50 lets 56). */
static u32 effective_cap(u32 cap, u32 burst, u32 width)
{
	return cap ? (u32)round_up_to(cap, max_u64(burst / width, 1)) : 0;
}

static void port_model_of(const struct npu_config *config, const struct npu_ports *p, unsigned index,
			  struct port_model *out)
{
	const struct npu_adapter *adapter = &p->adapter[index];
	const unsigned counter = 2 * index; /* limits 0, 1 belong to port 0, 2 and 3 to port 1 */
	const u32 burst = (u32)max_u64(p->burst_bytes[counter], SMALLEST_BURST);
	const u32 ports = index ? config->ext_ports : config->sram_ports;
	/* Each core of U65 has its own stream of weights. */
	const u32 readers = config->product == NPU_U65 && index ? config->cores : 1;

	/* Published cycles of U85-1024 and -2048: weights and scales use all ports, a feature map half of them. Each port has an adapter of its own
	 * (YOLO-fastest on U85-2048 moves more beats of SRAM than one would let through; external memory's system configuration has as much
	 * bandwidth as two adapters leave). */
	*out = (struct port_model){
		/* An adapter's latency is the least that a transaction takes. */
		.read_latency = max_u64(OWN_LATENCY, adapter->read_latency),
		.write_latency = max_u64(OWN_LATENCY, adapter->write_latency),
		.max_reads = readers * tighter(max_u64(p->reads[counter], p->reads[counter + 1]), adapter->max_reads),
		.max_writes = tighter(max_u64(p->writes[counter], p->writes[counter + 1]), adapter->max_writes),
		.window = adapter->window,
		.open = adapter->open,
		.cap = effective_cap(adapter->cap, burst, config->axi_bytes) * ports,
		.burst = burst,
		.width = config->axi_bytes,
		.lanes = ports,
		.map_lanes = max_u64(ports / 2, 1),
	};
}

void memory_model_of(const struct npu_config *config, const struct npu_ports *ports, struct memory_model *m)
{
	for (unsigned i = 0; i < NPU_PORTS; i++)
		port_model_of(config, ports, i, &m->port[i]);
	for (unsigned i = 0; i < ARRAY_LEN(m->region_port); i++)
		m->region_port[i] = ports->region_attr[i] >> 1 & 1;
	m->stream_port = ports->stream_attr >> 1 & 1;
}

u64 port_passes_at(const struct port_model *port, u64 time)
{
	const u64 at = port->window ? (time + WINDOW_AT_START) % port->window : 0;

	return port->open && at >= port->open ? time + port->window - at : time;
}

static bool has_closed_part(const struct port_model *port)
{
	return port->window && port->open && port->open < port->window;
}

/* Requests wait for the window, answers do not. */
static u64 rounds_end(const struct port_model *port, u64 time, u64 count, u64 cycles)
{
	const u64 of_window = div_up(port->open, cycles);

	while (count) {
		const u64 from = port_passes_at(port, time), at = (from + WINDOW_AT_START) % port->window;
		/* Whole windows, where the last answers of one are there before the next one begins. */
		const u64 windows = !at && of_window * cycles <= port->window ? (count - 1) / of_window : 0;
		const u64 rounds = windows ? windows * of_window : min_u64(div_up(port->open - at, cycles), count);

		time = from + (windows ? windows * port->window : rounds * cycles);
		count -= rounds;
	}
	return time;
}

u64 port_rounds_end(const struct port_model *port, const struct rounds *r, u64 time)
{
	const u64 least = port_passes_at(port, time) + r->least;

	if (!r->count)
		return time;
	return max_u64(has_closed_part(port) ? rounds_end(port, time, r->count, r->cycles) : time + r->count * r->cycles, least);
}

u64 port_commands_ahead(const struct port_model *port)
{
	return port->max_reads ? min_u64(STREAM_AHEAD, port->max_reads * (u64)SMALLEST_BURST) : STREAM_AHEAD;
}

/* What waits for answers only makes progress while the window is open. */
static u64 stretched(const struct port_model *port, u64 cycles)
{
	return has_closed_part(port) ? div_up(cycles * port->window, port->open) : cycles;
}

static u64 waiting(u64 amount, u64 latency, u64 limit)
{
	return limit ? div_up(amount * latency, limit) : 0;
}

/* Waiting for answers, in cycles in which requests pass. */
static u64 waits_of(const struct port_model *port, const struct traffic *t, u64 in_flight)
{
	const u64 reads = max_u64(waiting(t->reads, port->read_latency, port->max_reads),
				  waiting(t->read_beats * port->width, port->read_latency, in_flight));

	return max_u64(reads, waiting(t->writes, port->write_latency, port->max_writes));
}

/* Moving the beats over so many lanes; a brick of a feature map comes over one (published cycles of YOLO-fastest on U85-2048). */
static u64 moves_of(const struct traffic *t, u32 lanes)
{
	return div_up(max_u64(t->read_beats, t->write_beats), tighter(lanes, t->bricks));
}

static bool no_traffic(const struct traffic *t)
{
	return !t->reads && !t->writes && !t->read_beats && !t->write_beats; /* most streams of most operations: no need to divide */
}

static u32 lanes_of(const struct port_model *port, enum channel channel)
{
	return channel == CHANNEL_IFM || channel == CHANNEL_OFM ? port->map_lanes : port->lanes;
}

u64 channel_cycles(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight)
{
	return no_traffic(t) ? 0 : max_u64(stretched(port, waits_of(port, t, in_flight)), moves_of(t, lanes_of(port, channel)));
}

u64 channel_open_cycles(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight)
{
	return no_traffic(t) ? 0 : max_u64(waits_of(port, t, in_flight), moves_of(t, lanes_of(port, channel)));
}

struct rounds channel_rounds(const struct port_model *port, const struct traffic *t, enum channel channel, u64 in_flight)
{
	const u64 by_bytes = in_flight ? div_up(t->read_beats * port->width, in_flight) : 1;

	if (!t->reads)
		return (struct rounds){ 0 };
	return (struct rounds){ max_u64(port->max_reads ? div_up(t->reads, port->max_reads) : 1, by_bytes), port->read_latency,
				moves_of(t, lanes_of(port, channel)) };
}

u64 port_moving_cycles(const struct port_model *port, const struct traffic *t)
{
	return no_traffic(t) ? 0 : max_u64(stretched(port, waits_of(port, t, 0)), moves_of(t, port->lanes));
}

u64 port_cycles(const struct port_model *port, const struct traffic *t)
{
	return max_u64(port_moving_cycles(port, t), port_capped_cycles(port, t));
}
