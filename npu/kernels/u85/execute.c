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
		return npu85_fast_resize(j);
	default:
		return false;
	}
}

/* Whether the kernel has done all of it, in maps that are where the operation has them. */
static bool only_memory(const struct npu85_job *j)
{
	const struct npu_op *op = j->decoded;
	const bool flag = (u64)op->ofm.height * op->ofm.width * op->ofm.depth == 1;

	return !j->kept && !j->through && !j->start && !op->u85.ifm_chained && !op->u85.ifm2_chained && !flag;
}

bool npu85_kernels_execute(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
			   struct npu85_carry *carry)
{
	struct npu85_job *const room = k->again ? npu_again_room(k, sizeof(*room)) : NULL, own, *const j = room ? room : &own;

	if (!k->simd || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || op->lo > op->hi)
		return false;
	if (!npu85_job_begin(j, k, op, view, carry) || !run(j))
		return false;
	npu85_job_end(j);
	if (k->again && !only_memory(j))
		k->again->run = NULL;
	return true;
}
