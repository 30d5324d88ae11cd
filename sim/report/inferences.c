/* SPDX-License-Identifier: Apache-2.0 */
/* A report per job. A program can start any number of jobs, so that only the first ones are kept, and of the first of these
 * the operations; what was left out is counted. */
#include "sim/report/inferences.h"
#include "sim/network/npu_report.h"
#include "traces/json.h"

#include <stdlib.h>

enum { KEPT = 1000, OPERATIONS_KEPT = 4096 };

struct inferences {
	struct machine *m;
	struct npu_report *job;
	u64 *began; /* of each of them: the processor's cycle */
	u32 count, room;
	u64 jobs, operations; /* all that were seen */
	u64 listed;           /* operations in lists */
};

static struct npu_report *present(struct inferences *k)
{
	return k->jobs == k->count && k->count ? &k->job[k->count - 1] : NULL;
}

/* npu_report.memory */
static const char *memory_at(void *ctx, u64 address)
{
	const struct machine *m = ctx;
	const struct region *near = address <= UINT32_MAX ? bus_nearest(m->bus, (u32)address) : NULL;

	return near ? near->name : "unknown";
}

static void starts(struct inferences *k)
{
	k->jobs++;
	if (k->jobs - 1 != k->count || k->count == KEPT)
		return;
	if (k->count == k->room) {
		const u32 room = k->room ? 2 * k->room : 16;
		struct npu_report *job = realloc(k->job, room * sizeof *job);
		if (!job)
			return;
		k->job = job;
		u64 *began = realloc(k->began, room * sizeof *began);
		if (!began)
			return;
		k->began = began;
		k->room = room;
	}
	k->began[k->count] = k->m->sched.now / k->m->period;
	k->job[k->count++] = (struct npu_report){
		.layers = true, .names = k->m->npu_names, .npu = k->m->npu, .memory = memory_at, .ctx = k->m,
	};
}

static void job(void *ctx, bool running)
{
	if (running)
		starts(ctx);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct inferences *k = ctx;
	struct npu_report *r = present(k);

	k->operations++;
	if (!r)
		return;
	const u32 before = r->count;
	r->layers = k->listed < OPERATIONS_KEPT;
	npu_report_add(r, op, cost);
	k->listed += r->count - before;
}

struct inferences *inferences_begin(struct machine *m)
{
	struct inferences *k = m->npu ? calloc(1, sizeof *k) : NULL;

	if (!k)
		return NULL;
	k->m = m;
	const struct machine_listener l = { .npu = { .operation = operation, .job = job, .ctx = k }, .ctx = k };
	if (machine_listen(m, &l))
		return k;
	free(k);
	return NULL;
}

void inferences_write(const struct inferences *k, struct json *j)
{
	json_array(j, "inferences");
	for (u32 i = 0; i < k->count; i++) {
		json_object(j, NULL);
		json_u64(j, "began", k->began[i]);
		json_u64(j, "cycles", k->job[i].cycles);
		npu_report_write_sums(j, &k->job[i], k->m->config.npu);
		json_u64(j, "operation_count", k->job[i].operations);
		npu_report_write_operations(j, &k->job[i], k->m->config.npu);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_u64(j, "inferences_left_out", k->jobs - k->count);
	json_u64(j, "operations_left_out", k->operations - k->listed);
}

void inferences_end(struct inferences *k)
{
	if (!k)
		return;
	machine_unlisten(k->m, k);
	for (u32 i = 0; i < k->count; i++)
		npu_report_free(&k->job[i]);
	free(k->job);
	free(k->began);
	free(k);
}
