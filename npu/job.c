/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a job: commands are read until an operation comes, the timing model says how
 * long it takes, and when that time has come its effects land and reading goes on. */
#include <string.h>

#include "npu/exec.h"
#include "npu/private.h"

#define MAX_OFM_ELEMENTS (UINT64_C(1) << 28)

enum { EVENT_DONE };

u64 npu_now(const struct npu *n)
{
	return n->options.sched ? n->options.sched->now / n->period : n->s.cycle;
}

static void end_job(struct npu *n, enum npu_end end, u32 status)
{
	struct npu_state *s = &n->s;

	npu_pmu_sync(n);
	s->pending = false;
	s->status = (s->status & ~(u32)STATUS_RUNNING) | status;
	n->result.end = end;
	n->result.cycles = npu_now(n) - s->started;
	n->result.operations = s->operations;
	n->result.offset = s->qread;
	n->result.jobs++;
	npu_update_irq(n);
}

static void fail(struct npu *n, enum npu_end end, u32 status)
{
	end_job(n, end, status | STATUS_IRQ);
}

static void fail_bus(struct npu *n, u8 attr, enum npu_channel channel)
{
	n->s.fault_interface = attr >> 1;
	n->s.fault_channel = (u8)channel;
	fail(n, NPU_END_BUS, STATUS_BUS);
}

void npu_job_abort(struct npu *n, enum npu_end end)
{
	if (n->options.sched)
		sched_cancel(n->options.sched, n->device, EVENT_DONE);
	end_job(n, end, 0);
}

static u64 queue_base(const struct npu *n)
{
	return n->s.reg[NPU_REG_QBASE] | (u64)n->s.reg[NPU_REG_QBASE_HI] << 32;
}

/* Word at `offset` of the stream; false after a bus fault. */
static bool fetch(struct npu *n, u32 offset, u32 *word)
{
	const struct npu_memory *m = &n->options.memory;
	u64 addr = queue_base(n) + offset;
	const u8 *p = m->span(m->ctx, addr, 4, false);

	if (!p) {
		npu_say(n, NPU_MSG_STREAM_BUS, (unsigned long long)addr);
		fail_bus(n, n->s.reg[NPU_REG_QCONFIG] & 3, NPU_CHANNEL_COMMAND);
		return false;
	}
	*word = p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
	return true;
}

static void bad_command(struct npu *n, u32 word)
{
	const struct npu_command_info *other = npu_command_any(word);

	if (word >> 15 & 1)
		npu_say(n, NPU_MSG_CONTROL, word, word >> 14 & 3);
	else if (other)
		npu_say(n, NPU_MSG_PRODUCT, other->name, n->options.config->name);
	else
		npu_say(n, NPU_MSG_UNKNOWN, word);
	fail(n, NPU_END_PARSE, STATUS_PARSE);
}

static void stop(struct npu *n, u16 mask, bool at_end)
{
	n->s.history |= mask;
	end_job(n, NPU_END_STOP, STATUS_IRQ | (at_end ? STATUS_END : 0));
}

/* Whether the model can and may execute the operation. */
static bool check_size(struct npu *n, const struct npu_op *op)
{
	u64 limit = n->options.work_limit ? n->options.work_limit : NPU_DEFAULT_WORK;
	u64 work = npu_op_work(op), elements = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;

	if (work > limit - n->s.work) {
		npu_say(n, NPU_MSG_WORK, (unsigned long long)work);
		fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
		return false;
	}
	n->s.work += work;
	if (op->kind != NPU_DMA && elements > MAX_OFM_ELEMENTS) {
		npu_say(n, NPU_MSG_OFM_SIZE, (unsigned long long)elements);
		fail(n, NPU_END_PARSE, STATUS_PARSE);
		return false;
	}
	return true;
}

/* SHRAM, or the table memory of U85. */
static u32 internal_bytes(const struct npu *n)
{
	bool u85 = n->options.config->product == NPU_U85;
	return u85 ? NPU_LUT_BYTES : n->options.config->shram_kib * 1024u;
}

static bool inside_shram(const struct npu *n, u64 at, u64 bytes)
{
	u64 size = internal_bytes(n);
	return at <= size && bytes <= size - at;
}

static bool check_shram(struct npu *n, const struct npu_dma *d)
{
	u64 bytes = d->length * d->rows * d->planes;
	bool strided = d->rows > 1 || d->planes > 1;

	if ((d->src_internal && !inside_shram(n, d->src, bytes)) ||
	    (d->dst_internal && (strided || !inside_shram(n, d->dst, bytes)))) {
		npu_say(n, NPU_MSG_SHRAM, (unsigned long long)(d->dst_internal ? d->dst : d->src),
			(unsigned long long)bytes, internal_bytes(n) / 1024);
		fail_bus(n, 0, d->dst_internal ? NPU_CHANNEL_DMA_WRITE : NPU_CHANNEL_DMA_READ);
		return false;
	}
	return true;
}

