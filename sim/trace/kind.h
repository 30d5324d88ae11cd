/* SPDX-License-Identifier: Apache-2.0 */
/* What a kind of trace is made of. Private to sim/trace/. */
#ifndef SIM_TRACE_KIND_H
#define SIM_TRACE_KIND_H

#include "sim/network/npu_names.h"
#include "sim/trace/trace.h"

/* Filters by what they look at: a kind of trace takes some of them. */
enum trace_filters {
	FILTER_INSTRUCTIONS = 1, /* function=, range=, state= */
	FILTER_TIME = 2,         /* from=, to= */
	FILTER_SHORTEST = 4,
};

/* What is to be traced; all bounds inclusive. */
struct trace_filter {
	u32 low, high;   /* addresses of instructions */
	u64 from, to;    /* processor cycles */
	bool secure, nonsecure;
	u64 shortest;    /* perfetto: functions that took fewer cycles are left out */
	unsigned given;  /* enum trace_filters */
};

/* One trace while it runs. */
struct trace {
	struct machine *machine;
	const struct trace_kind *kind;
	const char *path;
	const struct npu_names *names; /* of the NPU's operations, NULL: not known */
	FILE *file;
	struct trace_filter filter;
	void *state; /* the kind's own */
	bool failed; /* something could not be written, or host memory was short */
};

struct trace_kind {
	const char *name, *file; /* `file`: its name when none is given */
	const char *text;
	unsigned filters; /* enum trace_filters */
	/* False: host memory is short. */
	bool (*begin)(struct trace *t);
	/* Writes the rest and frees the state. */
	void (*end)(struct trace *t);
};

extern const struct trace_kind trace_tarmac, trace_fvpt, trace_npu, trace_perfetto, trace_pmu, trace_vcd;

static inline bool trace_wants(const struct trace_filter *f, u32 pc, u64 cycle, bool secure)
{
	return pc >= f->low && pc <= f->high && cycle >= f->from && cycle <= f->to && (secure ? f->secure : f->nonsecure);
}

/* Processor cycle of now, also inside an NPU's or a device's callback. */
static inline u64 trace_now(const struct trace *t)
{
	return t->machine->sched.now / t->machine->period;
}

#endif
