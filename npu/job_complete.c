/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of an operation whose time has come, and what may be wrong with it then. */
#include "npu/exec.h"
#include "npu/job.h"

static void fail_exec(struct npu *n, const struct npu_exec *e, enum npu_exec_status status)
{
	if (status == NPU_EXEC_WEIGHTS) {
		npu_say(n, NPU_MSG_WEIGHTS, e->core, e->why);
		/* U85 has no flag of its own for this */
		npu_job_fail(n, NPU_END_WEIGHTS, e->op->u85.enabled ? STATUS_PARSE : STATUS_WEIGHTS);
	} else if (status == NPU_EXEC_SCALES) {
		npu_say(n, NPU_MSG_SCALES, npu_op_name(e->op), (unsigned)e->needed, e->core,
			e->op->scales[e->core].length);
		npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
	} else if (status == NPU_EXEC_CHAIN) {
		npu_say(n, NPU_MSG_CHAIN, npu_op_name(e->op));
		npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
	} else {
		npu_say(n, NPU_MSG_MEMORY,
			(unsigned long long)e->op->ofm.height * e->op->ofm.width * e->op->ofm.depth);
		npu_job_fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
	}
}

static void fail_access(struct npu *n, const struct npu_bus_fault *f)
{
	struct npu_ports ports;

	npu_say(n, NPU_MSG_BUS, f->channel >= NPU_CHANNEL_OFM ? "write" : "read", f->what,
		(unsigned long long)f->first, (unsigned long long)f->last, f->region);
	npu_ports_of(n, &ports);
	npu_job_fail_bus(n, ports.region_attr[f->region], f->channel);
}

static enum npu_exec_status execute_new(struct npu *n, struct npu_exec *e)
{
	if (e->op->kind == NPU_DMA)
		return npu_kernels_copy(n->kernels, &e->op->dma, e->view) ? NPU_EXEC_OK : npu_exec_op(e);
	if (e->op->u85.enabled)
		return npu85_kernels_execute(n->kernels, e->op, e->view, &n->carry)
			? NPU_EXEC_OK : npu85_exec(e, &n->carry);
	if (!e->op->u85.enabled && npu_kernels_execute(n->kernels, e->op, e->view))
		return NPU_EXEC_OK;
	return npu_exec_op(e);
}

/* An operation that was done before, or that will come again. */
static enum npu_exec_status execute(struct npu *n, struct npu_exec *e, struct npu_again *again)
{
	if (!again)
		return execute_new(n, e);
	if (again->run) {
		if (npu_kernels_again(n->kernels, again))
			return NPU_EXEC_OK;
		npu_again_clear(again);
	}
	if (again->tried)
		return execute_new(n, e);
	again->tried = true;
	const bool done = npu_kernels_first(n->kernels, e->op, again, &n->carry);
	npu_replay_remembered(n, again);
	if (done)
		return NPU_EXEC_OK;
	return e->op->u85.enabled && e->op->kind != NPU_DMA ? npu85_exec(e, &n->carry) : npu_exec_op(e);
}

/* Where the operation's bytes are: in *own, or as they were the time before. NULL: some are not there. */
static const struct npu_view *map(struct npu *n, const struct npu_op *op, struct npu_view *own, struct npu_bus_fault *fault)
{
	const struct npu_again *again = npu_replay_again(n);
	struct npu_internal internal = { n->s.shram, npu_job_internal_bytes(n), n->options.config->lut_base };

	if (again && npu_is_still(&n->options.memory) && !(op->kind == NPU_DMA && op->dma.index_mode))
		return &again->view;
	if (!npu_view_map(op, &n->options.memory, &internal, own, fault))
		return NULL;
	own->stop = n->options.stop;
	npu_origins_apply(&n->origins, op, own);
	again = npu_replay_remember(n, own);
	return again ? &again->view : own;
}

/* Only a job that is done at once has its memory to itself. */
static bool follows_origins(const struct npu *n)
{
	return !n->options.sched && n->options.memory.constant;
}

void npu_job_wrote(struct npu *n, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_memory *m = &n->options.memory;
	struct npu_written w[NPU_TILES];

	/* where nothing is known to be a copy there is nothing to forget */
	if (!m->wrote && !(follows_origins(n) && (n->origins.used || op->kind == NPU_DMA)))
		return;
	const unsigned ranges = npu_view_written(op, view, w);
	for (unsigned i = 0; i < ranges; i++) {
		if (m->wrote)
			m->wrote(m->ctx, w[i].first, w[i].bytes);
		npu_origins_wrote(&n->origins, w[i].first, w[i].bytes);
	}
	if (op->kind == NPU_DMA && follows_origins(n))
		npu_origins_copied(&n->origins, &op->dma, view, m);
}

/* The pending operation's time has come. */
void npu_job_complete(struct npu *n)
{
	struct npu_state *s = &n->s;
	const struct npu_op *op = &n->now->op;
	const struct npu_cost *cost = &n->now->cost;
	struct npu_bus_fault fault = { 0 };
	struct npu_view own;

	s->pending = false;
	/* kernels that do an operation again look after it themselves */
	if (!npu_replay_again(n) || !npu_replay_again(n)->run)
		npu_kernels_settle(n->kernels);
	const struct npu_view *view = map(n, op, &own, &fault);
	if (!view) {
		fail_access(n, &fault);
		return;
	}
	if (n->options.listener.begins)
		n->options.listener.begins(n->options.listener.ctx, op, view);
	struct npu_exec e = { .config = n->options.config, .op = op, .view = view };
	enum npu_exec_status status = execute(n, &e, npu_replay_again(n));
	if (status != NPU_EXEC_OK && !npu_given_up(view)) {
		fail_exec(n, &e, status);
		return;
	}
	npu_job_wrote(n, op, view);
	s->operations++;
	npu_pmu_sync(n);
	if (!npu_replay_counts(n))
		npu_pmu_add(n, cost);
	s->qread += 4;
	if (n->options.listener.operation)
		n->options.listener.operation(n->options.listener.ctx, op, cost);
}
