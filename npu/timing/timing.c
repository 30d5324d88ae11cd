/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in time. The parser runs ahead of the units: kernels run one after another
 * (overlapping by head and tail when BLOCKDEP lets them), DMA operations beside them, until a
 * wait command or a full queue stops the parser. */
#include "npu/timing/timing.h"
#include "npu/timing/cap.h"
#include "npu/timing/constants.h"
#include "npu/timing/cost.h"

#include <string.h>

enum { PARSE_CYCLES = 1, KERNELS_OUTSTANDING = 2 };

const char *npu_bound_name(enum npu_bound bound)
{
	static const char *const names[] = {
#define BOUND(name, text) [NPU_BOUND_##name] = text,
#include "npu/timing/bound.def"
#undef BOUND
	};

	return names[bound];
}

const char *npu_wait_name(enum npu_wait wait)
{
	static const char *const names[] = {
#define WAIT(name, text) [NPU_WAIT_##name] = text,
#include "npu/timing/wait.def"
#undef WAIT
	};

	return names[wait];
}

void npu_timing_start(struct npu_timing *t)
{
	*t = (struct npu_timing){ 0 };
}

void npu_timing_wait(struct npu_timing *t, bool dma, unsigned n)
{
	if (dma && n < ARRAY_LEN(t->dma_end))
		t->issue = max_u64(t->issue, t->dma_end[n]);
	if (!dma && n < ARRAY_LEN(t->kernel_end))
		t->issue = max_u64(t->issue, t->kernel_end[n]);
}

static unsigned dma_outstanding(const struct npu_config *config)
{
	return config->product == NPU_U55 ? 1 : config->product == NPU_U65 ? 2 : 4;
}

/* Cycles that the kernel before holds one, beyond its work: by BLOCKDEP, and by what it has in the SHRAM. */
struct held { u64 blockdep, banks; };

/* Of the cycles by which an operation moves the job's end, those that are not its slowest resource's. `begin`: of its work, `worked`: its end. */
static void note_waits(const struct npu_timing *t, u64 begin, u64 worked, u64 busy, struct npu_cost *cost)
{
	const u64 times[] = { t->end, max_u64(t->end, t->issue), max_u64(t->end, begin), max_u64(t->end, worked), max_u64(t->end, cost->finish) };

	cost->wait[NPU_WAIT_COMMANDS] = times[1] - times[0];
	cost->wait[NPU_WAIT_DATA] = times[2] - times[1];
	cost->wait[NPU_WAIT_START] = times[3] - times[2] - min_u64(times[3] - times[2], busy);
	cost->wait[NPU_WAIT_WRITE] = times[4] - times[3];
	cost->waiting = 0;
	for (unsigned i = 0; i < NPU_WAITS; i++)
		cost->waiting += cost->wait[i];
}

