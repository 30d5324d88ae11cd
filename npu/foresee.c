/* SPDX-License-Identifier: Apache-2.0 */
/* Which weights a job will want: its stream is read once more ahead of it, and the threads of the kernels are told. What is
 * found here is a guess and nothing but time depends on it: memory may change before an operation comes, which then compares
 * what it finds with what was decoded (npu/kernels/kept/packed.h). */
#include <string.h>

#include "npu/job.h"

/* As far as the stream has been read. */
struct foresight {
	const u8 *words;
	u32 at, bytes;
	struct npu_regs commands;
	struct npu_origins origins; /* of copies to come */
};

static void copy(const struct npu *n, struct foresight *f, const struct npu_dma *d)
{
	const struct npu_memory *m = &n->options.memory;
	const u8 *from = d->src_internal || !d->length ? NULL : m->span(m->ctx, d->src, d->length, false);

	if (from)
		npu_origins_expect(&f->origins, d, from, m->constant ? m->constant(m->ctx, d->src) : 0);
}

static void expect(struct npu *n, struct foresight *f, const struct npu_op *op)
{
	struct npu_internal internal = { n->s.shram, npu_job_internal_bytes(n), n->options.config->lut_base };
	struct npu_bus_fault fault;
	struct npu_view view;

	if (!npu_view_map(op, &n->options.memory, &internal, &view, &fault))
		return;
	view.stop = n->options.stop;
	npu_origins_apply(&f->origins, op, &view);
	npu_kernels_expect(n->kernels, op, &view);
}

/* False: what comes behind this cannot be known. */
static bool foresee_operation(struct npu *n, struct foresight *f, enum npu_command command, u16 param)
{
	struct npu_decode_fault fault;
	struct npu_op op;

	if (command != NPU_CMD_CONV && command != NPU_CMD_DEPTHWISE && command != NPU_CMD_DMA_START)
		return command != NPU_CMD_STOP;
	if (!npu_job_decode(n, &f->commands, command, param, &op, &fault))
		return false;
	if (command == NPU_CMD_DMA_START)
		copy(n, f, &op.dma);
	else
		expect(n, f, &op);
	return true;
}

static u32 word_at(const struct foresight *f, u32 at)
{
	u32 word;

	memcpy(&word, f->words + at, sizeof(word));
	return word;
}

/* One command. */
static bool step(struct npu *n, struct foresight *f)
{
	const u32 word = word_at(f, f->at);
	const u16 param = (u16)(word >> 16);
	const struct npu_command_info *c = npu_command_find(&n->index, word);

	f->at += 4;
	if (!c || c->kind == NPU_KIND_OP1 || (c->kind == NPU_KIND_C1 && f->at + 4 > f->bytes))
		return false;
	if (c->kind == NPU_KIND_OP)
		return foresee_operation(n, f, c->code, param);
	if (c->kind == NPU_KIND_C0) {
		f->commands.c0[c->code & 0xff] = param;
	} else {
		f->commands.c1[c->code & 0xff] = word_at(f, f->at) | (u64)param << 32;
		f->at += 4;
	}
	return true;
}

void npu_foresee(struct npu *n)
{
	const struct npu_memory *m = &n->options.memory;
	struct foresight f = { .bytes = n->s.reg[NPU_REG_QSIZE] & ~3u, .commands = n->s.commands };

	if (!npu_kernels_foresees(n->kernels) || !f.bytes)
		return;
	f.words = m->span(m->ctx, n->s.reg[NPU_REG_QBASE] | (u64)n->s.reg[NPU_REG_QBASE_HI] << 32, f.bytes, false);
	npu_kernels_job_over(n->kernels);
	while (f.words && f.at < f.bytes && step(n, &f))
		if (n->options.stop && __atomic_load_n(n->options.stop, __ATOMIC_RELAXED))
			return;
	npu_kernels_decode_ahead(n->kernels);
}
