/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in time. The parser runs ahead of the units: kernels run one after another
 * (overlapping by head and tail when BLOCKDEP lets them), DMA operations beside them, until a
 * wait command or a full queue stops the parser. */
#include "npu/timing/timing.h"
#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

#include <string.h>

enum { PARSE_CYCLES = 1, KERNELS_OUTSTANDING = 2 };

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

/* Returns the cycles that BLOCKDEP held the kernel. */
static u64 place_kernel(struct npu_timing *t, const struct op_cost *own, unsigned blockdep, struct npu_cost *cost)
{
	const u64 overlap = blockdep ? min_u64(t->kernel_tail, own->head) : 0;
	const u64 ready = t->kernel_end[0] - min_u64(t->kernel_end[0], overlap);
	u64 held;

	npu_timing_wait(t, false, KERNELS_OUTSTANDING - 1);
	held = ready > t->issue ? min_u64(ready - t->issue, blockdep ? 0 : t->kernel_tail) : 0;
	cost->start = max_u64(t->issue, ready);
	cost->finish = max_u64(cost->start + own->cycles, t->kernel_end[0] + 1);
	t->kernel_end[1] = t->kernel_end[0];
	t->kernel_end[0] = cost->finish;
	t->kernel_tail = own->tail;
	return held;
}

static void place_dma(struct npu_timing *t, const struct op_cost *own, unsigned outstanding, struct npu_cost *cost)
{
	npu_timing_wait(t, true, outstanding - 1);
	cost->start = max_u64(t->issue, t->dma_end[0]);
	cost->finish = cost->start + own->cycles;
	memmove(t->dma_end + 1, t->dma_end, sizeof t->dma_end - sizeof t->dma_end[0]);
	t->dma_end[0] = cost->finish;
}

void npu_timing_op(struct npu_timing *t, const struct npu_config *config,
		   const struct npu_ports *ports, const struct npu_op *op, u32 stream_bytes,
		   struct npu_cost *cost)
{
	struct memory_model memory;
	struct op_cost own;
	u64 held = 0, end;

	memory_model_of(ports, &memory);
	cost_of(config, &memory, op, &own);
	cost_add_commands(config, &memory, stream_bytes, &own);
	if (op->kind == NPU_DMA)
		place_dma(t, &own, dma_outstanding(config), cost);
	else
		held = place_kernel(t, &own, op->blockdep, cost);
	t->issue += PARSE_CYCLES;
	/* Time moves with every operation, even one that ends under an earlier one: the effects
	 * of operations land one after another. */
	end = max_u64(t->end + 1, cost->finish);
	cost->cycles = end - t->end;
	t->end = end;
	events_of(&own, cost->event);
	cost->event[NPU_EVENT_CC_STALLED_ON_BLOCKDEP] = held;
}
