/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85: choice of the kernel. Convolution and depthwise are those of U55/U65: weight order,
 * records and rounding differ and are looked after where they are read (packed.c, channels.c). */
#include "npu/kernels/u85/job.h"

static bool mac_supported(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return u->acc_input == NPU85_ACC_RESET && !u->acc_output_off && !u->acc48 && !u->weights_ifm2 &&
	       !op->ifm.stacked && op->ofm.bytes <= 4;
}

static bool run(struct npu85_job *j)
{
	switch (j->op.kind) {
	case NPU_CONV:
		return mac_supported(&j->op) && npu_fast_conv(j->k, &j->op, &j->view);
	case NPU_DEPTHWISE:
		return mac_supported(&j->op) && npu_fast_depthwise(j->k, &j->op, &j->view);
	case NPU_ELEMENTWISE:
		return npu85_fast_elementwise(j);
	case NPU_POOL:
		return npu85_fast_pool(j);
	case NPU_RESIZE:
		return npu85_fast_resize(j);
	default:
		return false;
	}
}

bool npu85_kernels_execute(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
			   struct npu85_carry *carry)
{
	struct npu85_job j;

	if (!k->simd || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || op->lo > op->hi)
		return false;
	if (!npu85_job_begin(&j, k, op, view, carry) || !run(&j))
		return false;
	npu85_job_end(&j);
	return true;
}
