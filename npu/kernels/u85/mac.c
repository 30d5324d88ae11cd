/* SPDX-License-Identifier: Apache-2.0 */
/* U85 convolution and depthwise through the kernels of U55/U65. Weight order, records and rounding
 * differ and are looked after where they are read (packed.c, channels.c). Accumulators that are kept,
 * that start from others or have 48 bits: the kernels store them as they are, the rest is done by
 * the flow. */
#include <string.h>

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/row.h"

static bool multiply(struct npu85_job *j, const struct npu_op *op, const struct npu_view *view)
{
	return (op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(j->k, op, view);
}

/* Results straight out of the kernel's own output stage. Accumulators of 48 bits, too: the kernel refuses those that
 * may need more than 32. Those that are kept are stored as they are. */
static bool is_direct(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return u->acc_input == NPU85_ACC_RESET && (u->acc_output_off || op->ofm.bytes <= 4);
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
static bool is_wide_product(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;

	return op->u85.weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2 && op->u85.acc48 && !npu_mac_may_pair(j->k->simd, op);
}

/* int16 through a table of int16, behind a clip that leaves int16: what the loops of int16 store is what the table is asked for. */
static bool is_tabled_words(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return is_direct(op) && op->ifm.bytes == 2 && op->ofm.bytes == 2 && op->ofm.zero_point == 0 && u->table == NPU85_TABLE_S16_S16 &&
	       !u->clip_off && op->lo >= INT16_MIN && op->hi <= INT16_MAX;
}

/* The results of a job through its table, where they lie: a pool of one element. */
static bool look_up(const struct npu85_job *j)
{
	struct npu85_job t = *j;
	struct npu_op *op = &t.op;

	op->kind = NPU_POOL;
	op->mode = NPU_POOL_SUM;
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_left = op->pad_bottom = op->pad_right = op->upscale = op->per_channel = 0;
	op->ifm = op->ofm;
	op->ifm.is_signed = 1;
	op->u85.ofm_scale = (struct npu85_scale){ .scale = 1 };
	memcpy(t.view.ifm, t.view.ofm, sizeof(t.view.ofm));
	return t.k->simd->rows->pool85(&t);
}

static bool multiply_tabled(struct npu85_job *j)
{
	struct npu_op plain = j->op;

	plain.u85.table = NPU85_TABLE_NONE;
	j->k->again = NULL; /* two kernels */
	return multiply(j, &plain, &j->view) && look_up(j);
}

bool npu85_fast_mac(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	bool product = op->u85.weights_ifm2;

	if (op->ifm.stacked || (product && (op->kernel_h > 1 || op->kernel_w > 1 || op->ifm2.bytes > 2)))
		return false;
	if (product && npu85_fast_row(j))
		return true;
	if (is_tabled_words(op) && !is_wide_product(j) && multiply_tabled(j))
		return true;
	if (is_direct(op) && !is_wide_product(j) && multiply(j, op, &j->view))
		return true;
	return (!is_direct(op) || op->u85.acc48) && via_accumulators(j);
}
