/* SPDX-License-Identifier: Apache-2.0 */
/* Everything on one time axis for ui.perfetto.dev: functions and exceptions of the processor, interrupt lines, operations of
 * the NPU, its units and ports, text of the serial ports, accesses to devices. Times are simulated. */
#include "sim/trace/perfetto_trace.h"
#include "sim/trace/symbols.h"

#include <stdlib.h>
#include <string.h>

/* Short functions are never written. */
struct open_frame { u64 cycle; u32 function; u16 exception; };

static void write_open(struct trace *t, const struct open_frame *o)
{
	struct perfetto_trace *s = t->state;
	char text[48], name[16];

	if (o->exception)
		snprintf(text, sizeof text, "exception %u", o->exception);
	if (o->exception)
		perfetto_begin(&s->out, TRACK_EXCEPTIONS, perfetto_ns(t, o->cycle), text);
	perfetto_begin(&s->out, o->exception ? TRACK_EXCEPTIONS : TRACK_CPU, perfetto_ns(t, o->cycle), symbols_name(t->machine, o->function, name, sizeof name));
}

static void entered(void *ctx, const struct cpu_frame *f, u64 cycle)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;

	if (s->depth == s->room) {
		const u32 room = s->room ? 2 * s->room : 256;
		struct open_frame *more = realloc(s->open, room * sizeof *more);

		if (!more) {
			s->calls.failed = true;
			return;
		}
		s->open = more;
		s->room = room;
	}
	const struct call_context *c = &s->calls.context[f->context];
	s->open[s->depth++] = (struct open_frame){ cycle, c->function, c->exception };
}

static void left(void *ctx, const struct cpu_frame *f, u64 cycle)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;

	if (!s->depth)
		return;
	const struct open_frame *o = &s->open[--s->depth];
	const bool written = s->depth < s->written;

	if (!written && cycle - o->cycle < t->filter.shortest && !o->exception)
		return;
	if (!written && (cycle < t->filter.from || o->cycle > t->filter.to))
		return;
	while (s->written <= s->depth)
		write_open(t, &s->open[s->written++]);
	s->written = s->depth;
	perfetto_end(&s->out, o->exception ? TRACK_EXCEPTIONS : TRACK_CPU, perfetto_ns(t, cycle));
	if (o->exception)
		perfetto_end(&s->out, TRACK_EXCEPTIONS, perfetto_ns(t, cycle));
}

/* The turn of a thread is over. */
static void switched(void *ctx, const struct call_thread *before, u64 cycle)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;
	char text[160], name[16];

	if (cycle < t->filter.from || before->since > t->filter.to)
		return;
	snprintf(text, sizeof text, "thread %u: %s", before->number, symbols_name(t->machine, before->function, name, sizeof name));
	perfetto_begin(&s->out, TRACK_THREADS, perfetto_ns(t, before->since), text);
	perfetto_end(&s->out, TRACK_THREADS, perfetto_ns(t, cycle));
}

static void course(void *ctx, const struct cpu_course *c)
{
	struct trace *t = ctx;
	struct perfetto_trace *s = t->state;

	calls_follow(&s->calls, c);
	perfetto_stack(t, c->cycle);
	heap_follow(&s->heap, c);
	if (s->heap.held != s->heap_told && c->cycle >= t->filter.from && c->cycle <= t->filter.to) {
		perfetto_value(&s->out, TRACK_HEAP, perfetto_ns(t, c->cycle), s->heap.held);
		s->heap_told = s->heap.held;
	}
	if (c->turn == CPU_TURN_SLEEP && c->until >= t->filter.from && c->cycle <= t->filter.to && c->until - c->cycle >= t->filter.shortest) {
		const bool npu = t->machine->npu && npu_busy(t->machine->npu);

		perfetto_begin(&s->out, TRACK_SLEEP, perfetto_ns(t, c->cycle), npu ? "waits for the NPU" : "asleep");
		perfetto_end(&s->out, TRACK_SLEEP, perfetto_ns(t, c->until));
	}
}

static void name_tracks(struct trace *t, struct perfetto *out, const struct heap *heap)
{
	char name[16];

	perfetto_track(out, TRACK_CPU, "processor: functions");
	perfetto_track(out, TRACK_EXCEPTIONS, "processor: exceptions");
	perfetto_track(out, TRACK_THREADS, "processor: threads");
	perfetto_track(out, TRACK_SLEEP, "processor: asleep");
	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		snprintf(name, sizeof name, "UART%u", i);
		perfetto_track(out, TRACK_UART + i, name);
	}
	if (t->machine->npu)
		perfetto_npu_tracks(out);
	if (heap->functions)
		perfetto_counter(out, TRACK_HEAP, "heap", "bytes");
}

static bool begin(struct trace *t)
{
	struct perfetto_trace *s = calloc(1, sizeof *s);
	const struct cpu_observer o = { .course = course, .irq = perfetto_irq, .ctx = t };
	const struct machine_listener l = { .npu = { .operation = perfetto_npu_operation, .job = perfetto_npu_job, .ctx = t },
					    .uart = perfetto_uart, .device = perfetto_device, .ctx = t };

	t->state = s;
	if (!s)
		return false;
	perfetto_init(&s->out, t->file, "fvp-sim");
	heap_init(&s->heap, t->machine);
	name_tracks(t, &s->out, &s->heap);
	s->calls.entered = entered;
	s->calls.left = left;
	s->calls.switched = switched;
	s->calls.ctx = t;
	calls_init(&s->calls, t->machine, cpu_get_reg(t->machine->cpu, REG_PC), cpu_get_reg(t->machine->cpu, 13));
	perfetto_stack(t, machine_cycles(t->machine));
	return !s->calls.failed && cpu_observe(t->machine->cpu, &o) && machine_listen(t->machine, &l);
}

static void end(struct trace *t)
{
	struct perfetto_trace *s = t->state;

	cpu_observe_flush(t->machine->cpu);
	cpu_unobserve(t->machine->cpu, t);
	machine_unlisten(t->machine, t);
	if (!s)
		return;
	while (s->depth)
		left(t, NULL, machine_cycles(t->machine));
	if (s->calls.threads > 1)
		switched(t, &s->calls.thread, machine_cycles(t->machine));
	perfetto_npu_end(s);
	perfetto_devices_end(t);
	perfetto_stack_end(t);
	perfetto_done(&s->out);
	calls_free(&s->calls);
	heap_free(&s->heap);
	free(s->open);
	free(s);
}

const struct trace_kind trace_perfetto = { "perfetto", "trace.perfetto", "everything on one time axis, for ui.perfetto.dev",
	FILTER_TIME | FILTER_SHORTEST, begin, end };
