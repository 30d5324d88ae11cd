/* SPDX-License-Identifier: Apache-2.0 */
/* JSON report of an NPU run. */
#include "sim/network/npu_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "npu/decode.h"
#include "npu/view.h"
#include "sim/accuracy.h"
#include "sim/network/npu_memories.h"
#include "traces/json.h"

static void describe(const struct npu_op *op, char *out, size_t size)
{
	const struct npu_fm *i = &op->ifm, *o = &op->ofm;

	if (op->kind == NPU_DMA)
		snprintf(out, size, "%" PRIu64 " bytes", op->dma.length * op->dma.rows * op->dma.planes);
	else
		snprintf(out, size, "%ux%ux%u -> %ux%ux%u", i->height, i->width, i->depth, o->height,
			 o->width, o->depth);
}

/* What an operation moved over the ports, in bytes. */
struct moved { u64 read[NPU_PORTS], written[NPU_PORTS]; };

static struct moved moved_by(const u64 event[NPU_EVENTS], const struct npu_config *config)
{
	const u64 width = config->axi_bytes;

	return (struct moved){
		{ event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED] * width, event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED] * width },
		{ event[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN] * width, event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN] * width },
	};
}

u32 npu_report_utilisation(const struct npu_cost *c, const struct npu_config *config)
{
	const u64 possible = (c->finish - c->start) * config->macs;

	return possible ? (u32)(c->macs * 1000 / possible) : 0;
}

const char *npu_report_end(enum npu_end end)
{
	static const char *const names[] = {
		[NPU_END_NONE] = "none", [NPU_END_STOP] = "stop", [NPU_END_BUS] = "bus_error", [NPU_END_PARSE] = "parse_error",
		[NPU_END_WEIGHTS] = "weight_error", [NPU_END_BRANCH] = "branch_error", [NPU_END_WORK_LIMIT] = "work_limit",
		[NPU_END_RESET] = "reset",
	};

	return names[end];
}

static void write_bytes(struct json *j, const struct moved *b)
{
	json_u64(j, "port0_read_bytes", b->read[0]);
	json_u64(j, "port0_written_bytes", b->written[0]);
	json_u64(j, "port1_read_bytes", b->read[1]);
	json_u64(j, "port1_written_bytes", b->written[1]);
}

static void write_waits(struct json *j, const u64 wait[NPU_WAITS])
{
	json_object(j, "waits");
	for (unsigned i = 0; i < NPU_WAITS; i++)
		if (wait[i])
			json_u64(j, npu_wait_name((enum npu_wait)i), wait[i]);
	json_close(j, '}');
}

void npu_report_write_sums(struct json *j, const struct npu_report *r, const struct npu_config *config)
{
	const u64 width = config->axi_bytes, possible = r->cycles * config->macs;
	const struct moved bytes = { { r->read[0] * width, r->read[1] * width }, { r->written[0] * width, r->written[1] * width } };

	json_object(j, "causes");
	for (unsigned i = 0; i < NPU_BOUNDS; i++)
		if (r->cause[i])
			json_u64(j, npu_bound_name((enum npu_bound)i), r->cause[i]);
	json_close(j, '}');
	write_waits(j, r->wait);
	json_u64(j, "macs", r->macs);
	json_u64(j, "utilisation_permille", possible ? r->macs * 1000 / possible : 0);
	write_bytes(j, &bytes);
	if (r->npu)
		npu_memories_write(j, r->moved, r->memories);
}

static void write_touched(struct json *j, const char *key, const struct npu_touched *t, unsigned count, bool written)
{
	json_array(j, key);
	for (unsigned i = 0; i < count; i++) {
		if (t[i].written != written)
			continue;
		json_object(j, NULL);
		json_u64(j, "region", t[i].region);
		json_u64(j, "address", t[i].first);
		json_u64(j, "bytes", t[i].bytes);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void npu_report_write_operations(struct json *j, const struct npu_report *r, const struct npu_config *config)
{
	struct npu_memory_bytes memories[NPU_REPORT_MEMORIES];
	char shape[80];

	json_array(j, "operations");
	for (u32 i = 0; i < r->count; i++) {
		const struct npu_layer *l = &r->list[i];
		const struct moved bytes = moved_by(l->cost.event, config);
		describe(&l->op, shape, sizeof(shape));
		json_object(j, NULL);
		json_string(j, "kind", npu_op_name(&l->op));
		json_u64(j, "offset", l->op.offset);
		if (npu_names_find(r->names, l->op.offset))
			json_string(j, "source", npu_names_find(r->names, l->op.offset));
		json_string(j, "shape", shape);
		json_u64(j, "cycles", l->cost.cycles);
		json_u64(j, "start", l->cost.start);
		json_u64(j, "finish", l->cost.finish);
		json_u64(j, "macs", l->cost.macs);
		json_u64(j, "utilisation_permille", npu_report_utilisation(&l->cost, config));
		json_string(j, "bound", npu_bound_name(l->cost.bound));
		json_u64(j, "waiting", l->cost.waiting);
		write_waits(j, l->cost.wait);
		write_bytes(j, &bytes);
		if (r->npu)
			npu_memories_write(j, memories, npu_memories_of(r, &l->op, &l->moved, memories));
		struct npu_touched touched[NPU_TOUCHED];
		const unsigned ranges = npu_view_touched(&l->op, touched);
		write_touched(j, "reads", touched, ranges, false);
		write_touched(j, "writes", touched, ranges, true);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void npu_report_write(struct json *j, const struct npu_report *r, const struct npu_result *result, const struct npu_config *config,
		      bool operations)
{
	json_string(j, "schema", "fvp-sim-npu-report");
	json_u64(j, "version", 1);
	json_string(j, "accelerator", config->name);
	json_string(j, "accuracy", accuracy_of_npu(config->product));
	json_string(j, "end", npu_report_end(result->end));
	json_string(j, "message", result->message);
	json_u64(j, "jobs", result->jobs);
	json_u64(j, "cycles", result->total_cycles);
	json_object(j, "events");
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		if (result->event[e])
			json_u64(j, npu_event_name(config, (enum npu_event)e), result->event[e]);
	json_close(j, '}');
	npu_report_write_sums(j, r, config);
	if (operations)
		npu_report_write_operations(j, r, config);
}
