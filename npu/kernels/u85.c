/* SPDX-License-Identifier: Apache-2.0 */
/* Ethos-U85 through the kernels of U55/U65: convolutions and depthwise whose operands lie in
 * memory. Weight order, records and rounding differ and are looked after where they are read
 * (packed.c, channels.c); here is what the operation may not have, and results that go into a
 * chain buffer instead of memory. */
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/private.h"
#include "npu/kernels/rows.h"
#include "npu/u85/u85.h"

static bool supported(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return npu_is_mac(op) && !u->ifm_chained && !u->ifm_scalar && u->acc_input == NPU85_ACC_RESET &&
	       !u->acc_output_off && !u->acc48 && !u->weights_ifm2 && !u->reverse && !u->transpose &&
	       !op->ifm.stacked && !u->stored.stacked && op->lo <= op->hi;
}

/* The OFM as a packed NHWC tensor in memory of our own. */
static bool chain_map(struct npu_kernels *k, struct npu_fm *ofm, struct npu_view *view)
{
	u64 bytes = (u64)ofm->height * ofm->width * ofm->depth * ofm->bytes;

	ofm->format = NPU_NHWC;
	ofm->stride_x = (i64)ofm->depth * ofm->bytes;
	ofm->stride_y = ofm->stride_x * ofm->width;
	ofm->tiled = 0;
	ofm->stacked = 0;
	ofm->width0 = ofm->width;
	ofm->height0 = ofm->height1 = ofm->height;
	ofm->used = 1;
	memset(view->ofm, 0, sizeof(view->ofm));
	view->ofm[0] = npu_scratch(&k->rows, bytes);
	return view->ofm[0] != NULL;
}

static bool chain_put(const struct npu_op *op, const u8 *from, struct npu85_carry *carry)
{
	const struct npu_fm *ofm = &op->ofm;
	struct npu85_tensor *chain = &carry->chain[ofm->region];

	if (!npu85_tensor_take(chain, ofm->height, ofm->width, ofm->depth, ofm->bytes, ofm->is_signed))
		return false;
	memcpy(chain->data, from, (size_t)ofm->height * ofm->width * ofm->depth * ofm->bytes);
	return true;
}

bool npu85_kernels_execute(struct npu_kernels *k, const struct npu_op *op,
			   const struct npu_view *view, struct npu85_carry *carry)
{
	u64 count = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;

	/* a single element also sets the flag that branches look at */
	if (!k->simd || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || !supported(op) || count == 1 ||
	    op->ofm.bytes > 4 || (!op->u85.ofm_chained && !op->ofm.used))
		return false;
	struct npu_op plain = *op;
	struct npu_view plain_view = *view;
	plain.cores = 1;
	if (op->u85.ofm_chained) {
		if (!chain_map(k, &plain.ofm, &plain_view))
			return false;
	} else {
		plain.ofm = op->u85.stored;
		plain.ofm.zero_point = op->ofm.zero_point;
		if (!npu_fm_disjoint(&plain.ofm, (const u8 *const *)view->ofm))
			return false;
	}
	if (!(op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(k, &plain, &plain_view))
		return false;
	return !op->u85.ofm_chained || chain_put(op, plain_view.ofm[0], carry);
}
