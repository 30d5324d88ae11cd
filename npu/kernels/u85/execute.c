/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: choice of the kernel. */
#include "npu/kernels/u85/job.h"

static bool run(struct npu85_job *j)
{
	switch (j->op.kind) {
	case NPU_CONV:
	case NPU_DEPTHWISE:
		return npu85_fast_mac(j);
	case NPU_ELEMENTWISE:
		return j->k->simd->rows->elementwise85(j);
	case NPU_POOL:
		return j->k->simd->rows->pool85(j);
	case NPU_RESIZE:
		return j->k->simd->rows->resize85(j);
	default:
		return false;
	}
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct npu85_job *j = room;

	if (!npu85_job_again(j) || !j->run(k, j->ctx))
		return false;
	npu85_job_end(j);
	return true;
}

/* Operands and results lie in memory as they are, and no branch looks at the result. */
static bool is_plain(const struct npu85_job *j)
{
	const struct npu_fm *ofm = &j->op.ofm;

	return !j->op.u85.ifm_chained && !j->op.u85.ifm2_chained && !j->kept && !j->through && !j->start && !j->anew &&
	       (u64)ofm->height * ofm->width * ofm->depth > 1;
}

/* What the kernel has left is done within the job, or for itself. Products keep the addresses of their input; only they ask for the accumulators each time. */
static void keep(struct npu_kernels *k, struct npu85_job *j)
{
	struct npu_again *a = k->again;

	if (!a || !a->run || is_plain(j))
		return;
	j->run = a->run;
	j->ctx = a->ctx;
	a->run = NULL;
	if (npu_is_mac(&j->op) ? !j->op.u85.ifm_chained && !j->op.u85.ifm2_chained : !j->start)
		npu_again_keep(k, j, run_again);
	a->job = j;
}

bool npu85_kernels_execute(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
			   struct npu85_carry *carry)
{
	struct npu85_job *const room = k->again ? npu_again_room(k, sizeof(*room)) : NULL, own, *const j = room ? room : &own;

	if (!k->simd || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || op->lo > op->hi)
		return false;
	if (!room)
		k->again = NULL; /* kernels keep addresses in the job, which ends here */
	if (!npu85_job_begin(j, k, op, view, carry) || !run(j))
		return false;
	npu85_job_end(j);
	if (room)
		keep(k, j);
	return true;
}
