/* SPDX-License-Identifier: Apache-2.0 */
/* Networks on the NPU alone: tensors in buffers, one run after the other. */
#include "sim/api/private.h"
#include "sim/api/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/timing/profiles.h"

_Static_assert((int)NPU_VALUE_BOOL == (int)FVPSIM_BOOL && NPU_STEP_RANK == FVPSIM_RANK, "types are numbered alike");

void api_operation(struct fvpsim_operation *out, const struct npu_op *op, const struct npu_cost *cost,
		   const struct npu_config *config)
{
	const bool dma = op->kind == NPU_DMA;
	const u64 *event = cost->event;

	out->kind = npu_op_name(op);
	out->offset = op->offset;
	out->index = op->index;
	if (!dma) {
		memcpy(out->ifm, (const u32[]){ op->ifm.height, op->ifm.width, op->ifm.depth }, sizeof out->ifm);
		memcpy(out->ofm, (const u32[]){ op->ofm.height, op->ofm.width, op->ofm.depth }, sizeof out->ofm);
	}
	out->bytes = dma ? op->dma.length * op->dma.rows * op->dma.planes : 0;
	out->cycles = cost->cycles;
	out->start = cost->start;
	out->finish = cost->finish;
	out->macs = cost->macs;
	out->bound = npu_bound_name(cost->bound);
	out->read[0] = event[NPU_EVENT_AXI0_RD_DATA_BEAT_RECEIVED] * config->axi_bytes;
	out->read[1] = event[NPU_EVENT_AXI1_RD_DATA_BEAT_RECEIVED] * config->axi_bytes;
	out->written[0] = event[NPU_EVENT_AXI0_WR_DATA_BEAT_WRITTEN] * config->axi_bytes;
	out->written[1] = event[NPU_EVENT_AXI1_WR_DATA_BEAT_WRITTEN] * config->axi_bytes;
}

/* What is wrong with the name, with all that are possible. */
static int unknown_accelerator(const char *name, struct fvpsim_error *error)
{
	char names[256];
	size_t n = 0;

	for (const struct npu_config *c = npu_configs; c->name && n < sizeof names; c++)
		n += (size_t)snprintf(names + n, sizeof names - n, " %s", c->name);
	return api_fail(error, FVPSIM_USAGE, "unknown accelerator '%.60s'; accelerators:%s", name, names);
}

static int load(struct fvpsim_network *n, const void *model, size_t count, const char *memory_mode, struct fvpsim_error *error)
{
	char why[512];

	n->model = malloc(count ? count : 1);
	if (!n->model)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	memcpy(n->model, model, count);
	n->program = npu_program_load(n->model, count, why, sizeof why);
	if (!n->program)
		return api_fail(error, FVPSIM_BAD_INPUT, "%s", why);
	if (!npu_program_fits(n->program, n->config, why, sizeof why))
		return api_fail(error, FVPSIM_ACCELERATOR, "%s", why);
	if (memory_mode && !npu_memory_mode_find(memory_mode, &n->program->memory_mode))
		return api_fail(error, FVPSIM_USAGE, "there is no memory mode '%.60s'; give Shared_Sram, Dedicated_Sram or Sram_Only",
				memory_mode);
	return FVPSIM_OK;
}

/* The program's memory, which is gone once somebody has asked for a stop: the job ends with a bus error then. */
static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	struct fvpsim_network *n = ctx;

	return __atomic_load_n(&n->stopped, __ATOMIC_RELAXED) ? NULL : n->memory.span(n->memory.ctx, addr, size, write);
}

static u64 constant(void *ctx, u64 addr)
{
	const struct fvpsim_network *n = ctx;

	return n->memory.constant(n->memory.ctx, addr);
}

static int make_npu(struct fvpsim_network *n, const struct fvpsim_network_options *o, struct fvpsim_error *error)
{
	const struct npu_options options = {
		.config = n->config,
		.memory = { .span = span, .constant = constant, .ctx = n },
		.listener = api_network_listener(n),
		.host_simd = o->host_simd,
		.threads = o->threads,
	};
	struct npu_memory_profile memory;
	char why[512];

	n->memory = npu_program_memory(n->program);
	if (!npu_memory_profile_parse(o->memory ? o->memory : "", npu_memory_profile_default(n->config), &memory, why, sizeof why))
		return api_fail(error, FVPSIM_USAGE, "memory: %s", why);
	n->npu = npu_new(&options);
	if (!n->npu && !o->host_simd)
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	if (!n->npu)
		return api_fail(error, FVPSIM_USAGE, "unknown host instruction set '%.60s', or not one of this host; give " NPU_HOST_SIMD,
				o->host_simd);
	for (unsigned port = 0; port < NPU_PORTS; port++)
		npu_set_adapter(n->npu, port, &memory.adapter[port]);
	return FVPSIM_OK;
}

