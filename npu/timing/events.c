/* SPDX-License-Identifier: Apache-2.0 */
/* PMU events from activities. Several events are the same quantity at this level of detail (accepted and completed
 * transactions, say). Ports of a group and decoders of U85 get equal shares, which add up to the whole. */
#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

#include <string.h>

static const struct { enum npu_event event; enum activity activity; } from_activity[] = {
	{ NPU_EVENT_MAC_ACTIVE, ACT_MAC },
	{ NPU_EVENT_MAC_ACTIVE_8BIT, ACT_MAC_8BIT },
	{ NPU_EVENT_MAC_ACTIVE_16BIT, ACT_MAC_16BIT },
	{ NPU_EVENT_MAC_ACTIVE_32BIT, ACT_MAC_32BIT },
	{ NPU_EVENT_MAC_DPU_ACTIVE, ACT_MAC },
	{ NPU_EVENT_MAC_STALLED_BY_WD_ACC, ACT_MAC_STALL_WEIGHTS },
	{ NPU_EVENT_MAC_STALLED_BY_WD_ACC, ACT_MAC_STALL_ACC },
	{ NPU_EVENT_MAC_STALLED_BY_WD, ACT_MAC_STALL_WEIGHTS },
	{ NPU_EVENT_MAC_STALLED_BY_ACC, ACT_MAC_STALL_ACC },
	{ NPU_EVENT_MAC_STALLED_BY_IB, ACT_MAC_STALL_IFM },
	{ NPU_EVENT_MAC_STALLED_BY_INT_W, ACT_MAC_STALL_WEIGHTS },
	{ NPU_EVENT_MAC_STALLED_BY_INT_ACC, ACT_MAC_STALL_ACC },
	{ NPU_EVENT_AO_ACTIVE, ACT_OUT },
	{ NPU_EVENT_AO_ACTIVE_8BIT, ACT_OUT_8BIT },
	{ NPU_EVENT_AO_ACTIVE_16BIT, ACT_OUT_16BIT },
	{ NPU_EVENT_AO_STALLED_BY_OFMP_OB, ACT_OUT_STALL_SCALES },
	{ NPU_EVENT_AO_STALLED_BY_OFMP_OB, ACT_OUT_STALL_WRITE },
	{ NPU_EVENT_AO_STALLED_BY_OFMP, ACT_OUT_STALL_SCALES },
	{ NPU_EVENT_AO_STALLED_BY_OB, ACT_OUT_STALL_WRITE },
	{ NPU_EVENT_AO_STALLED_BY_ACC_IB, ACT_OUT_STALL_ACC },
	{ NPU_EVENT_AO_STALLED_BY_ACC_IB, ACT_OUT_STALL_IFM },
	{ NPU_EVENT_AO_STALLED_BY_ACC, ACT_OUT_STALL_ACC },
	{ NPU_EVENT_AO_STALLED_BY_IB, ACT_OUT_STALL_IFM },
	{ NPU_EVENT_WD_ACTIVE, ACT_WD },
	{ NPU_EVENT_WD_STALLED, ACT_WD_STALL_STREAM },
	{ NPU_EVENT_WD_STALLED, ACT_WD_STALL_BUFFER },
	{ NPU_EVENT_WD_STALLED_BY_WS, ACT_WD_STALL_STREAM },
	{ NPU_EVENT_WD_STALLED_BY_WD_BUF, ACT_WD_STALL_BUFFER },
	{ NPU_EVENT_WD_PARSE_ACTIVE, ACT_WD },
	{ NPU_EVENT_WD_PARSE_STALLED, ACT_WD_STALL_STREAM },
	{ NPU_EVENT_WD_PARSE_STALLED, ACT_WD_STALL_BUFFER },
	{ NPU_EVENT_WD_PARSE_STALLED_IN, ACT_WD_STALL_STREAM },
	{ NPU_EVENT_WD_PARSE_STALLED_OUT, ACT_WD_STALL_BUFFER },
	{ NPU_EVENT_WD_TRANS_WS, ACT_WD_STREAM_WORDS },
	{ NPU_EVENT_WD_TRANS_WB, ACT_WD_BLOCKS },
	{ NPU_EVENT_WD_TRANS_DW0, ACT_WD_DEPTHWISE_BLOCKS },
	{ NPU_EVENT_WD_TRANS_DW1, ACT_WD_DEPTHWISE_BLOCKS },
};