static u64 over(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* U55, U65: banks of the SHRAM that held accumulators of the kernel before are to hold its IFM, or the other way round. */
static bool banks_change(const struct npu_timing *t, const struct npu_op *op)
{
	return op->ib_end > t->ab_start || op->ab_start < t->ib_end;
}

/* When the kernel before, whose work ends at `done`, has no more than so many blocks left: at any time where it has no more in all. */
static u64 nearly_done(const struct npu_timing *t, u64 blocks, u64 done)
{
	return blocks < t->kernel_blocks ? done - times_over(done - t->kernel_begin, blocks, t->kernel_blocks) : 0;
}

/* The operation that is being placed. */
struct placed {
	const struct npu_config *config;
	const struct npu_op *op;
	struct memory_model memory;
	struct op_parts parts;
	struct op_cost own;
};

/* The rest of the operation's cost, once it is known when it begins. */
static void begin_at(const struct npu_timing *t, struct placed *o, u64 begin)
{
	for (unsigned i = 0; i < NPU_PORTS; i++)
		cap_begin(&o->memory.port[i], &t->beats[i], begin, &o->own.traffic[i], o->op->kind != NPU_DMA);
	cost_finish(o->config, &o->memory, o->op, &o->parts, &o->own);
}

static void end_at(struct npu_timing *t, const struct placed *o, u64 end)
{
	for (unsigned i = 0; i < NPU_PORTS; i++)
		t->passed[i] = max_u64(t->passed[i], cap_end(&o->memory.port[i], &t->beats[i], end, &o->own.traffic[i], o->op->kind != NPU_DMA));
}

static void keep_kernel(struct npu_timing *t, const struct placed *o, u64 begin, u64 worked, u64 finish)
{
	t->kernel_end[1] = t->kernel_end[0];
	t->kernel_end[0] = finish;
	t->kernel_tail = finish - worked;
	t->kernel_drain = o->own.drain;
	t->kernel_begin = begin;
	t->kernel_blocks = o->own.blocks;
	t->ib_end = o->op->ib_end;
	t->ab_start = o->op->ab_start;
}

static void place_kernel(struct npu_timing *t, struct placed *o, struct npu_cost *cost, struct held *held)
{
	/* The array may start when that of the kernel before is idle, even while its output unit still works on banks that stay as they are, the
	 * IFM be read when at most `blockdep` blocks of that kernel are unfinished, weights be read when its weights are taken. */
	const struct npu_op *op = o->op;
	const u64 done = t->kernel_end[0] - t->kernel_tail;
	const u64 drained = done - (op->blockdep ? t->kernel_drain : 0), idle = banks_change(t, op) ? done : drained;
	const u64 ready = op->blockdep ? nearly_done(t, op->blockdep, done) : t->kernel_end[0];
	const struct port_model *port = o->memory.port;
	const struct op_cost *own = &o->own;

	npu_timing_wait(t, false, KERNELS_OUTSTANDING - 1);
	held->blockdep = ready > t->issue && !op->blockdep ? min_u64(ready - t->issue, t->kernel_tail) : 0;
	cost->start = max_u64(t->issue, ready);

	const u64 data = port_passes_at(&port[own->ifm_port], cost->start) + own->ifm, computes = max_u64(data, idle);

	held->banks = over(computes, max_u64(data, drained));

	/* Scales are fetched from the operation's start on, weights before it. */
	const u64 scales = port_rounds_end(&port[own->scale_port], &own->scales, max_u64(cost->start, idle)) + own->scales_behind;
	const u64 first = own->weights.count ? port_rounds_end(&port[own->weight_port], &own->weights, max_u64(t->issue, t->weights_end)) : 0;
	const u64 begin = max_u64(computes, first);

	begin_at(t, o, begin);
	if (own->weights.count)
		t->weights_end = max_u64(first + own->weight_stream, begin + own->work - own->last);

	const u64 worked = max_u64(begin + own->work, scales);

	cost->finish = max_u64(port_passes_at(&port[own->tail_port], worked) + own->tail, t->kernel_end[0] + 1);
	note_waits(t, begin, worked, own->busy, cost);
	end_at(t, o, worked);
	keep_kernel(t, o, begin, worked, cost->finish);
}

static void place_dma(struct npu_timing *t, struct placed *o, struct npu_cost *cost)
{
	npu_timing_wait(t, true, dma_outstanding(o->config) - 1);
	cost->start = max_u64(t->issue, t->dma_end[0]);

	const u64 begin = port_passes_at(&o->memory.port[o->own.ifm_port], cost->start);

	begin_at(t, o, begin);
	cost->finish = begin + o->own.cycles;
	end_at(t, o, cost->finish);
	note_waits(t, begin, cost->finish, o->own.busy, cost);
	memmove(t->dma_end + 1, t->dma_end, sizeof t->dma_end - sizeof t->dma_end[0]);
	t->dma_end[0] = cost->finish;
}

/* The stream is read ahead by a bounded number of bytes, which arrive in one latency, from where the parser has come: long commands wait for slow
 * memories. What they ask for then waits for the adapter's window, so that no command has to. */
static void await_commands(struct npu_timing *t, const struct port_model *port, u32 bytes)
{
	const u64 latency = max_u64(port->read_latency, 1);

	if (!t->end)
		t->issue = t->parsed = port_passes_at(port, JOB_CYCLES) + latency;
	t->fetched = max_u64(t->fetched, t->parsed - latency) + bytes * latency / port_commands_ahead(port);
	t->issue = max_u64(t->issue, t->fetched);
}

void npu_timing_op(struct npu_timing *t, struct npu_shapes *known, const struct npu_config *config,
		   const struct npu_ports *ports, const struct npu_op *op, u32 stream_bytes,
		   struct npu_cost *cost)
{
	struct placed o;
	struct held held = { 0 };
	u64 end;

	o.config = config;
	o.op = op;
	memory_model_of(config, ports, &o.memory);
	cost_begin(known, config, &o.memory, op, stream_bytes, &o.parts, &o.own);
	await_commands(t, &o.memory.port[o.memory.stream_port], stream_bytes);
	if (op->kind == NPU_DMA)
		place_dma(t, &o, cost);
	else
		place_kernel(t, &o, cost, &held);
	t->parsed = t->issue += PARSE_CYCLES;
	/* Time moves with every operation, even one that ends under an earlier one: the effects
	 * of operations land one after another. */
	end = max_u64(t->end + 1, cost->finish);
	cost->bound = o.own.bound;
	for (unsigned i = 0; i < NPU_PORTS; i++)
		if (t->passed[i] > end) { /* what operations did not wait for, the job does */
			end = t->passed[i];
			cost->bound = (u8)(NPU_BOUND_PORT0 + i);
		}
	cost->cycles = end - t->end;
	t->end = end;
	cost->macs = macs_of(op);
	if (cost->bound == NPU_BOUND_LATENCY) {
		cost->wait[NPU_WAIT_START] += cost->cycles - cost->waiting;
		cost->waiting = cost->cycles;
	}
	o.own.cycles = cost->cycles;
	events_of(config, &o.memory, &o.own, cost);
	event_count(cost, NPU_EVENT_CC_STALLED_ON_BLOCKDEP, held.blockdep);
	event_count(cost, NPU_EVENT_CC_STALLED_ON_SHRAM_RECONFIG, held.banks);
}
