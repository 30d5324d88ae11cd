/* SPDX-License-Identifier: Apache-2.0 */
/* Wires for GTKWave, in the Value Change Dump of IEEE 1364: interrupt lines, the exception being handled, sleep, the NPU, bytes
 * of the serial ports, driven pins of the GPIOs. Changes are kept until the end, because the header names every wire. */
#include "sim/trace/kind.h"

#include "cpu/observe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_EXCEPTION, WIRE_SLEEP, WIRE_NPU, WIRE_OPERATION, WIRE_UART, WIRE_GPIO = WIRE_UART + CONFIG_UARTS, WIRE_IRQ = WIRE_GPIO + 8, WIRES = WIRE_IRQ + 480 };
enum { NESTED = 256 };

struct change { u64 tick; u16 wire; u32 value; };

struct state {
	struct change *change;
	size_t count, room;
	bool used[WIRES];
	u32 last[WIRES];
	u16 exception[NESTED];
	u32 depth;
};

static void add(struct trace *t, u64 tick, unsigned wire, u32 value)
{
	struct state *s = t->state;
	const u64 cycle = tick / t->machine->period;

	if (cycle < t->filter.from || cycle > t->filter.to || (s->used[wire] && s->last[wire] == value && wire < WIRE_UART))
		return;
	if (s->count == s->room) {
		const size_t room = s->room ? 2 * s->room : 4096;
		struct change *more = realloc(s->change, room * sizeof *more);

		if (!more) {
			t->failed = true;
			return;
		}
		s->change = more;
		s->room = room;
	}
	s->used[wire] = true;
	s->last[wire] = value;
	s->change[s->count++] = (struct change){ tick, (u16)wire, value };
}

static void irq(void *ctx, unsigned number, bool level, u64 tick)
{
	if (WIRE_IRQ + number < WIRES)
		add(ctx, tick, WIRE_IRQ + number, level);
}

static void course(void *ctx, const struct cpu_course *c)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	const u64 tick = c->cycle * t->machine->period;

	if (c->turn == CPU_TURN_SLEEP) {
		add(t, tick, WIRE_SLEEP, 1);
		add(t, c->until * t->machine->period, WIRE_SLEEP, 0);
	} else if (c->turn == CPU_TURN_ENTRY) {
		s->depth -= c->tail && s->depth;
		if (s->depth < NESTED)
			s->exception[s->depth++] = c->exception;
		add(t, tick, WIRE_EXCEPTION, c->exception);
	} else if (c->turn == CPU_TURN_EXIT) {
		s->depth -= s->depth != 0;
		add(t, tick, WIRE_EXCEPTION, s->depth ? s->exception[s->depth - 1] : 0);
	}
}

static void job(void *ctx, bool running)
{
	struct trace *t = ctx;

	add(t, t->machine->sched.now, WIRE_NPU, running);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct trace *t = ctx;

	add(t, t->machine->sched.now, WIRE_OPERATION, op->index + 1);
}

static void uart(void *ctx, unsigned port, u8 byte)
{
	struct trace *t = ctx;

	add(t, t->machine->sched.now, WIRE_UART + port, byte);
}

static void device(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value)
{
	struct trace *t = ctx;
	unsigned gpio;

	if (news == DEVICE_PINS && sscanf(d->name, "GPIO%u", &gpio) == 1 && WIRE_GPIO + gpio < WIRE_IRQ)
		add(t, t->machine->sched.now, WIRE_GPIO + gpio, value);
}

static unsigned width(unsigned wire)
{
	static const u8 first[] = { [WIRE_EXCEPTION] = 9, [WIRE_SLEEP] = 1, [WIRE_NPU] = 1, [WIRE_OPERATION] = 32 };

	return wire < WIRE_UART ? first[wire] : wire < WIRE_GPIO ? 8 : wire < WIRE_IRQ ? 16 : 1;
}

static void name(unsigned wire, char *text, size_t size)
{
	static const char *const names[] = { [WIRE_EXCEPTION] = "exception", [WIRE_SLEEP] = "sleep", [WIRE_NPU] = "npu_busy",
					     [WIRE_OPERATION] = "npu_operations" };

	if (wire < ARRAY_LEN(names))
		snprintf(text, size, "%s", names[wire]);
	else if (wire < WIRE_GPIO)
		snprintf(text, size, "uart%u", wire - WIRE_UART);
	else
		snprintf(text, size, wire < WIRE_IRQ ? "gpio%u" : "irq%u", wire - (wire < WIRE_IRQ ? WIRE_GPIO : WIRE_IRQ));
}

static void put_value(FILE *f, unsigned wire, u32 value)
{
	const unsigned bits = width(wire);

	if (bits == 1) {
		fprintf(f, "%u!%u\n", value & 1, wire);
		return;
	}
	fputc('b', f);
	for (unsigned i = bits; i--;)
		fputc('0' + (value >> i & 1), f);
	fprintf(f, " !%u\n", wire);
}

/* By time; changes of the same moment stay in the order in which they came. */
static int order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->tick != y->tick)
		return x->tick < y->tick ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void write_all(struct trace *t)
{
	struct state *s = t->state;
	FILE *f = t->file;
	char text[32];
	u64 at = UINT64_MAX;

	fprintf(f, "$version fvp-sim $end\n$timescale 1ps $end\n$scope module %s $end\n", t->machine->config.board->name);
	for (unsigned w = 0; w < WIRES; w++)
		if (s->used[w]) {
			name(w, text, sizeof text);
			fprintf(f, "$var wire %u !%u %s $end\n", width(w), w, text);
		}
	fprintf(f, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n");
	for (unsigned w = 0; w < WIRES; w++)
		if (s->used[w])
			put_value(f, w, 0);
	fprintf(f, "$end\n");
	if (s->count)
		qsort(s->change, s->count, sizeof *s->change, order);
	for (size_t i = 0; i < s->count; i++) {
		if (s->change[i].tick != at && s->change[i].tick)
			fprintf(f, "#%" PRIu64 "\n", s->change[i].tick * 1000 / (SCHED_TICKS_PER_SECOND / 1000000000));
		at = s->change[i].tick;
		put_value(f, s->change[i].wire, s->change[i].value);
	}
}

static bool begin(struct trace *t)
{
	const struct cpu_observer o = { .course = course, .irq = irq, .ctx = t };
	const struct machine_listener l = { .npu = { .operation = operation, .job = job, .ctx = t }, .uart = uart, .device = device, .ctx = t };

	t->state = calloc(1, sizeof(struct state));
	return t->state && cpu_observe(t->machine->cpu, &o) && machine_listen(t->machine, &l);
}

static void end(struct trace *t)
{
	struct state *s = t->state;

	cpu_unobserve(t->machine->cpu, t);
	machine_unlisten(t->machine, t);
	if (!s)
		return;
	write_all(t);
	free(s->change);
	free(s);
}

const struct trace_kind trace_vcd = { "vcd", "trace.vcd", "interrupts, exceptions, sleep, NPU, serial ports and GPIO as wires", begin, end };
