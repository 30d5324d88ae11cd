/* SPDX-License-Identifier: Apache-2.0 */
/* Results one after the other, in y, x, c order, through accumulators, scaling and output stage into
 * a packed OFM. For kernels whose reading is the work. */
#ifndef NPU_KERNELS_U85_FLOW_H
#define NPU_KERNELS_U85_FLOW_H

#include <string.h>

#include "npu/kernels/u85/job.h"
#include "npu/kernels/u85/rows.h"

/* Scaling of the channels, one after the other: of all, or of few ones several times, so that loops are long. */
struct npu85_flow_channels {
	i64 *bias, *scale, *plus, *minus, *shift;
	u32 period; /* so many; a multiple of the channels */
	i64 limit;  /* magnitudes up to this one leave room for all; below 0: none does */
};

struct npu85_flow {
	const struct npu_op *op;
	const struct npu_simd *simd;
	struct npu85_out out;
	struct npu85_stage scale;
	struct npu_channels channels;
	struct npu85_flow_channels each;
	bool words;        /* of results no more than the low words count, which a shift to the left leaves */
	const void *start; /* accumulators, see npu85_job */
	u8 *to;            /* where value[0] goes */
	size_t done;       /* elements stored */
	unsigned n;
	i64 value[NPU_ROW];
};

/* False: memory is short, or the scale stream. `starts`: accumulators that wait are added. */
bool npu85_flow_open(struct npu85_flow *f, struct npu85_job *j, bool starts);
void npu85_flow_flush(struct npu85_flow *f);

/* Whether one that was opened may be used again, with other memory: no accumulators, no scales or tables, which may be other ones then. */
static inline bool npu85_flow_lasts(const struct npu85_job *j)
{
	return !j->start && !j->op.per_channel && !j->op.u85.table;
}

static inline void npu85_flow_again(struct npu85_flow *f, const struct npu85_job *j)
{
	f->to = j->view.ofm[0];
	f->done = f->n = 0;
}

/* All of an operation's accumulators, of 4 or 8 bytes, those that wait added; what becomes of `sums` is not defined. False: as npu85_flow_open(). */
bool npu85_flow_sums(struct npu85_job *j, u8 *sums, size_t count, unsigned bytes);

/* The accumulators that wait, or as many zeros, and nothing more. */
bool npu85_flow_started(struct npu85_job *j, size_t count);

/* One value that has not been accumulated, or scaled, yet. */
static inline void npu85_flow_put(struct npu85_flow *f, i64 v)
{
	f->value[f->n++] = v;
	if (f->n == NPU_ROW)
		npu85_flow_flush(f);
}

/* The same of n. */
static inline void npu85_flow_put_row(struct npu85_flow *f, const i64 *v, u32 n)
{
	for (u32 part; n; n -= part, v += part) {
		part = n < NPU_ROW - f->n ? n : NPU_ROW - f->n;
		memcpy(f->value + f->n, v, part * sizeof(*v));
		f->n += part;
		if (f->n == NPU_ROW)
			npu85_flow_flush(f);
	}
}

#endif
