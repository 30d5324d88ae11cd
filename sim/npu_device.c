/* SPDX-License-Identifier: Apache-2.0 */
/* Glue between bus and NPU: 32-bit registers on one side, spans of memory on the other. */
#include "sim/npu_device.h"
#include "devices/timing_adapter.h"

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
	return bus_span(ctx, BUS_NPU, addr, size);
}

static void wrote(void *ctx, u64 addr, u64 size)
{
	bus_wrote(ctx, (u32)addr, size);
}

static bool map(struct machine *m, u32 base)
{
	const u32 bytes = m->config.npu->product == NPU_U85 ? 0x2000 : 0x1000;

	return !base || bus_add_device(m->bus, "NPU", base, bytes, BUS_CPU, &register_ops, m->npu);
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

bool npu_device_add(struct machine *m, char *why, size_t why_size)
{
	const struct board_npu *place = &m->config.board->npu;
	const struct npu_options options = {
		.config = m->config.npu,
		.memory = { .span = span, .wrote = wrote, .ctx = m->bus },
		.sched = &m->sched,
		.hertz = m->config.cpu.clock_hz,
		.irq = { .set = cpu_irq_set, .ctx = m->cpu, .number = place->irq },
		.diag = m->diag,
		.host_simd = m->config.host_simd,
	};

	m->npu = npu_new(&options);
	if (!m->npu || !map(m, place->ns_base) || !map(m, place->s_base)) {
		snprintf(why, why_size, "cannot make the NPU %s%s%s", m->config.npu->name,
			 m->config.host_simd ? ": unknown host instruction set " : "",
			 m->config.host_simd ? m->config.host_simd : "");
		return false;
	}
	connect_adapters(m);
	return true;
}
