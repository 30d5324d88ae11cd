/* SPDX-License-Identifier: Apache-2.0 */
/* Table of operations and JSON report of an NPU run. */
#include "sim/npu_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/decode.h"
#include "traces/json.h"

static void keep(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct npu_report *r = ctx;

	if (!r->layers)
		return;
	if (r->count == r->room) {
		u32 room = r->room ? 2 * r->room : 64;
		struct npu_layer *list = realloc(r->list, room * sizeof(*list));
		if (!list)
			return;
		r->list = list;
		r->room = room;
	}
	r->list[r->count++] = (struct npu_layer){ .op = *op, .cost = *cost };
}

struct npu_listener npu_report_listener(struct npu_report *r)
{
	return (struct npu_listener){ .operation = keep, .ctx = r };
}

static void describe(const struct npu_op *op, char *out, size_t size)
{
	const struct npu_fm *i = &op->ifm, *o = &op->ofm;

	if (op->kind == NPU_DMA)
		snprintf(out, size, "%" PRIu64 " bytes", op->dma.length * op->dma.rows * op->dma.planes);
	else
		snprintf(out, size, "%ux%ux%u -> %ux%ux%u", i->height, i->width, i->depth, o->height,
			 o->width, o->depth);
}

void npu_report_print(const struct npu_report *r, const struct npu_result *result)
{
	char shape[80];

	printf("%5s %8s  %-12s %-34s %12s\n", "op", "offset", "kind", "shape", "cycles");
	for (u32 i = 0; i < r->count; i++) {
		const struct npu_layer *l = &r->list[i];
		describe(&l->op, shape, sizeof(shape));
		printf("%5u %8x  %-12s %-34s %12" PRIu64 "\n", i, l->op.offset, npu_op_name(&l->op),
		       shape, l->cost.cycles);
	}
	printf("total %" PRIu64 " cycles, %u operations\n", result->total_cycles, r->count);
}

static const char *const end_names[] = { "none", "stop", "bus_error", "parse_error",
					 "weight_error", "branch_error", "work_limit", "reset" };

static void write_layers(struct json *j, const struct npu_report *r)
{
	char shape[80];

	json_array(j, "operations");
	for (u32 i = 0; i < r->count; i++) {
		const struct npu_layer *l = &r->list[i];
		describe(&l->op, shape, sizeof(shape));
		json_object(j, NULL);
		json_string(j, "kind", npu_op_name(&l->op));
		json_u64(j, "offset", l->op.offset);
		json_string(j, "shape", shape);
		json_u64(j, "cycles", l->cost.cycles);
		json_u64(j, "start", l->cost.start);
		json_u64(j, "finish", l->cost.finish);
		json_close(j, '}');
	}
	json_close(j, ']');
}

bool npu_report_write(const struct npu_report *r, const struct npu_result *result,
		      const struct npu_config *config, const char *path, char *why, size_t why_size)
{
	FILE *f = fopen(path, "w");
	struct json j;

	if (!f) {
		snprintf(why, why_size, "%.200s: %s", path, strerror(errno));
		return false;
	}
	json_begin(&j, f);
	json_string(&j, "schema", "fvp-sim-npu-report");
	json_u64(&j, "version", 1);
	json_string(&j, "accelerator", config->name);
	json_string(&j, "end", end_names[result->end]);
	json_string(&j, "message", result->message);
	json_u64(&j, "jobs", result->jobs);
	json_u64(&j, "cycles", result->total_cycles);
	json_object(&j, "events");
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		if (result->event[e])
			json_u64(&j, npu_event_name((enum npu_event)e), result->event[e]);
	json_close(&j, '}');
	if (r->layers)
		write_layers(&j, r);
	json_end(&j);
	if (fclose(f) == 0)
		return true;
	snprintf(why, why_size, "%.200s: cannot be written", path);
	return false;
}

void npu_report_free(struct npu_report *r)
{
	free(r->list);
	r->list = NULL;
	r->count = r->room = 0;
}
