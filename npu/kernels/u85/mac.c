/* SPDX-License-Identifier: Apache-2.0 */
/* U85 convolution and depthwise through the kernels of U55/U65. Weight order, records and rounding
 * differ and are looked after where they are read (packed.c, channels.c). Accumulators that are kept,
 * that start from others or have 48 bits: the kernels store them as they are, the rest is done by
 * the flow. */
#include <string.h>

#include "npu/kernels/u85/flow.h"

static bool multiply(struct npu85_job *j, const struct npu_op *op, const struct npu_view *view)
{
	return (op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(j->k, op, view);
}

/* Results straight out of the kernel's own output stage. Accumulators of 48 bits, too: the kernel refuses those that
 * may need more than 32. */
static bool is_direct(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return u->acc_input == NPU85_ACC_RESET && !u->acc_output_off && op->ofm.bytes <= 4;
}

static bool via_accumulators(struct npu85_job *j)
{
	struct npu_op raw = j->op;
	struct npu_view view = j->view;
	struct npu_fm *fm = &raw.ofm;

	j->k->again = NULL; /* the rest is not the kernel's */
	raw.u85.acc_output_off = 1;
	raw.per_channel = 0;
	fm->bytes = raw.u85.acc48 ? 8 : 4;
	fm->is_signed = 1;
	fm->zero_point = 0;
	npu85_map_packed(fm);
	size_t count = (size_t)fm->height * fm->width * fm->depth;
	const u8 *sums = npu_scratch(&j->k->sums, count * fm->bytes);
	memset(view.ofm, 0, sizeof(view.ofm));
	view.ofm[0] = (u8 *)sums;
	return sums && multiply(j, &raw, &view) && j->k->simd->rows->flow85(j, sums, count, fm->bytes);
}

/* Their sums hardly ever have 32 bits, and which they need is known only when one of them has been packed. */
static bool is_product_of_words(const struct npu_op *op)
{
	return op->u85.weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2 && op->u85.acc48;
}

bool npu85_fast_mac(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	bool product = op->u85.weights_ifm2;

	if (op->ifm.stacked || (product && (op->kernel_h > 1 || op->kernel_w > 1 || op->ifm2.bytes > 2)))
		return false;
	if (is_direct(op) && !is_product_of_words(op) && multiply(j, op, &j->view))
		return true;
	return (!is_direct(op) || op->u85.acc48) && via_accumulators(j);
}
