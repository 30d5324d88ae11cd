/* SPDX-License-Identifier: Apache-2.0 */
/* PMU events from activities. Several events are the same quantity at this level of detail
 * (accepted and completed transactions, say); what the model does not know stays zero. */
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
	{ NPU_EVENT_AO_ACTIVE, ACT_OUT },
	{ NPU_EVENT_AO_ACTIVE_8BIT, ACT_OUT_8BIT },
	{ NPU_EVENT_AO_ACTIVE_16BIT, ACT_OUT_16BIT },
	{ NPU_EVENT_AO_STALLED_BY_OFMP_OB, ACT_OUT_STALL_WRITE },
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
};

struct port_events {
	enum npu_event rd_accepted, rd_completed, rd_beats, wr_accepted, wr_completed_m, wr_completed_s, wr_beats,
		enabled;
};

#define PORT_EVENTS(p) { \
	NPU_EVENT_##p##_RD_TRANS_ACCEPTED, NPU_EVENT_##p##_RD_TRANS_COMPLETED, \
	NPU_EVENT_##p##_RD_DATA_BEAT_RECEIVED, NPU_EVENT_##p##_WR_TRANS_ACCEPTED, \
	NPU_EVENT_##p##_WR_TRANS_COMPLETED_M, NPU_EVENT_##p##_WR_TRANS_COMPLETED_S, \
	NPU_EVENT_##p##_WR_DATA_BEAT_WRITTEN, NPU_EVENT_##p##_ENABLED_CYCLES }

static const struct port_events from_port[NPU_PORTS] = { PORT_EVENTS(AXI0), PORT_EVENTS(AXI1) };

void events_of(const struct npu_config *config, const struct memory_model *m, const struct op_cost *cost,
	       u64 event[NPU_EVENTS])
{
	memset(event, 0, sizeof event[0] * NPU_EVENTS);
	for (size_t i = 0; i < ARRAY_LEN(from_activity); i++)
		event[from_activity[i].event] += cost->activity[from_activity[i].activity];
	for (unsigned i = 0; i < NPU_PORTS; i++) {
		const struct port_events *e = &from_port[i];
		const struct traffic *t = &cost->traffic[i];

		event[e->rd_accepted] = event[e->rd_completed] = t->reads;
		event[e->rd_beats] = t->read_beats;
		event[e->wr_accepted] = event[e->wr_completed_m] = event[e->wr_completed_s] = t->writes;
		event[e->wr_beats] = t->write_beats;
		event[e->enabled] = t->reads || t->writes ? cost->cycles : 0;
		event[NPU_EVENT_AXI_LATENCY_ANY] += t->reads;
	}
}