/* U85: what every decoder counts for itself; the first of four events in a row. */
static const struct { enum npu_event first; enum activity activity; bool shared; } from_decoder[] = {
	{ NPU_EVENT_WD_STALLED_BY_WS_SC0, ACT_WD_STALL_STREAM, false },
	{ NPU_EVENT_WD_PARSE_ACTIVE_SC0, ACT_WD, false },
	{ NPU_EVENT_WD_PARSE_STALL_SC0, ACT_WD_STALL_STREAM, false },
	{ NPU_EVENT_WD_PARSE_STALL_SC0, ACT_WD_STALL_BUFFER, false },
	{ NPU_EVENT_WD_PARSE_STALL_IN_SC0, ACT_WD_STALL_STREAM, false },
	{ NPU_EVENT_WD_PARSE_STALL_OUT_SC0, ACT_WD_STALL_BUFFER, false },
	{ NPU_EVENT_WD_TRANS_WS_SC0, ACT_WD_STREAM_WORDS, true },
	{ NPU_EVENT_WD_TRANS_WB0, ACT_WD_BLOCKS, false },
};

/* Rows of event.def for a port, in their order there. */
enum port_event {
	RD_ACCEPTED, RD_COMPLETED, RD_BEATS, RD_REQUEST_STALLED, WR_ACCEPTED, WR_COMPLETED_M, WR_COMPLETED_S, WR_BEATS,
	WR_REQUEST_STALLED, WR_BEAT_STALLED, ENABLED, RD_LIMIT, WR_LIMIT, PORT_EVENTS
};

_Static_assert(NPU_EVENT_AXI0_WR_STALL_LIMIT - NPU_EVENT_AXI0_RD_TRANS_ACCEPTED == WR_LIMIT, "rows of a port");
_Static_assert(NPU_EVENT_EXT1_WR_STALL_LIMIT - NPU_EVENT_EXT1_RD_TRANS_ACCEPTED == WR_LIMIT, "rows of a port");

static const enum npu_event group_events[NPU_PORTS] = { NPU_EVENT_AXI0_RD_TRANS_ACCEPTED,
							NPU_EVENT_AXI1_RD_TRANS_ACCEPTED };
static const enum npu_event single_events[NPU_PORTS][4] = {
	{ NPU_EVENT_SRAM0_RD_TRANS_ACCEPTED, NPU_EVENT_SRAM1_RD_TRANS_ACCEPTED, NPU_EVENT_SRAM2_RD_TRANS_ACCEPTED,
	  NPU_EVENT_SRAM3_RD_TRANS_ACCEPTED },
	{ NPU_EVENT_EXT0_RD_TRANS_ACCEPTED, NPU_EVENT_EXT1_RD_TRANS_ACCEPTED, NPU_EVENT_EXT1_RD_TRANS_ACCEPTED,
	  NPU_EVENT_EXT1_RD_TRANS_ACCEPTED },
};

