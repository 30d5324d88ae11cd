/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of a machine from its board's tables. */
#include "sim/machine.h"
#include "devices/sacfg.h"
#include "devices/sysctrl.h"
#include "loader/file.h"
#include "memory/fill.h"
#include "sim/npu_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void machine_stop(struct machine *m, enum stop_reason reason)
{
	if (m->stop == STOP_NONE)
		m->stop = reason;
	cpu_request_stop(m->cpu);
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
	sink_put(&u->sink, byte);
	if (tag_seen(u, byte))
		machine_stop(u->machine, STOP_TAG);
}

static int uart_get(void *ctx)
{
	struct machine_uart *u = ctx;

	return u->input ? getc(u->input) : -1;
}

static int open_uart(struct machine *m, unsigned n, char *why, size_t why_size)
{
	const struct uart_config *c = &m->config.uart[n];
	struct machine_uart *u = &m->uart[n];
	char name[] = { 'U', 'A', 'R', 'T', (char)('0' + n), 0 };
	struct device *device = device_set_find(m->devices, name);

	if (!sink_open(&u->sink, c->out_file, c->unbuffered, why, why_size))
		return EXIT_NO_OUTPUT;
	if (c->in_file && *c->in_file) {
		u->input = strcmp(c->in_file, "-") ? file_open(c->in_file, why, why_size) : stdin;
		if (!u->input)
			return EXIT_NO_INPUT;
	}
	u->machine = m;
	u->tag = c->shutdown_tag;
	u->stop_on_eot = c->shutdown_on_eot;
	u->host = (struct uart_host){ .put = uart_put, .get = u->input ? uart_get : NULL, .ctx = u };
	if (device)
		uart_connect(device, &u->host);
	return 0;
}

static void close_uart(struct machine_uart *u)
{
	sink_close(&u->sink);
	if (u->input && u->input != stdin)
		fclose(u->input);
}

/* ---- instrumentation trace ---- */

static void itm_put(void *ctx, u8 byte)
{
	struct machine *m = ctx;

	if (m->stop == STOP_NONE)
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

static bool add_cpu(struct machine *m)
{
	struct cpu_config *c = &m->config.cpu;

	c->idau = attribute;
	c->idau_ctx = m;
	if (m->semihosting) {
		c->semihost = semihosting_trap;
		c->semihost_ctx = m->semihosting;
	}
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
			.reset = { .set = request_reset, .ctx = m },
			.lock = { .set = cpu_lock_set, .ctx = m->cpu },
		},
		.gating = m->config.gating,
	};

	m->devices = device_set_new(board->devices, board->device_count, &host);
	if (!m->devices)
		return false;
	m->access_config = device_set_find(m->devices, board->access_config);
	if (m->access_config)
		sacfg_set_nsccfg(m->access_config, m->config.nsccfg);
	if (device_set_find(m->devices, "SYSCTRL"))
		sysctrl_set_vector_base(device_set_find(m->devices, "SYSCTRL"), m->config.cpu.initsvtor);
	return true;
}

static int assemble(struct machine *m, char *why, size_t why_size)
{
	int status = 0;

	sched_init(&m->sched);
	m->period = sched_period(m->config.cpu.clock_hz);
	if (!m->period) {
		snprintf(why, why_size, "a core clock of %llu Hz cannot be simulated exactly: take a divisor of %llu Hz",
			 (unsigned long long)m->config.cpu.clock_hz, (unsigned long long)SCHED_TICKS_PER_SECOND);
		return EXIT_USAGE;
	}
	m->bus = bus_new(m->diag);
	if (!m->bus) {
		snprintf(why, why_size, "the host refuses 4 GiB of address space, or of a memory file (see ulimit -v and -f)");
		return EXIT_INTERNAL;
	}
	if (!add_memories(m, why, why_size))
		return EXIT_USAGE;
	if (m->config.semihosting.enable &&
	    !(m->semihosting = semihosting_new(&m->config.semihosting, m, why, why_size)))
		return EXIT_NO_INPUT;
	snprintf(why, why_size, "host memory is short");
	if (!add_cpu(m) || !add_devices(m))
		return EXIT_INTERNAL;
	if (m->config.npu)
		status = npu_device_add(m, why, why_size);
	for (unsigned i = 0; i < CONFIG_UARTS && !status; i++)
		status = open_uart(m, i, why, why_size);
	if (!status && !sink_open(&m->itm, m->config.itm_file, false, why, why_size))
		status = EXIT_NO_OUTPUT;
	return status;
}

int machine_new(struct machine **out, const struct machine_config *config, const struct diag *diag, char *why,
		size_t why_size)
{
	struct machine *m = calloc(1, sizeof *m);
	int status;

	*out = NULL;
	if (!m) {
		snprintf(why, why_size, "host memory is short");
		return EXIT_INTERNAL;
	}
	m->config = *config;
	m->diag = diag;
	status = assemble(m, why, why_size);
	if (status)
		machine_free(m);
	else
		*out = m;
	return status;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
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
	if (m->cpu)
		cpu_free(m->cpu);
	semihosting_free(m->semihosting);
	bus_free(m->bus);
	free(m);
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
