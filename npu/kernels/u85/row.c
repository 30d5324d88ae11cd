/* SPDX-License-Identifier: Apache-2.0 */
/* One pixel times the rows of IFM2: these are pixels, and it the weights of one channel, so that few weights are packed instead of all; see row.h. */
#include "npu/kernels/u85/row.h"

#include <string.h>

#include "npu/kernels/conv/conv.h"
#include "npu/kernels/conv/few.h"
#include "npu/kernels/conv/vector.h"

static bool is_row(const struct npu_fm *fm)
{
	return fm->bytes == 1 && npu_is_vector(fm);
}

/* Whether the pixel's elements are weights as the level multiplies them: where it does so by bytes, they stay what they are. */
static bool are_weights(const struct npu_simd *simd, const struct npu_fm *fm)
{
	return !simd->gemm_u8 || (fm->is_signed && !fm->zero_point);
}

static bool fits(const struct npu_op *op)
{
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return op->kernel_h == 1 && op->kernel_w == 1 && !padded && !op->upscale && !op->per_channel && op->u85.acc_input == NPU85_ACC_RESET &&
	       !op->u85.acc_output_off && is_row(&op->ifm) && is_row(&op->ofm) && op->ifm2.bytes == 1;
}

bool npu85_fast_row(struct npu85_job *j)
{
	struct npu_op turned = j->op;
	struct npu_view view = j->view;
	struct npu_fm *const ofm = &turned.ofm;

	if (!fits(&j->op) || !are_weights(j->k->simd, &j->op.ifm))
		return false;
	turned.ifm = j->op.ifm2;
	turned.ifm2 = j->op.ifm;
	memcpy(view.ifm, j->view.ifm2, sizeof(view.ifm));
	memcpy(view.ifm2, j->view.ifm, sizeof(view.ifm2));
	turned.up_width = ofm->width = ofm->depth;
	ofm->depth = 1;
	npu85_map_packed(ofm);
	turned.u85.stored = *ofm;
	if (npu_few_cycles(j->k, &turned) == UINT32_MAX)
		return false;
	struct npu_again *const again = j->k->again;
	j->k->again = NULL; /* weights that are data are others each time */
	const bool done = npu_fast_conv(j->k, &turned, &view);
	j->k->again = again;
	return done;
}
