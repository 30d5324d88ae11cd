/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU on the time axis: jobs, operations, DMA, and how busy its units and ports are during each operation. The timing model
 * knows for how many cycles of an operation a unit works, not when: a counter has the operation's mean. */
#include "sim/trace/npu_text.h"
#include "sim/trace/perfetto_trace.h"

#include <inttypes.h>

static const struct { u16 track; u16 event; const char *track_name, *note; } units[] = {
	{ TRACK_WEIGHTS_UNIT, NPU_EVENT_WD_ACTIVE, "NPU: weight decoder", "cycles of the weight decoder" },
	{ TRACK_MAC_UNIT, NPU_EVENT_MAC_ACTIVE, "NPU: MAC unit", "cycles of the MAC unit" },
	{ TRACK_OUTPUT_UNIT, NPU_EVENT_AO_ACTIVE, "NPU: output unit", "cycles of the output unit" },
};

void perfetto_npu_tracks(struct perfetto *out)
{
	perfetto_track(out, TRACK_JOBS, "NPU: jobs");
	perfetto_track(out, TRACK_NPU, "NPU: operations");
	perfetto_track(out, TRACK_NPU_DMA, "NPU: DMA");
	perfetto_counter(out, TRACK_PORT0, "NPU: port 0", "beats/s");
	perfetto_counter(out, TRACK_PORT1, "NPU: port 1", "beats/s");
	perfetto_counter(out, TRACK_MACS, "NPU: multiplications", "MAC/s");
	for (unsigned i = 0; i < ARRAY_LEN(units); i++)
		perfetto_counter(out, units[i].track, units[i].track_name, "%");
	perfetto_counter(out, TRACK_NPU_MEMORY, "NPU: memory of the operation", "bytes");
}

void perfetto_npu_job(void *ctx, bool running)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;
	char text[40];

	if (running == s->job)
		return;
	s->job = running;
	if (running) {
		s->job_began = t->machine->sched.now;
		snprintf(text, sizeof text, "job %" PRIu64, npu_result(t->machine->npu)->jobs);
		perfetto_begin(&s->out, TRACK_JOBS, perfetto_now(t), text);
	} else {
		perfetto_end(&s->out, TRACK_JOBS, perfetto_now(t));
	}
}

/* Bytes that the operation moved over a port, by the beats that it counted. */
static u64 beats(const struct npu_cost *cost, unsigned port)
{
	static const enum npu_event read[] = { NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED, NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED };
	static const enum npu_event written[] = { NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN, NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN };

	return cost->event[read[port]] + cost->event[written[port]];
}

static u64 map_bytes(const struct npu_fm *fm)
{
	return fm->used ? (u64)fm->height * fm->width * fm->depth * fm->bytes : 0;
}

/* What it reads and writes: feature maps, weights. */
static u64 memory_of(const struct npu_op *op)
{
	u64 bytes = map_bytes(&op->ifm) + map_bytes(&op->ifm2) + map_bytes(npu_stored(op));

	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		bytes += op->weights[i].length;
	return bytes;
}

static void counter(struct perfetto_trace *s, u64 track, u64 start, u64 finish, u64 value)
{
	if (!value)
		return;
	perfetto_value(&s->out, track, start, value);
	perfetto_value(&s->out, track, finish, 0);
}

static void notes(struct perfetto *out, const struct npu_op *op, const struct npu_cost *cost, const char *name)
{
	char text[256];

	npu_text(op, text, sizeof text);
	perfetto_note(out, "operation", text);
	if (name)
		perfetto_note(out, "source operator", name);
	perfetto_note(out, "bound by", npu_bound_name(cost->bound));
	perfetto_note_number(out, "offset", op->offset);
	perfetto_note_number(out, "index", op->index);
	perfetto_note_number(out, "MACs", cost->macs);
	for (unsigned i = 0; i < ARRAY_LEN(units); i++)
		perfetto_note_number(out, units[i].note, cost->event[units[i].event]);
}

void perfetto_npu_operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;
	const u64 cycle = t->machine->period; /* the NPU has the processor's clock */
	const u64 start = (s->job_began + cost->start * cycle) / TICKS_PER_NS, finish = (s->job_began + cost->finish * cycle) / TICKS_PER_NS;
	const u64 track = op->kind == NPU_DMA ? TRACK_NPU_DMA : TRACK_NPU, ns = finish > start ? finish - start : 1;
	const char *name = npu_names_find(t->names, op->offset);
	const u64 cycles = cost->finish > cost->start ? cost->finish - cost->start : 1;

	if (!perfetto_in_time(t))
		return;
	perfetto_begin(&s->out, track, start, name ? name : npu_op_name(op));
	notes(&s->out, op, cost, name);
	perfetto_end(&s->out, track, finish);
	for (unsigned port = 0; port < NPU_PORTS; port++)
		counter(s, TRACK_PORT0 + port, start, finish, beats(cost, port) * 1000000000 / ns);
	counter(s, TRACK_MACS, start, finish, cost->macs * 1000000000 / ns);
	for (unsigned i = 0; i < ARRAY_LEN(units); i++)
		counter(s, units[i].track, start, finish, cost->event[units[i].event] * 100 / cycles);
	if (op->kind != NPU_DMA)
		counter(s, TRACK_NPU_MEMORY, start, finish, memory_of(op));
}
