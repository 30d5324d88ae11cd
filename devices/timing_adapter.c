/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U timing adapter (public driver of the core driver's test platform): limits between the NPU
 * and a memory. Latencies, outstanding limits, pulses and the bandwidth cap reach the NPU's timing
 * model through the host side. MODE is stored only (latencies are always fixed), statistics
 * read 0. */
#include "devices/timing_adapter.h"

#include "devices/classes.h"

#define REGS(R)                                                                   \
	R(0x00, 1, MAXR, RW, 0, 0x3f, "outstanding reads, 0 = no limit")          \
	R(0x04, 1, MAXW, RW, 0, 0x3f, "outstanding writes, 0 = no limit")         \
	R(0x08, 1, MAXRW, RW, 0, 0x3f, "outstanding transfers, 0 = no limit")     \
	R(0x0c, 1, RLATENCY, RW, 0, 0xfff, "least cycles of a read")              \
	R(0x10, 1, WLATENCY, RW, 0, 0xfff, "least cycles of a write")             \
	R(0x14, 1, PULSE_ON, RW, 0, 0xffff, "cycles in which transfers pass")     \
	R(0x18, 1, PULSE_OFF, RW, 0, 0xffff, "cycles in which they do not")       \
	R(0x1c, 1, BWCAP, RW, 0, 0xffff, "data beats per pulse, 0 = no limit")    \
	R(0x20, 1, PERFCTRL, RW, 0, 0x3f, "event to count")                       \
	R(0x24, 1, PERFCNT, RW, 0, 0xffffffff, "events")                          \
	R(0x28, 1, MODE, RW, 1, 0xfff, "latency mode")                            \
	R(0x2c, 1, MAXPENDING, RO, 0, 0xffffffff, "most outstanding transfers seen") \
	R(0x30, 1, HISTBIN, RW, 0, 0xf, "histogram bin")                          \
	R(0x34, 1, HISTCNT, RW, 0, 0xffffffff, "events in that bin")              \
	R(0x38, 1, VERSION, RO, 0x1117, 0xffffffff, "version")

REG_TABLE(REGS)

static u32 smaller_limit(u32 a, u32 b)
{
	if (!a || !b)
		return a | b;
	return a < b ? a : b;
}

static void tell(struct device *d)
{
	const struct timing_adapter_host *host = d->host;
	u32 on = *device_reg(d, PULSE_ON), off = *device_reg(d, PULSE_OFF);
	struct timing_adapter_settings s = {
		.read_latency = *device_reg(d, RLATENCY),
		.write_latency = *device_reg(d, WLATENCY),
		.max_reads = smaller_limit(*device_reg(d, MAXR), *device_reg(d, MAXRW)),
		.max_writes = smaller_limit(*device_reg(d, MAXW), *device_reg(d, MAXRW)),
	};

	if (on && (off || *device_reg(d, BWCAP))) {
		s.window = on + off;
		s.open = on;
		s.cap = *device_reg(d, BWCAP);
	}
	if (host)
		host->changed(host->ctx, &s);
}

static void adapter_write(struct device *d, u32 offset, u32 value, u32 old)
{
	tell(d);
}

void timing_adapter_connect(struct device *adapter, struct timing_adapter_host *host)
{
	adapter->host = host;
	tell(adapter);
}

const struct device_class timing_adapter_class = {
	.kind = "Ethos-U timing adapter", .size = 0x200, .rows = rows,
	.row_count = ARRAY_LEN(rows), .write = adapter_write, .reset = tell,
};
