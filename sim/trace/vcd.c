/* SPDX-License-Identifier: Apache-2.0 */
/* Wires for GTKWave, in the Value Change Dump of IEEE 1364: interrupt lines, the exception being handled, sleep, the NPU, bytes
 * of the serial ports, driven pins of the GPIOs.
 *
 * The header names every wire that changes, and comes first. A short trace is kept until its end. Of a longer one the changes are
 * written as they come, behind room that the header gets at the end; where there is no going back in the file, it names all wires. */
#include "sim/trace/kind.h"

#include "cpu/observe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIRE_EXCEPTION, WIRE_SLEEP, WIRE_NPU, WIRE_OPERATION, WIRE_UART, WIRE_GPIO = WIRE_UART + CONFIG_UARTS, WIRE_IRQ = WIRE_GPIO + 8, WIRES = WIRE_IRQ + 480 };
enum { NESTED = 256 };
enum { KEPT = 1 << 14 };        /* changes that wait: they come nearly in order, the end of a sleep before what happens in it */
enum { HEADER_ROOM = 1 << 15 }; /* 29 characters of declaration and 6 of value for each interrupt, 70 for the others */

struct change { u64 tick; u16 wire; u32 value; };

struct state {
	struct change change[KEPT]; /* by time; those of the same moment in the order in which they came */
	size_t count;
	bool early;   /* some are written already */
	long begin;   /* of the header, when it is written again at the end; -1: it is not */
	u64 written;  /* the latest moment that is in the file */
	bool used[WIRES];
	u32 last[WIRES];
	u16 exception[NESTED];
	u32 depth;
};

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

static void put_number(FILE *f, char mark, u64 number)
{
	char text[24], *at = text + sizeof text;

	*--at = '\n';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	*--at = mark;
	fwrite(at, 1, (size_t)(text + sizeof text - at), f);
}

static void put_value(FILE *f, unsigned wire, u32 value)
{
	const unsigned bits = width(wire);
	char text[40];
	size_t n = 0;

	if (bits > 1)
		text[n++] = 'b';
	for (unsigned i = bits; i--;)
		text[n++] = (char)('0' + (value >> i & 1));
	if (bits > 1)
		text[n++] = ' ';
	fwrite(text, 1, n, f);
	put_number(f, '!', wire);
}

static void put_header(const struct trace *t)
{
	const struct state *s = t->state;
	FILE *f = t->file;
	char text[32];

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
}

/* The place of a header that can be written twice; -1: a pipe, or a file that is only ever added to. */
static long begin_of(FILE *f)
{
	struct stat info;

	return fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode) && !(fcntl(fileno(f), F_GETFL) & O_APPEND) ? ftell(f) : -1;
}

static void put_early_header(struct trace *t)
{
	struct state *s = t->state;

	s->early = true;
	s->begin = begin_of(t->file);
	if (s->begin < 0)
		memset(s->used, true, sizeof s->used);
	put_header(t);
	for (long at = s->begin < 0 ? HEADER_ROOM : ftell(t->file) - s->begin; at < HEADER_ROOM; at++)
		fputc(at % 64 ? ' ' : '\n', t->file);
	if (s->begin >= 0)
		fputc('\n', t->file);
}

static void put_changes(struct trace *t, size_t count)
{
	struct state *s = t->state;

	for (size_t i = 0; i < count; i++) {
		if (s->change[i].tick != s->written)
			put_number(t->file, '#', s->change[i].tick * 1000 / (SCHED_TICKS_PER_SECOND / 1000000000));
		s->written = s->change[i].tick;
		put_value(t->file, s->change[i].wire, s->change[i].value);
	}
	s->count -= count;
	memmove(s->change, s->change + count, s->count * sizeof *s->change);
}

static void write_some(struct trace *t)
{
	const struct state *s = t->state;

	if (!s->early)
		put_early_header(t);
	put_changes(t, KEPT / 2);
}

static void write_rest(struct trace *t)
{
	struct state *s = t->state;

	if (!s->early)
		put_header(t);
	put_changes(t, s->count);
	if (s->early && s->begin >= 0 && fseek(t->file, s->begin, SEEK_SET) == 0)
		put_header(t);
}

static void add(struct trace *t, u64 tick, unsigned wire, u32 value)
{
	struct state *s = t->state;
	const u64 cycle = tick / t->machine->period;
	size_t i;

	if (cycle < t->filter.from || cycle > t->filter.to || (s->used[wire] && s->last[wire] == value && wire < WIRE_UART))
		return;
	if (s->count == KEPT)
		write_some(t);
	s->used[wire] = true;
	s->last[wire] = value;
	if (tick < s->written)
		tick = s->written;
	for (i = s->count++; i && s->change[i - 1].tick > tick; i--)
		s->change[i] = s->change[i - 1];
	s->change[i] = (struct change){ tick, (u16)wire, value };
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
	write_rest(t);
	free(s);
}

const struct trace_kind trace_vcd = { "vcd", "trace.vcd", "interrupts, exceptions, sleep, NPU, serial ports and GPIO as wires",
	FILTER_TIME, begin, end };
