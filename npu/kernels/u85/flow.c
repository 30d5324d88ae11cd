/* SPDX-License-Identifier: Apache-2.0 */
/* Results in order; see flow.h. */
#include "npu/kernels/u85/flow.h"

#include <string.h>

static bool channels_open(struct npu85_flow *f, struct npu85_job *j)
{
	if (!npu_channels_read(j->k, f->op, &j->view, &f->channels))
		return false;
	f->rounding = npu_scratch(&j->k->roundings, f->channels.depth * sizeof(*f->rounding));
	for (u32 c = 0; f->rounding && c < f->channels.depth; c++)
		f->rounding[c] = npu85_rounding_of(npu85_channel_scale(&f->channels, c));
	return f->rounding != NULL;
}

bool npu85_flow_open(struct npu85_flow *f, struct npu85_job *j, bool starts)
{
	f->op = &j->op;
	f->simd = j->k->simd;
	f->start = starts ? j->start : NULL;
	f->done = f->n = 0;
	if (f->op->per_channel && !channels_open(f, j))
		return false;
	f->to = npu85_job_packed(j);
	npu85_stage_init(&f->scale, f->op->u85.ofm_scale);
	npu85_out_init(&f->out, f->simd, f->op, &j->view);
	return f->to != NULL;
}

static void accumulate(struct npu85_flow *f)
{
	const struct npu_op *op = f->op;

	if (f->start && op->u85.acc48) {
		const i64 *start = (const i64 *)f->start + f->done;
		for (unsigned i = 0; i < f->n; i++)
			f->value[i] = npu85_add(f->value[i], start[i]);
	} else if (f->start) {
		const i32 *start = (const i32 *)f->start + f->done;
		for (unsigned i = 0; i < f->n; i++)
			f->value[i] = npu85_add(f->value[i], start[i]);
	}
	for (unsigned i = 0; i < f->n; i++)
		f->value[i] = npu85_wrap(f->value[i], op->acc_bits);
}

static void scale_channels(struct npu85_flow *f)
{
	const struct npu_channels *s = &f->channels;
	u32 c = (u32)(f->done % s->depth);

	for (unsigned i = 0; i < f->n; i++) {
		const struct npu_scale *scale = &s->scale[c];
		i64 v = f->value[i] + s->bias[c], p;
		bool exact = !__builtin_mul_overflow(v, (i64)scale->scale, &p) && scale->shift <= NPU85_SHIFT_LIMIT &&
			     p <= NPU85_PRODUCT_LIMIT && p >= -NPU85_PRODUCT_LIMIT;
		f->value[i] = exact ? (p + (v < 0 ? f->rounding[c].minus : f->rounding[c].plus)) >> scale->shift
				    : npu85_scale_round(v, npu85_channel_scale(s, c));
		c = c + 1 == s->depth ? 0 : c + 1;
	}
}

void npu85_flow_flush(struct npu85_flow *f)
{
	unsigned bytes = f->op->ofm.bytes;

	if (f->op->kind != NPU_RESIZE)
		accumulate(f);
	if (f->op->per_channel)
		scale_channels(f);
	else if (!f->out.raw)
		npu85_stage_run(&f->scale, f->simd, f->value, f->n);
	npu85_row_store(&f->out, f->value, f->n, f->to, bytes);
	f->to += (size_t)f->n * bytes;
	f->done += f->n;
	f->n = 0;
}

bool npu85_flow_sums(struct npu85_job *j, const u8 *sums, size_t count, unsigned bytes)
{
	struct npu85_flow f;

	if (!npu85_flow_open(&f, j, true))
		return false;
	for (size_t part; count; count -= part, sums += part * bytes) {
		part = count < NPU_ROW ? count : NPU_ROW;
		if (bytes == sizeof(i64))
			memcpy(f.value, sums, part * bytes);
		else
			f.simd->widen32(sums, part, f.value);
		f.n = (unsigned)part;
		npu85_flow_flush(&f);
	}
	return true;
}
