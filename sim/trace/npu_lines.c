/* SPDX-License-Identifier: Apache-2.0 */
/* A line for each operation of the NPU: when, what, where in the command stream, how long, what bound it. */
#include "sim/trace/kind.h"
#include "sim/trace/npu_text.h"

#include <inttypes.h>

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct trace *t = ctx;
	char text[256];

	if (trace_now(t) < t->filter.from || trace_now(t) > t->filter.to)
		return;
	const char *name = npu_names_find(t->names, op->offset);

	npu_text(op, text, sizeof text);
	fprintf(t->file, "%14" PRIu64 "  job %4" PRIu64 "  op %4u  at 0x%06x  %10" PRIu64 "..%-10" PRIu64 " %10" PRIu64 " cycles  %12" PRIu64
		" MACs  %-8s %s%s%s\n", trace_now(t), npu_result(t->machine->npu)->jobs, op->index, op->offset, cost->start, cost->finish,
		cost->cycles, cost->macs, npu_bound_name(cost->bound), text, name ? "  ; " : "", name ? name : "");
}

static bool begin(struct trace *t)
{
	fprintf(t->file, "# processor cycle, job, operation, offset in the command stream, NPU cycles from the job's start (start..end), by how many\n"
		"# the job's end moved, multiplications, what bound it, what it does; operator of the network\n");
	return machine_listen(t->machine, &(struct machine_listener){ .npu = { .operation = operation, .ctx = t }, .ctx = t });
}

static void end(struct trace *t)
{
	machine_unlisten(t->machine, t);
}

const struct trace_kind trace_npu = { "npu", "npu.txt", "a line for each operation of the NPU", FILTER_TIME, begin, end };
