/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a job: commands are read until an operation comes, the timing model says how
 * long it takes, and when that time has come its effects land and reading goes on. */
#include "npu/job.h"

enum { EVENT_DONE };

u64 npu_now(const struct npu *n)
{
	return n->options.sched ? n->options.sched->now / n->period : n->s.cycle;
}

static void tell_job(const struct npu *n, bool running)
{
	if (n->options.listener.job)
		n->options.listener.job(n->options.listener.ctx, running);
}

void npu_job_end(struct npu *n, enum npu_end end, u32 status)
{
	struct npu_state *s = &n->s;

	npu_kernels_job_over(n->kernels);
	npu_replay_settle(n);
	npu_pmu_sync(n);
	s->pending = false;
	s->status = (s->status & ~(u32)STATUS_RUNNING) | status;
	n->result.end = end;
	n->result.cycles = npu_now(n) - s->started;
	n->result.operations = s->operations;
	n->result.offset = s->qread;
	n->result.jobs++;
	tell_job(n, false);
	npu_update_irq(n);
}

void npu_job_fail(struct npu *n, enum npu_end end, u32 status)
{
	npu_job_end(n, end, status | STATUS_IRQ);
}

void npu_job_fail_bus(struct npu *n, u8 attr, enum npu_channel channel)
{
	n->s.fault_interface = attr >> 1;
	n->s.fault_channel = (u8)channel;
	npu_job_fail(n, NPU_END_BUS, STATUS_BUS);
}

void npu_job_abort(struct npu *n, enum npu_end end)
{
	if (n->options.sched)
		sched_cancel(n->options.sched, n->device, EVENT_DONE);
	npu_job_end(n, end, 0);
}

u32 npu_job_internal_bytes(const struct npu *n)
{
	bool u85 = n->options.config->product == NPU_U85;
	return u85 ? NPU_LUT_BYTES : n->options.config->shram_kib * 1024u;
}

static void read_on(struct npu *n)
{
	while ((n->s.status & STATUS_RUNNING) && !n->s.pending)
		if (n->s.qread != n->s.fetched || !npu_replay_step(n))
			npu_job_step(n);
	if (n->s.pending && n->options.sched)
		sched_add(n->options.sched, n->device, EVENT_DONE,
			  n->options.sched->now + n->now->cost.cycles * n->period, 0);
}

void npu_job_event(void *ctx, const struct sched_event *ev)
{
	struct npu *n = ctx;

	if (!n->s.pending)
		return;
	npu_job_complete(n);
	read_on(n);
}

/* The whole job at once, for want of a scheduler. */
static void run_through(struct npu *n)
{
	read_on(n);
	while (n->s.pending) {
		n->s.cycle += n->now->cost.cycles;
		npu_job_complete(n);
		npu_replay_burst(n);
		read_on(n);
	}
}

/* Whether nobody can see memory between two operations. */
static bool is_alone(const struct npu *n)
{
	const struct npu_listener *l = &n->options.listener;

	const bool seen = (l->begins || l->operation) && (!l->looks || l->looks(l->ctx));

	return !n->options.sched && npu_is_still(&n->options.memory) && !n->options.memory.wrote && !seen;
}

void npu_job_start(struct npu *n)
{
	struct npu_state *s = &n->s;

	npu_pmu_sync(n);
	n->result.message[0] = 0;
	n->result.end = NPU_END_NONE;
	s->status = (s->status & ~(u32)STATUS_END) | STATUS_RUNNING;
	s->qread = s->fetched = 0;
	s->operations = 0;
	s->work = 0;
	s->started = npu_now(n);
	tell_job(n, true);
	npu_timing_start(&s->timing);
	npu_origins_clear(&n->origins);
	const bool alone = is_alone(n);
	npu_kernels_job_begins(n->kernels, alone);
	npu_replay_start(n, alone);
	if (!n->replay.current)
		npu_foresee(n);
	if (n->options.sched)
		read_on(n);
	else
		run_through(n);
}
