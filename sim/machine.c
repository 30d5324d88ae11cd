/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of a machine from its board's tables. */
#include "sim/machine.h"
#include "sim/cpu_memories.h"
#include "devices/rtc.h"
#include "devices/sacfg.h"
#include "devices/sys_counter.h"
#include "devices/sysctrl.h"
#include "memory/fill.h"
#include "sim/history/journal.h"
#include "sim/listen.h"
#include "sim/npu_device.h"
#include "sim/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void machine_stop(struct machine *m, enum stop_reason reason)
{
	if (m->stop == STOP_NONE)
		m->stop = reason;
	cpu_request_stop(m->cpu);
}

void machine_ask_stop(struct machine *m, enum stop_reason reason)
{
	int none = STOP_NONE;

	__atomic_compare_exchange_n(&m->asked, &none, reason, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
	cpu_request_stop(m->cpu);
	wait_end(&m->wait);
}

void machine_pause(struct machine *m, enum machine_pause pause)
{
	__atomic_store_n(&m->pause, pause, __ATOMIC_SEQ_CST);
	cpu_request_stop(m->cpu);
}

/* ---- surroundings ---- */

void machine_output(struct machine *m, int stream, const void *bytes, size_t count)
{
	if (m->host)
		m->host->output(m->host->ctx, stream, bytes, count);
}

/* Bytes from the console; how many there were. */
static size_t console_input(struct machine *m, int stream, void *bytes, size_t count)
{
	return m->host && m->host->input ? m->host->input(m->host->ctx, stream, bytes, count) : 0;
}

/* ---- serial ports ---- */

static bool tag_seen(struct machine_uart *u, u8 byte)
{
	if (!u->tag || !*u->tag)
		return false;
	/* the longest part of what has matched that the byte can continue */
	for (size_t n = u->tag_matched + 1; n--;)
		if ((u8)u->tag[n] == byte && !memcmp(u->tag, u->tag + u->tag_matched - n, n)) {
			u->tag_matched = n + 1;
			return !u->tag[n + 1];
		}
	u->tag_matched = 0;
	return false;
}

static void uart_put(void *ctx, u8 byte)
{
	struct machine_uart *u = ctx;

	if (u->machine->stop != STOP_NONE) /* the end was asked for: nothing after it is seen */
		return;
	if (byte == 4 && u->stop_on_eot) {
		machine_stop(u->machine, STOP_EOT);
		return;
	}
	if (u->sink.bytes >= u->sink.seen) {
		machine_output(u->machine, (int)(u - u->machine->uart), &byte, 1);
		listen_uart(u->machine, (unsigned)(u - u->machine->uart), byte);
	}
	sink_put(&u->sink, byte);
	if (tag_seen(u, byte))
		machine_stop(u->machine, STOP_TAG);
}

static int uart_read(struct machine_uart *u)
{
	u8 byte;

	if (u->input.file)
		return input_get(&u->input, &u->machine->wait);
	return console_input(u->machine, (int)(u - u->machine->uart), &byte, 1) == 1 ? byte : -1;
}

static int repeat_uart(struct machine *m, u32 port)
{
	u64 bytes;
	const u8 *entry = journal_next(m->journal, JOURNAL_SERIAL, port, &bytes);
	int byte;

	if (!entry || bytes != sizeof byte) {
		machine_strays(m, "reads a serial port");
		return -1;
	}
	memcpy(&byte, entry, sizeof byte);
	return byte;
}

static int uart_get(void *ctx)
{
	struct machine_uart *u = ctx;
	struct journal *j = u->machine->journal;
	const u32 port = (u32)(u - u->machine->uart);
	int byte;

	if (journal_replays(j))
		return repeat_uart(u->machine, port);
	byte = uart_read(u);
	journal_add(j, JOURNAL_SERIAL, port, &byte, sizeof byte);
	return byte;
}

static enum failure open_uart(struct machine *m, unsigned n, char *why, size_t why_size)
{
	const struct uart_config *c = &m->config.uart[n];
	struct machine_uart *u = &m->uart[n];
	char name[] = { 'U', 'A', 'R', 'T', (char)('0' + n), 0 };
	struct device *device = device_set_find(m->devices, name);

	if (!sink_open(&u->sink, c->out_file, c->unbuffered, why, why_size))
		return FAIL_NO_OUTPUT;
	if (c->in_file && *c->in_file && !input_open(&u->input, c->in_file, why, why_size))
		return FAIL_NO_INPUT;
	u->machine = m;
	u->tag = c->shutdown_tag;
	u->stop_on_eot = c->shutdown_on_eot;
	u->host = (struct uart_host){ .put = uart_put, .get = u->input.file ? uart_get : NULL, .ctx = u, .overruns = c->overruns };
	if (device)
		uart_connect(device, &u->host);
	return FAIL_NONE;
}

static void close_uart(struct machine_uart *u)
{
	sink_close(&u->sink);
	input_close(&u->input);
}

/* ---- instrumentation trace ---- */

static void itm_put(void *ctx, u8 byte)
{
	struct machine *m = ctx;

	if (m->stop != STOP_NONE)
		return;
	if (m->itm.bytes >= m->itm.seen)
		machine_output(m, STREAM_ITM, &byte, 1);
	sink_put(&m->itm, byte);
}

/* ---- parts ---- */

static bool add_memories(struct machine *m, char *why, size_t why_size)
{
	for (unsigned i = 0; i < m->config.board->memory_count; i++) {
		const struct board_memory *r = &m->config.board->memories[i];
		const u32 size = m->config.memory_bytes[i];

		if (board_add_memory(m->bus, r, size) &&
		    bus_fill(m->bus, r->ns_base, m->config.memory_fill[i][0], m->config.memory_fill[i][1]))
			continue;
		snprintf(why, why_size, "memory %s of %u bytes does not fit at 0x%08x: give it a smaller size", r->name, size, r->ns_base);
		return false;
	}
	return true;
}

static void attribute(void *ctx, u32 addr, struct cpu_idau *out)
{
	const struct machine *m = ctx;

	m->config.board->idau(m->access_config ? sacfg_nsccfg(m->access_config) : 0, addr, out);
}

static void request_reset(void *ctx, unsigned number, bool level)
{
	struct machine *m = ctx;

	if (level) {
		m->reset_causes |= 1u << number;
		cpu_request_stop(m->cpu);
	}
}

/* The vector table is read when the wait is over: until then a program can be loaded. */
static void release_core(void *ctx, unsigned number, bool level)
{
	struct machine *m = ctx;

	if (!level && cpu_held(m->cpu))
		machine_boot(m);
}

static bool add_cpu(struct machine *m)
{
	struct cpu_config *c = &m->config.cpu;

	c->idau = m->config.no_idau ? NULL : attribute;
	c->idau_ctx = m;
	if (m->semihosting) {
		c->semihost = semihosting_trap;
		c->semihost_ctx = m->semihosting;
	}
	c->taken = cpu_memories_taken;
	c->taken_ctx = m;
	c->itm = itm_put;
	c->itm_ctx = m;
	m->cpu = cpu_new(c, m->bus, &m->sched, m->diag);
	if (m->cpu)
		cpu_lock_tie(m->cpu, m->config.cpu_locks);
	return m->cpu != NULL;
}

static bool add_devices(struct machine *m)
{
	const struct board *board = m->config.board;
	const struct device_host host = {
		.bus = m->bus,
		.sched = &m->sched,
		.diag = m->diag,
		.clock_hz = m->config.cpu.clock_hz,
		.out = {
			.irq = { .set = cpu_irq_set, .ctx = m->cpu },
			.nmi = { .set = cpu_nmi_set, .ctx = m->cpu },
			.wait = { .set = release_core, .ctx = m },
			.reset = { .set = request_reset, .ctx = m },
			.lock = { .set = cpu_lock_set, .ctx = m->cpu },
			.debug = { .set = cpu_debug_low, .ctx = m->cpu },
		},
		.gating = m->config.gating,
	};

	m->rows = malloc(board->device_count * sizeof *m->rows);
	if (!m->rows)
		return false;
	memcpy(m->rows, board->devices, board->device_count * sizeof *m->rows);
	board_fit_protection(board, m->rows, m->config.memory_bytes, m->config.vm_banks);
	m->devices = device_set_new(m->rows, board->device_count, &host);
	if (!m->devices)
		return false;
	m->access_config = device_set_find(m->devices, board->access_config);
	if (m->access_config)
		sacfg_set_nsccfg(m->access_config, m->config.nsccfg);
	if (device_set_find(m->devices, "RTC"))
		rtc_set_start(device_set_find(m->devices, "RTC"), m->config.start_date);
	if (!m->config.counter_waits && device_set_find(m->devices, "SYSCNTR"))
		sys_counter_run_at_reset(device_set_find(m->devices, "SYSCNTR"));
	if (device_set_find(m->devices, "SYSCTRL")) {
		sysctrl_set_vector_base(device_set_find(m->devices, "SYSCTRL"), m->config.cpu.initsvtor);
		sysctrl_set_core_waits(device_set_find(m->devices, "SYSCTRL"), m->config.cpu_waits);
	}
	return true;
}

static enum failure assemble(struct machine *m, char *why, size_t why_size)
{
	enum failure failure = FAIL_NONE;

	sched_init(&m->sched);
	if (!wait_open(&m->wait)) {
		snprintf(why, why_size, "the host refuses an event descriptor (see ulimit -n)");
		return FAIL_INTERNAL;
	}
	m->period = sched_period(m->config.cpu.clock_hz);
	if (!m->period) {
		snprintf(why, why_size, "a core clock of %llu Hz is faster than time is divided here: give at most %llu Hz",
			 (unsigned long long)m->config.cpu.clock_hz, (unsigned long long)SCHED_TICKS_PER_SECOND);
		return FAIL_USAGE;
	}
	if (SCHED_TICKS_PER_SECOND % m->config.cpu.clock_hz)
		diag_report(m->diag, DIAG_NOTE, "RUN004", "the core clock of %llu Hz is simulated as one of %.3f Hz",
			    (unsigned long long)m->config.cpu.clock_hz, (double)SCHED_TICKS_PER_SECOND / (double)m->period);
	m->bus = bus_new(m->diag);
	if (!m->bus) {
		snprintf(why, why_size, "the host refuses 4 GiB of address space: raise the limit (ulimit -v unlimited)");
		return FAIL_INTERNAL;
	}
	if (!add_memories(m, why, why_size))
		return FAIL_USAGE;
	if (m->config.semihosting.enable &&
	    !(m->semihosting = semihosting_new(&m->config.semihosting, m, why, why_size)))
		return FAIL_NO_INPUT;
	snprintf(why, why_size, "host memory is short");
	if (!add_cpu(m) || !tcm_ports_add(m) || !add_devices(m))
		return FAIL_INTERNAL;
	if (m->config.npu)
		failure = npu_device_add(m, why, why_size);
	for (unsigned i = 0; i < CONFIG_UARTS && !failure; i++)
		failure = open_uart(m, i, why, why_size);
	if (!failure && !sink_open(&m->itm, m->config.itm_file, false, why, why_size))
		failure = FAIL_NO_OUTPUT;
	return failure ? failure : scripts_new(&m->scripts, m, why, why_size);
}

/* diag.emit */
static void emit(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct machine *m = ctx;

	if (m->cpu && machine_in_past(m))
		return;
	told_add(&m->told, kind, id, text);
	if (m->user_diag && m->user_diag->emit)
		m->user_diag->emit(m->user_diag->ctx, kind, id, text);
}

enum failure machine_new(struct machine **out, const struct machine_config *config, const struct diag *diag, char *why,
			 size_t why_size)
{
	struct machine *m = calloc(1, sizeof *m);
	enum failure failure;

	*out = NULL;
	if (!m) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	m->config = *config;
	m->user_diag = diag;
	m->messages = (struct diag){ .emit = emit, .ctx = m };
	m->diag = &m->messages;
	m->wait.wake = -1;
	failure = assemble(m, why, why_size);
	if (failure)
		machine_free(m);
	else
		*out = m;
	return failure;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	scripts_free(m->scripts);
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		close_uart(&m->uart[i]);
	sink_close(&m->itm);
	for (unsigned i = 0; i < m->image_count; i++)
		image_close(&m->images[i]);
	free(m->images);
	if (m->npu)
		npu_free(m->npu);
	if (m->devices)
		device_set_free(m->devices);
	free(m->rows);
	if (m->cpu)
		cpu_free(m->cpu);
	semihosting_free(m->semihosting);
	wait_close(&m->wait);
	bus_free(m->bus);
	free(m->state);
	told_free(&m->told);
	free(m);
}

/* Serial ports that no file feeds get their input there. */
void machine_set_host(struct machine *m, const struct machine_host *host)
{
	m->host = host;
	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		const char name[] = { 'U', 'A', 'R', 'T', (char)('0' + i), 0 };
		struct device *device = device_set_find(m->devices, name);

		if (host->input)
			m->uart[i].host.get = uart_get;
		if (device)
			uart_connect(device, &m->uart[i].host);
	}
	if (m->semihosting)
		semihosting_set_host(m->semihosting, host);
}

u64 machine_cycles(const struct machine *m)
{
	return cpu_cycles(m->cpu);
}

void machine_describe(struct machine *m, u32 addr, char *text, size_t size)
{
	*text = 0;
	for (unsigned i = 0; i < m->image_count && !*text; i++)
		image_describe(&m->images[i], addr, text, size);
}
