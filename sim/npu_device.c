/* SPDX-License-Identifier: Apache-2.0 */
/* Glue between bus and NPU: 32-bit registers on one side, spans of memory on the other. */
#include "sim/npu_device.h"
#include "sim/listen.h"
#include "devices/timing_adapter.h"
#include "sim/params/host_simd.h"

#include <stdio.h>

static enum bus_status read_register(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 *value)
{
	const u32 word = npu_read(ctx, offset & ~3u);

	*value = word >> 8 * (offset & 3);
	if (size < 4)
		*value &= (1u << 8 * size) - 1;
	return BUS_OK;
}

static enum bus_status write_register(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 value)
{
	if (size != 4) /* the register interface is 32 bits wide; narrower writes have no effect */
		return BUS_OK;
	npu_write(ctx, offset, value);
	return BUS_OK;
}

static const struct bus_device_ops register_ops = { read_register, write_register };

static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	if (write)
		return bus_span_to_write(ctx, BUS_NPU, addr, size);
	u8 *bytes = bus_span(ctx, BUS_NPU, addr, size);
	if (bytes)
		bus_will_read(ctx, (u32)addr, size);
	return bytes;
}

static void wrote(void *ctx, u64 addr, u64 size)
{
	bus_wrote(ctx, (u32)addr, size);
}

static bool map(struct machine *m, u32 base)
{
	return !base || bus_add_device(m->bus, "NPU", base, npu_register_bytes(m->config.npu), BUS_CPU, &register_ops, m->npu);
}

/* A board made for accelerators with fewer registers has other devices where the rest would be. */
static bool board_has_room(const struct machine *m)
{
	enum { SMALLEST_DEVICE = 0x200 };
	const u32 base = m->config.board->npu.ns_base;

	for (u32 at = 0; at < npu_register_bytes(m->config.npu); at += SMALLEST_DEVICE)
		if (bus_find(m->bus, base + at, BUS_CPU))
			return false;
	return true;
}

static enum failure no_room(const struct machine *m, char *why, size_t why_size)
{
	const struct board *const *b = boards;

	while (*b && npu_config_find((*b)->default_npu)->product != m->config.npu->product)
		b++;
	snprintf(why, why_size, "%s has no place for the registers of %s: take --board %s", m->config.board->name,
		 m->config.npu->name, *b ? (*b)->name : "with another accelerator");
	return FAIL_USAGE;
}

static enum failure not_made(const struct machine *m, char *why, size_t why_size)
{
	if (!m->config.host_simd) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	snprintf(why, why_size, "unknown host instruction set '%s', or not one of this host; give " HOST_SIMD_WANTED,
		 m->config.host_simd);
	return FAIL_USAGE;
}

/* A timing adapter's settings become what the NPU's timing model knows. BWCAP counts beats of the
 * port's width, whatever that is: published FVP sweeps show it, though the adapter's driver speaks
 * of 64-bit words. */
static void adapter_changed(void *ctx, const struct timing_adapter_settings *s)
{
	const struct machine_adapter *a = ctx;
	const struct npu_adapter adapter = {
		.read_latency = s->read_latency, .write_latency = s->write_latency,
		.max_reads = s->max_reads, .max_writes = s->max_writes,
		.window = s->window, .open = s->open, .cap = s->cap,
	};

	npu_set_adapter(a->machine->npu, a->port, &adapter);
}

static void connect_adapters(struct machine *m)
{
	for (unsigned port = 0; port < NPU_PORTS; port++) {
		struct machine_adapter *a = &m->adapter[port];
		const char *name = m->config.board->npu.adapter[port];
		struct device *d = name ? device_set_find(m->devices, name) : NULL;

		*a = (struct machine_adapter){ .machine = m, .port = port, .host = { adapter_changed, a } };
		if (d)
			timing_adapter_connect(d, &a->host);
	}
}

enum failure npu_device_add(struct machine *m, char *why, size_t why_size)
{
	const struct board_npu *place = &m->config.board->npu;
	const struct npu_options options = {
		.config = m->config.npu,
		.memory = { .span = span, .wrote = wrote, .ctx = m->bus },
		.sched = &m->sched,
		.hertz = m->config.cpu.clock_hz,
		.irq = { .set = cpu_irq_set, .ctx = m->cpu, .number = place->irq },
		.diag = m->diag,
		.listener = listen_npu(m),
		.host_simd = m->config.host_simd,
		.threads = m->config.threads,
		.share_weights = true,
		.stop = &m->asked,
	};

	if (!board_has_room(m))
		return no_room(m, why, why_size);
	m->npu = npu_new(&options);
	if (!m->npu || !map(m, place->ns_base) || !map(m, place->s_base))
		return not_made(m, why, why_size);
	if (!m->config.npu_memory_given) {
		connect_adapters(m);
		return 0;
	}
	for (unsigned port = 0; port < NPU_PORTS; port++)
		npu_set_adapter(m->npu, port, &m->config.npu_memory[port]);
	return 0;
}
