/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, reset and results of an NPU; see npu.h. */
#include "npu/npu.h"

#include <stdlib.h>
#include <string.h>

#include "npu/private.h"

struct npu *npu_new(const struct npu_options *options)
{
	struct npu *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->options = *options;
	n->now = &n->own;
	n->kernels = npu_kernels_new(options->config, options->host_simd);
	if (!n->kernels || !npu_kernels_share(n->kernels, options->threads)) {
		npu_kernels_free(n->kernels);
		free(n);
		return NULL;
	}
	if (options->share_weights)
		npu_kernels_open(n->kernels);
	npu_command_index_build(&n->index, options->config->product);
	npu_pmu_init(n);
	n->shapes = npu_shapes_new(options->config);
	if (options->sched) {
		n->period = sched_period(options->hertz);
		if (n->period == 0) {
			npu_free(n);
			return NULL;
		}
		n->device = sched_attach(options->sched, npu_job_event, n);
	}
	npu_reset(n);
	return n;
}

void npu_free(struct npu *n)
{
	if (n) {
		npu_replay_free(n);
		npu_shapes_free(n->shapes);
		npu_kernels_free(n->kernels);
		npu85_carry_free(&n->carry);
		npu85_carry_free(&n->coming);
	}
	free(n);
}

void npu_free_with(struct npu *n, const u8 *memory, size_t bytes, void (*release)(void *ctx), void *ctx)
{
	npu_kernels_leave(n->kernels, &(struct npu_lasting){ memory, bytes, release, ctx });
	npu_free(n);
}

void npu_reset(struct npu *n)
{
	npu_soft_reset(n, 0);
	memset(n->s.shram, 0, sizeof(n->s.shram));
	memset(&n->result, 0, sizeof(n->result));
}

void npu_set_adapter(struct npu *n, unsigned port, const struct npu_adapter *adapter)
{
	n->s.adapter[port] = *adapter;
}

bool npu_busy(const struct npu *n)
{
	return n->s.status & STATUS_RUNNING;
}

u64 npu_port_bytes(const struct npu *n, unsigned port, u64 *cycles)
{
	static const enum npu_event beats[NPU_PORTS][2] = {
		{ NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED, NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN },
		{ NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED, NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN },
	};
	const struct npu_cost *cost = n->s.pending ? &n->now->cost : NULL;

	*cycles = cost ? cost->cycles : 0;
	return cost ? (cost->event[beats[port][0]] + cost->event[beats[port][1]]) * n->options.config->axi_bytes : 0;
}

const struct npu_result *npu_result(const struct npu *n)
{
	struct npu *own = (struct npu *)n; /* nothing changes that anybody has seen */

	npu_replay_settle(own);
	if (!n->options.sched && npu_busy(n))
		npu_pmu_sync(own);
	return &n->result;
}