struct fvpsim_network *fvpsim_network_new(const char *accelerator, const void *model, size_t count,
					  const struct fvpsim_network_options *options, struct fvpsim_error *error)
{
	struct fvpsim_network_options o = { .size = sizeof o };
	struct fvpsim_network *n = calloc(1, sizeof *n);
	int kind = n ? FVPSIM_OK : api_fail(error, FVPSIM_INTERNAL, "host memory is short");

	if (options)
		memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
	if (!kind) {
		n->report.layers = true;
		n->config = npu_config_find(accelerator);
		kind = n->config ? FVPSIM_OK : unknown_accelerator(accelerator, error);
	}
	if (!kind)
		kind = load(n, model, count, o.memory_mode, error);
	if (!kind)
		kind = make_npu(n, &o, error);
	if (kind) {
		fvpsim_network_free(n);
		return NULL;
	}
	api_ok(error);
	return n;
}

void fvpsim_network_free(struct fvpsim_network *n)
{
	if (!n)
		return;
	npu_free(n->npu);
	npu_program_free(n->program);
	npu_report_free(&n->report);
	api_network_forget_tensors(n);
	free(n->model);
	free(n);
}

unsigned fvpsim_network_inputs(const struct fvpsim_network *n)
{
	return n->program->input_count;
}

unsigned fvpsim_network_outputs(const struct fvpsim_network *n)
{
	return n->program->output_count;
}

static int describe(const struct npu_value *list, unsigned count, unsigned i, const char *what, struct fvpsim_tensor *tensor,
		    struct fvpsim_error *error)
{
	struct fvpsim_tensor full = { .size = sizeof full };

	if (i >= count)
		return api_fail(error, FVPSIM_USAGE, "there is no %s %u: the network has %u", what, i, count);
	full.name = list[i].name;
	full.type = list[i].type;
	full.rank = list[i].rank;
	memcpy(full.shape, list[i].shape, sizeof full.shape);
	full.scale = list[i].scale;
	full.zero_point = list[i].zero_point;
	full.data = list[i].host;
	full.bytes = list[i].bytes;
	return api_copy_out(tensor, &full, sizeof full, error);
}

int fvpsim_network_input(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error)
{
	return describe(n->program->inputs, n->program->input_count, i, "input", tensor, error);
}

int fvpsim_network_output(struct fvpsim_network *n, unsigned i, struct fvpsim_tensor *tensor, struct fvpsim_error *error)
{
	return describe(n->program->outputs, n->program->output_count, i, "output", tensor, error);
}

int fvpsim_network_run(struct fvpsim_network *n, struct fvpsim_error *error)
{
	const struct npu_result *result = npu_result(n->npu);
	const u64 before = result->total_cycles;
	bool ok;

	memcpy(n->before, result->event, sizeof n->before);
	n->report.count = 0;
	api_network_forget_tensors(n);
	ok = npu_program_run(n->program, n->npu);
	n->cycles = result->total_cycles - before;
	if (__atomic_exchange_n(&n->stopped, 0, __ATOMIC_SEQ_CST) && !ok)
		return api_fail(error, FVPSIM_STOPPED, "the run was stopped");
	return ok ? api_ok(error) : api_fail(error, FVPSIM_NPU, "%s", *result->message ? result->message : "the NPU ended a job with an error");
}

void fvpsim_network_stop(struct fvpsim_network *n)
{
	__atomic_store_n(&n->stopped, 1, __ATOMIC_SEQ_CST);
}

void fvpsim_network_forget_stop(struct fvpsim_network *n)
{
	__atomic_store_n(&n->stopped, 0, __ATOMIC_SEQ_CST);
}

uint64_t fvpsim_network_cycles(const struct fvpsim_network *n)
{
	return n->cycles;
}

unsigned fvpsim_network_operations(const struct fvpsim_network *n)
{
	return n->report.count;
}

int fvpsim_network_operation(const struct fvpsim_network *n, unsigned i, struct fvpsim_operation *op, struct fvpsim_error *error)
{
	struct fvpsim_operation full = { .size = sizeof full };

	if (i >= n->report.count)
		return api_fail(error, FVPSIM_USAGE, "there is no operation %u: the latest run had %u", i, n->report.count);
	api_operation(&full, &n->report.list[i].op, &n->report.list[i].cost, n->config);
	return api_copy_out(op, &full, sizeof full, error);
}

const char *fvpsim_network_event(const struct fvpsim_network *n, unsigned i, uint64_t *count)
{
	for (unsigned e = 0; e < NPU_EVENTS; e++) {
		const char *name = npu_event_name(n->config, (enum npu_event)e);

		if (!name || i--)
			continue;
		*count = npu_result(n->npu)->event[e] - n->before[e];
		return name;
	}
	return NULL;
}
