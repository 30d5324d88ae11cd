/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the trace for ui.perfetto.dev. Private to sim/trace/. */
#ifndef SIM_TRACE_PERFETTO_TRACE_H
#define SIM_TRACE_PERFETTO_TRACE_H

#include "sim/trace/calls.h"
#include "sim/trace/heap.h"
#include "sim/trace/kind.h"
#include "traces/perfetto.h"

/* Ticks of simulated time in a nanosecond. */
#define TICKS_PER_NS (SCHED_TICKS_PER_SECOND / UINT64_C(1000000000))

enum { TRACK_CPU = 1, TRACK_EXCEPTIONS, TRACK_SLEEP, TRACK_JOBS, TRACK_PORT0, TRACK_PORT1, TRACK_MACS,
       TRACK_WEIGHTS_UNIT, TRACK_MAC_UNIT, TRACK_OUTPUT_UNIT, TRACK_NPU_MEMORY, TRACK_HEAP, TRACK_THREADS,
       TRACK_STACK = 16, TRACK_NPU = 20, TRACK_NPU_DMA = 24, TRACK_UART = 32, TRACK_DMA = 40, TRACK_IRQ = 64, TRACK_DEVICE = 1024 };
enum { PERFETTO_LINE = 160, PERFETTO_DEVICES = 128, PERFETTO_CHANNELS = 8 };
enum { PERFETTO_LANES = 4 }; /* tracks for operations of the NPU that overlap: the next one begins before this one has ended */
enum { PERFETTO_PIECE = 100000 }; /* a piece of time, in nanoseconds, of what changes too often to be told one by one */

struct open_frame;

/* Accesses to a device in the present piece of time. */
struct perfetto_device { const struct device *device; u64 piece, count; };

/* A main stack: the highest place of its pointer, the lowest one in the present piece of time, and where it is. */
struct perfetto_stack { bool known; u32 top, lowest, pointer, told; u64 piece; };

/* From `ns` on a counter of the NPU is so much more, or less. */
struct perfetto_change { u64 ns; i64 by; u32 track; };

/* Operations of the NPU, or copies by its DMA: where the latest one of each track ends. 0: none has been there. */
struct perfetto_lanes { u64 until[PERFETTO_LANES]; };

struct perfetto_trace {
	struct perfetto out;
	struct calls calls;
	struct open_frame *open;
	u32 depth, room;
	u32 written; /* of the open frames: the outer ones, whose begins are in the file */
	bool irq_known[512];
	bool job;
	u64 job_began; /* tick */
	struct perfetto_lanes operations, copies;
	struct perfetto_change *change; /* of the present job */
	u32 changes, change_room;
	char uart[CONFIG_UARTS][PERFETTO_LINE];
	unsigned uart_length[CONFIG_UARTS];
	struct perfetto_device device[PERFETTO_DEVICES];
	unsigned device_count;
	struct perfetto_stack stack[2]; /* Non-secure, Secure */
	struct heap heap;
	u64 heap_told;
	bool channel_known[PERFETTO_CHANNELS], moving[PERFETTO_CHANNELS];
};

static inline u64 perfetto_ns(const struct trace *t, u64 cycle) { return cycle * t->machine->period / TICKS_PER_NS; }
static inline u64 perfetto_now(const struct trace *t) { return t->machine->sched.now / TICKS_PER_NS; }
static inline bool perfetto_in_time(const struct trace *t) { return trace_now(t) >= t->filter.from && trace_now(t) <= t->filter.to; }

/* The NPU. ctx of the callbacks: the struct trace. */
void perfetto_npu_tracks(struct perfetto *out);
void perfetto_npu_job(void *ctx, bool running);
void perfetto_npu_operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost);
void perfetto_npu_end(struct perfetto_trace *s);

/* Looks at the main stack of the present Security state. */
void perfetto_stack(struct trace *t, u64 cycle);
void perfetto_stack_end(struct trace *t);

/* Interrupt lines, serial ports, devices. */
void perfetto_irq(void *ctx, unsigned number, bool level, u64 tick);
void perfetto_uart(void *ctx, unsigned port, u8 byte);
void perfetto_device(void *ctx, const struct device *d, enum device_news news, unsigned number, u32 value);
/* Writes what is not complete yet. */
void perfetto_devices_end(struct trace *t);

#endif
