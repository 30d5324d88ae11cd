/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU on the time axis: jobs, operations, DMA, and how busy its units and ports are during each operation. The timing model
 * knows for how many cycles of an operation a unit works, not when: a counter has the operation's mean, and where operations overlap
 * their sum. */
#include "sim/trace/npu_text.h"
#include "sim/trace/perfetto_trace.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct { u16 track; u16 event; const char *track_name, *note; } units[] = {
	{ TRACK_WEIGHTS_UNIT, NPU_EVENT_WD_ACTIVE, "NPU: weight decoder", "cycles of the weight decoder" },
	{ TRACK_MAC_UNIT, NPU_EVENT_MAC_ACTIVE, "NPU: MAC unit", "cycles of the MAC unit" },
	{ TRACK_OUTPUT_UNIT, NPU_EVENT_AO_ACTIVE, "NPU: output unit", "cycles of the output unit" },
};

static const char *const lane_name[] = { "NPU: operations", "NPU: DMA" };

static bool is_percentage(u32 track)
{
	for (unsigned i = 0; i < ARRAY_LEN(units); i++)
		if (units[i].track == track)
			return true;
	return false;
}

void perfetto_npu_tracks(struct perfetto *out)
{
	perfetto_track(out, TRACK_JOBS, "NPU: jobs");
	perfetto_track(out, TRACK_NPU, lane_name[0]);
	perfetto_track(out, TRACK_NPU_DMA, lane_name[1]);
	perfetto_counter(out, TRACK_PORT0, "NPU: port 0", "beats/s");
	perfetto_counter(out, TRACK_PORT1, "NPU: port 1", "beats/s");
	perfetto_counter(out, TRACK_MACS, "NPU: multiplications", "MAC/s");
	for (unsigned i = 0; i < ARRAY_LEN(units); i++)
		perfetto_counter(out, units[i].track, units[i].track_name, "%");
	perfetto_counter(out, TRACK_NPU_MEMORY, "NPU: memory of the operation", "bytes");
}

static int by_time(const void *a, const void *b)
{
	const struct perfetto_change *x = a, *y = b;

	return x->track != y->track ? (x->track < y->track ? -1 : 1) : x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* The counters of a job. */
static void write_counters(struct perfetto_trace *s)
{
	i64 value = 0;

	if (s->changes)
		qsort(s->change, s->changes, sizeof *s->change, by_time);
	for (const struct perfetto_change *c = s->change, *end = c + s->changes; c < end; c++) {
		value += c->by;
		if (c + 1 < end && c[1].track == c->track && c[1].ns == c->ns)
			continue;
		perfetto_value(&s->out, c->track, c->ns, is_percentage(c->track) && value > 100 ? 100 : (u64)value); /* means may say more */
	}
	s->changes = 0;
}

void perfetto_npu_end(struct perfetto_trace *s)
{
	write_counters(s);
	free(s->change);
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
		write_counters(s);
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

static void counter(struct perfetto_trace *s, u32 track, u64 start, u64 finish, u64 value)
{
	if (!value)
		return;
	if (s->changes + 2 > s->change_room) {
		const u32 room = s->change_room ? 2 * s->change_room : 1024;
		struct perfetto_change *more = realloc(s->change, room * sizeof *more);

		if (!more) {
			s->calls.failed = true;
			return;
		}
		s->change = more;
		s->change_room = room;
	}
	s->change[s->changes++] = (struct perfetto_change){ start, (i64)value, track };
	s->change[s->changes++] = (struct perfetto_change){ finish, -(i64)value, track };
}

/* A track on which nothing overlaps what begins at `start`: slices of a track can only nest. Tracks of one name are shown as one. */
static u64 lane_for(struct perfetto_trace *s, bool is_copy, u64 start, u64 finish)
{
	struct perfetto_lanes *lanes = is_copy ? &s->copies : &s->operations;
	const u64 track = is_copy ? TRACK_NPU_DMA : TRACK_NPU;
	unsigned lane = 0;

	while (lane + 1 < PERFETTO_LANES && lanes->until[lane] > start)
		lane++;
	if (lane && !lanes->until[lane])
		perfetto_track(&s->out, track + lane, lane_name[is_copy]);
	lanes->until[lane] = finish;
	return track + lane;
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
	const u64 ns = finish > start ? finish - start : 1;
	const char *name = npu_names_find(t->names, op->offset);
	const u64 cycles = cost->finish > cost->start ? cost->finish - cost->start : 1;

	if (!perfetto_in_time(t))
		return;
	const u64 track = lane_for(s, op->kind == NPU_DMA, start, finish);
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