static void issue(struct npu *n, const struct npu_command_info *c, u16 param, u32 bytes)
{
	struct npu_state *s = &n->s;
	struct npu_decode_fault fault;
	struct npu_ports ports;
	u64 basep[8];

	for (unsigned i = 0; i < 8; i++)
		basep[i] = s->reg[NPU_REG_BASEP0 + 2 * i] | (u64)s->reg[NPU_REG_BASEP0 + 2 * i + 1] << 32;
	struct npu_decode_input in = { .config = n->options.config, .regs = &s->commands,
				       .basep = basep };
	bool u85 = n->options.config->product == NPU_U85;
	if (!(u85 ? npu85_decode(&in, c->code, param, &s->op, &fault)
		  : npu_decode(&in, c->code, param, &s->op, &fault))) {
		if (strcmp(fault.field, "mode") == 0)
			npu_say(n, NPU_MSG_MODE, c->name, fault.value);
		else
			npu_say(n, NPU_MSG_FIELD, c->name, fault.field, fault.value);
		fail(n, NPU_END_PARSE, STATUS_PARSE);
		return;
	}
	s->op.offset = s->qread;
	s->op.index = s->operations;
	if (!check_size(n, &s->op) || (s->op.kind == NPU_DMA && !check_shram(n, &s->op.dma)))
		return;
	npu_ports_of(n, &ports);
	npu_timing_op(&s->timing, n->options.config, &ports, &s->op, bytes, &s->cost);
	s->pending = true;
}

/* Effects of a command that is not a register write. */
static void execute_command(struct npu *n, const struct npu_command_info *c, u16 param, u32 next)
{
	struct npu_state *s = &n->s;

	switch ((enum npu_command)c->code) {
	case NPU_CMD_STOP:
		s->qread = next;
		stop(n, param, next >= s->reg[NPU_REG_QSIZE]);
		break;
	case NPU_CMD_IRQ:
		s->history |= param;
		s->status |= STATUS_IRQ;
		npu_update_irq(n);
		break;
	case NPU_CMD_DMA_WAIT:
		npu_timing_wait(&s->timing, true, PARAM(param, DMA_WAIT, k));
		break;
	case NPU_CMD_KERNEL_WAIT:
		npu_timing_wait(&s->timing, false, PARAM(param, KERNEL_WAIT, n));
		break;
	case NPU_CMD_PMU_MASK:
		npu_pmu_sync(n);
		s->pmu.masked = (u8)PARAM(param, PMU_MASK, enable);
		break;
	default:
		issue(n, c, param, next - s->fetched);
		s->fetched = next;
		break;
	}
}

/* U85: loops that never end are ended by the work limit. */
static void branch(struct npu *n, u64 value)
{
	enum { STEPS_PER_BRANCH = 10000 };
	u64 limit = n->options.work_limit ? n->options.work_limit : NPU_DEFAULT_WORK;
	u32 target = PARAM85(value, BRANCH, target), size = n->s.reg[NPU_REG_QSIZE];

	if (PARAM85(value, BRANCH, condition) && !n->carry.flag)
		return;
	if (target % 4 || target >= size) {
		npu_say(n, NPU_MSG_BRANCH, target, size);
		fail(n, NPU_END_BRANCH, STATUS_BRANCH);
	} else if (limit - n->s.work < STEPS_PER_BRANCH) {
		npu_say(n, NPU_MSG_WORK, (unsigned long long)STEPS_PER_BRANCH);
		fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
	} else {
		n->s.work += STEPS_PER_BRANCH;
		n->s.fetched = n->s.qread = target;
	}
}

/* Reads one command and does it, or leaves an operation pending. */
static void step(struct npu *n)
{
	struct npu_state *s = &n->s;
	u32 at = s->qread, size = s->reg[NPU_REG_QSIZE] & ~3u, word, payload;

	if (at >= size) {
		npu_say(n, NPU_MSG_NO_STOP);
		stop(n, 0, true);
		return;
	}
	if (!fetch(n, at, &word))
		return;
	const struct npu_command_info *c = npu_command_find(&n->index, word);
	if (!c) {
		bad_command(n, word);
		return;
	}
	u32 next = at + 4;
	u16 param = (u16)(word >> 16);
	if (c->kind == NPU_KIND_C0) {
		s->commands.c0[c->code & 0xff] = param;
	} else if (c->kind != NPU_KIND_OP) {
		if (next >= size) {
			npu_say(n, NPU_MSG_TRUNCATED, c->name);
			fail(n, NPU_END_PARSE, STATUS_PARSE);
			return;
		}
		if (!fetch(n, next, &payload))
			return;
		next += 4;
		if (c->kind == NPU_KIND_OP1) {
			s->qread = next;
			branch(n, payload | (u64)param << 32);
			return;
		}
		s->commands.c1[c->code & 0xff] = payload | (u64)param << 32;
	} else {
		execute_command(n, c, param, next);
		if (s->pending)
			return; /* QREAD stays at the operation while it runs */
	}
	if (s->status & STATUS_RUNNING)
		s->qread = next;
}

