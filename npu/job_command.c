/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a job's command stream: registers are set, operations made ready. */
#include <string.h>

#include "npu/job.h"

#define MAX_OFM_ELEMENTS (UINT64_C(1) << 28)

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
		npu_job_fail_bus(n, n->s.reg[NPU_REG_QCONFIG] & 3, NPU_CHANNEL_COMMAND);
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
	npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
}

static void stop(struct npu *n, u16 mask, bool at_end)
{
	n->s.history |= mask;
	npu_job_end(n, NPU_END_STOP, STATUS_IRQ | (at_end ? STATUS_END : 0));
}

/* Whether the model can and may execute the operation. */
static bool check_size(struct npu *n, const struct npu_op *op)
{
	u64 limit = n->options.work_limit ? n->options.work_limit : NPU_DEFAULT_WORK;
	u64 work = npu_op_work(op), elements = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;

	if (work > limit - n->s.work) {
		npu_say(n, NPU_MSG_WORK, (unsigned long long)work);
		npu_job_fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
		return false;
	}
	n->s.work += work;
	if (op->kind != NPU_DMA && elements > MAX_OFM_ELEMENTS) {
		npu_say(n, NPU_MSG_OFM_SIZE, (unsigned long long)elements);
		npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
		return false;
	}
	return true;
}

static bool inside_shram(const struct npu *n, u64 at, u64 bytes)
{
	u64 size = npu_job_internal_bytes(n);
	return at <= size && bytes <= size - at;
}

static bool check_shram(struct npu *n, const struct npu_dma *d)
{
	u64 bytes = d->length * d->rows * d->planes;
	bool strided = d->rows > 1 || d->planes > 1;

	if ((d->src_internal && !inside_shram(n, d->src, bytes)) ||
	    (d->dst_internal && (strided || !inside_shram(n, d->dst, bytes)))) {
		npu_say(n, NPU_MSG_SHRAM, (unsigned long long)(d->dst_internal ? d->dst : d->src),
			(unsigned long long)bytes, npu_job_internal_bytes(n) / 1024);
		npu_job_fail_bus(n, 0, d->dst_internal ? NPU_CHANNEL_DMA_WRITE : NPU_CHANNEL_DMA_READ);
		return false;
	}
	return true;
}

bool npu_job_decode(const struct npu *n, const struct npu_regs *regs, enum npu_command command, u16 param, struct npu_op *op,
		    struct npu_decode_fault *fault)
{
	u64 basep[NPU_REGIONS];
	const struct npu_decode_input in = { .config = n->options.config, .regs = regs, .basep = basep };

	for (unsigned i = 0; i < NPU_REGIONS; i++)
		basep[i] = n->s.reg[NPU_REG_BASEP0 + 2 * i] | (u64)n->s.reg[NPU_REG_BASEP0 + 2 * i + 1] << 32;
	return in.config->product == NPU_U85 ? npu85_decode(&in, command, param, op, fault) : npu_decode(&in, command, param, op, fault);
}

/* What an operation copies into the NPU's own memory. */
struct table {
	bool is_one;
	u32 index;
	u64 at, bytes;
};

static struct table table_of(const struct npu_op *op)
{
	return (struct table){ op->kind == NPU_DMA && op->dma.dst_internal, op->index, op->dma.dst, op->dma.length };
}

/* Copies behind each other to the same place: `now` follows the job's last operation, whose copy nothing has read. */
static bool loses_table(struct table last, struct table now)
{
	return now.is_one && last.is_one && last.index + 1 == now.index && last.at == now.at && now.bytes >= last.bytes;
}

/* The operation at the end of the commands from `begin` up to `next`. */
static void issue(struct npu *n, const struct npu_command_info *c, u16 param, u32 begin, u32 next)
{
	struct npu_state *s = &n->s;
	struct npu_op *op = &n->own.op;
	const struct table last = table_of(&n->now->op);
	struct npu_decode_fault fault;
	struct npu_ports ports;

	n->now = &n->own;
	n->replay.again = NULL;
	if (!npu_job_decode(n, &s->commands, c->code, param, op, &fault)) {
		if (strcmp(fault.field, "mode") == 0)
			npu_say(n, NPU_MSG_MODE, c->name, fault.value);
		else
			npu_say(n, NPU_MSG_FIELD, c->name, fault.field, fault.value);
		npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
		return;
	}
	if (n->options.config->product == NPU_U85 && op->kind == NPU_POOL && op->mode == NPU_POOL_REDUCE_SUM && op->u85.acc48)
		npu_say_once(n, NPU_MSG_WIDE_SUM);
	op->offset = s->qread;
	op->index = s->operations;
	if (!check_size(n, op) || (op->kind == NPU_DMA && !check_shram(n, &op->dma)))
		return;
	if (loses_table(last, table_of(op)))
		npu_say_once(n, NPU_MSG_TABLE_LOST, (unsigned long long)op->dma.dst);
	npu_ports_of(n, &ports);
	npu_timing_op(&s->timing, n->shapes, n->options.config, &ports, op, next - begin, &n->own.cost);
	s->pending = true;
	npu_replay_record(n, begin, next, npu_op_work(op));
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
		issue(n, c, param, s->fetched, next);
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
		npu_job_fail(n, NPU_END_BRANCH, STATUS_BRANCH);
	} else if (limit - n->s.work < STEPS_PER_BRANCH) {
		npu_say(n, NPU_MSG_WORK, (unsigned long long)STEPS_PER_BRANCH);
		npu_job_fail(n, NPU_END_WORK_LIMIT, STATUS_PARSE);
	} else {
		n->s.work += STEPS_PER_BRANCH;
		n->s.fetched = n->s.qread = target;
	}
}

/* Reads one command and does it, or leaves an operation pending. */
void npu_job_step(struct npu *n)
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
			npu_job_fail(n, NPU_END_PARSE, STATUS_PARSE);
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
