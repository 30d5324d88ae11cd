/* SPDX-License-Identifier: Apache-2.0 */
/* Operations collected while the NPU runs. */
#include "sim/network/npu_memories.h"

#include <stdlib.h>

static struct npu_region_bytes add_memories(struct npu_report *r, const struct npu_op *op)
{
	struct npu_memory_bytes list[NPU_REPORT_MEMORIES];
	struct npu_region_bytes moved = { { 0 }, { 0 } };

	if (r->npu) {
		npu_region_bytes_of(r->npu, op, &moved);
		npu_memories_add(r, list, npu_memories_of(r, op, &moved, list));
	}
	return moved;
}

void npu_report_add(struct npu_report *r, const struct npu_op *op, const struct npu_cost *cost)
{
	r->cause[NPU_BOUND_LATENCY] += cost->waiting;
	r->cause[cost->bound] += cost->cycles - cost->waiting;
	for (unsigned i = 0; i < NPU_WAITS; i++)
		r->wait[i] += cost->wait[i];
	r->macs += cost->macs;
	r->cycles += cost->cycles;
	r->operations++;
	r->read[0] += cost->event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED];
	r->read[1] += cost->event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED];
	r->written[0] += cost->event[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN];
	r->written[1] += cost->event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN];
	const struct npu_region_bytes moved = add_memories(r, op);

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
	r->list[r->count++] = (struct npu_layer){ .op = *op, .cost = *cost, .moved = moved };
}

void npu_report_clear(struct npu_report *r)
{
	*r = (struct npu_report){
		.layers = r->layers, .names = r->names, .npu = r->npu, .memory = r->memory, .ctx = r->ctx, .list = r->list, .room = r->room,
	};
}

void npu_report_free(struct npu_report *r)
{
	free(r->list);
	r->list = NULL;
	r->count = r->room = 0;
}