static u64 over(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static void count_port(const struct port_model *port, const struct traffic *t, u64 cycles, u64 n[PORT_EVENTS])
{
	const struct traffic reads = { .read_beats = t->read_beats, .reads = t->reads };
	const struct traffic writes = { .write_beats = t->write_beats, .writes = t->writes };
	const u64 beats = div_up(t->read_beats + t->write_beats, port->lanes);

	n[RD_ACCEPTED] = n[RD_COMPLETED] = t->reads;
	n[RD_BEATS] = t->read_beats;
	n[RD_REQUEST_STALLED] = n[RD_LIMIT] = over(port_cycles(port, &reads), div_up(t->read_beats, port->lanes));
	n[WR_ACCEPTED] = n[WR_COMPLETED_M] = n[WR_COMPLETED_S] = t->writes;
	n[WR_BEATS] = t->write_beats;
	n[WR_REQUEST_STALLED] = n[WR_LIMIT] = over(port_cycles(port, &writes), div_up(t->write_beats, port->lanes));
	n[WR_BEAT_STALLED] = t->write_beats ? over(port_cycles(port, t), beats) : 0;
	n[ENABLED] = t->reads || t->writes ? cycles : 0;
}

/* Whether an event counts transactions or beats, of which each port of a group has its share. */
static bool shared(unsigned port_event)
{
	return port_event <= RD_BEATS || (port_event >= WR_ACCEPTED && port_event <= WR_BEATS);
}

static void add_port(const struct npu_config *config, unsigned port, const u64 n[PORT_EVENTS], struct npu_cost *cost)
{
	const unsigned ports = config->product != NPU_U85 ? 0 : port ? config->ext_ports : config->sram_ports;

	for (unsigned i = 0; i < PORT_EVENTS; i++) {
		if (!n[i])
			continue;
		event_count(cost, group_events[port] + i, n[i]);
		for (unsigned p = 0; p < ports; p++)
			event_count(cost, single_events[port][p] + i, shared(i) ? (n[i] + p) / ports : n[i]);
	}
}

/* Reads by the latency that they see, in bins of at least so many cycles. */
static void add_latencies(const struct port_model *port, u64 reads, struct npu_cost *cost)
{
	event_count(cost, NPU_EVENT_AXI_LATENCY_ANY, reads);
	for (unsigned i = 0; i <= NPU_EVENT_AXI_LATENCY_1024 - NPU_EVENT_AXI_LATENCY_32; i++)
		if (port->read_latency >= 32u << i)
			event_count(cost, NPU_EVENT_AXI_LATENCY_32 + i, reads);
}

static void add_decoders(const struct npu_config *config, const u64 activity[ACT_COUNT], bool fast, struct npu_cost *cost)
{
	const unsigned decoders = fast ? 1 : config->cores;

	for (size_t i = 0; i < ARRAY_LEN(from_decoder); i++) {
		const u64 n = activity[from_decoder[i].activity];

		for (unsigned d = 0; n && d < decoders; d++)
			event_count(cost, from_decoder[i].first + d, from_decoder[i].shared ? (n + d) / decoders : n);
	}
	event_count(cost, NPU_EVENT_WD_TRANS_WB, activity[ACT_WD_DEPTHWISE_BLOCKS]);
	event_count(cost, fast ? NPU_EVENT_WD_STALLED_BY_WS_FC : NPU_EVENT_WD_STALLED_BY_WS_TC, activity[ACT_WD_STALL_STREAM]);
	event_count(cost, fast ? NPU_EVENT_WD_TRANS_WS_FC : NPU_EVENT_WD_TRANS_WS_TC, activity[ACT_WD_STREAM_WORDS]);
}

void events_of(const struct npu_config *config, const struct memory_model *m, const struct op_cost *own, struct npu_cost *cost)
{
	memset(cost->event, 0, sizeof cost->event);
	memset(cost->happened, 0, sizeof cost->happened);
	for (size_t i = 0; i < ARRAY_LEN(from_activity); i++)
		if (own->activity[from_activity[i].activity])
			event_count(cost, from_activity[i].event, own->activity[from_activity[i].activity]);
	if (config->product == NPU_U85)
		add_decoders(config, own->activity, own->fast_weights, cost);
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		const struct traffic *t = &own->traffic[i];
		u64 n[PORT_EVENTS];

		if (!t->reads && !t->writes && !t->read_beats && !t->write_beats)
			continue;
		count_port(&m->port[i], t, own->cycles, n);
		add_port(config, i, n, cost);
		add_latencies(&m->port[i], t->reads, cost);
	}
}