static void fail_exec(struct npu *n, const struct npu_exec *e, enum npu_exec_status status)
{
	if (status == NPU_EXEC_WEIGHTS) {
		npu_say(n, NPU_MSG_WEIGHTS, e->core, e->why);
		/* U85 has no flag of its own for this */
		fail(n, NPU_END_WEIGHTS, e->op->u85.enabled ? STATUS_PARSE : STATUS_WEIGHTS);
	} else if (status == NPU_EXEC_SCALES) {
		npu_say(n, NPU_MSG_SCALES, npu_op_name(e->op), (unsigned)e->needed, e->core,
			e->op->scales[e->core].length);
		fail(n, NPU_END_PARSE, STATUS_PARSE);
	} else if (status == NPU_EXEC_CHAIN) {
		npu_say(n, NPU_MSG_CHAIN, npu_op_name(e->op));
		fail(n, NPU_END_PARSE, STATUS_PARSE);
	} else {
		npu_say(n, NPU_MSG_MEMORY,
			(unsigned long long)e->op->ofm.height * e->op->ofm.width * e->op->ofm.depth);
		fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
	}
}

static void fail_access(struct npu *n, const struct npu_bus_fault *f)
{
	struct npu_ports ports;

	npu_say(n, NPU_MSG_BUS, f->channel >= NPU_CHANNEL_OFM ? "write" : "read", f->what,
		(unsigned long long)f->first, (unsigned long long)f->last, f->region);
	npu_ports_of(n, &ports);
	fail_bus(n, ports.region_attr[f->region], f->channel);
}

static enum npu_exec_status execute(struct npu *n, struct npu_exec *e)
{
	if (e->op->u85.enabled && e->op->kind != NPU_DMA)
		return npu85_kernels_execute(n->kernels, e->op, e->view, &n->carry)
			? NPU_EXEC_OK : npu85_exec(e, &n->carry);
	if (!e->op->u85.enabled && npu_kernels_execute(n->kernels, e->op, e->view))
		return NPU_EXEC_OK;
	return npu_exec_op(e);
}

/* Only a job that is done at once has its memory to itself. */
static bool follows_origins(const struct npu *n)
{
	return !n->options.sched && n->options.memory.constant;
}

/* Tells everybody concerned which bytes the operation wrote. */
static void report_writes(struct npu *n, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_memory *m = &n->options.memory;
	struct npu_written w[NPU_TILES];

	if (!m->wrote && !follows_origins(n))
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
static void complete(struct npu *n)
{
	struct npu_state *s = &n->s;
	struct npu_internal internal = { s->shram, internal_bytes(n), n->options.config->lut_base };
	struct npu_bus_fault fault = { 0 };
	struct npu_view view;

	s->pending = false;
	if (!npu_view_map(&s->op, &n->options.memory, &internal, &view, &fault)) {
		fail_access(n, &fault);
		return;
	}
	npu_origins_apply(&n->origins, &s->op, &view);
	struct npu_exec e = { .config = n->options.config, .op = &s->op, .view = &view };
	enum npu_exec_status status = execute(n, &e);
	if (status != NPU_EXEC_OK) {
		fail_exec(n, &e, status);
		return;
	}
	report_writes(n, &s->op, &view);
	s->operations++;
	npu_pmu_sync(n);
	npu_pmu_add(n, &s->cost);
	s->qread += 4;
	if (n->options.listener.operation)
		n->options.listener.operation(n->options.listener.ctx, &s->op, &s->cost);
}

static void read_on(struct npu *n)
{
	while ((n->s.status & STATUS_RUNNING) && !n->s.pending)
		step(n);
	if (n->s.pending && n->options.sched)
		sched_add(n->options.sched, n->device, EVENT_DONE,
			  n->options.sched->now + n->s.cost.cycles * n->period, 0);
}

void npu_job_event(void *ctx, const struct sched_event *ev)
{
	struct npu *n = ctx;

	if (!n->s.pending)
		return;
	complete(n);
	read_on(n);
}

/* The whole job at once, for want of a scheduler. */
static void run_through(struct npu *n)
{
	read_on(n);
	while (n->s.pending) {
		n->s.cycle += n->s.cost.cycles;
		complete(n);
		read_on(n);
	}
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
	npu_timing_start(&s->timing);
	npu_origins_clear(&n->origins);
	if (n->options.sched)
		read_on(n);
	else
		run_through(n);
}
