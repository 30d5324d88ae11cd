/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and int16 to int32, as they are, shifted to the left or scaled, in one step from load to store: what operands of sums become first. */
#include "npu/kernels/u85/elementwise.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rescale.h"

static bool widened_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const struct npu_byte_rows g = { .from = p[1], .to = p[0], .down_from = down[1], .down_to = down[0], .rows = rows, .n = n };

	if (stride[0] != sizeof(i32) || stride[1] != e->to_words.bytes || n < NPU_ROW_LEAST)
		return false;
	e->simd->to_words(&e->to_words, &g);
	return true;
}

/* By so much elements are shifted left. False: lanes have no room for it, or the scale has no vectors' form. */
static bool set_scale(struct npu_to_words *w, const struct npu85_stage *stage, u64 most)
{
	w->scaled = !stage->none && !stage->left;
	w->left = w->scaled ? 0 : stage->left;
	while (w->scaled && w->left <= NPU85_MOST_UP && !npu85_rescale_signs(&w->signs, stage->scale, w->left))
		w->left++;
	return !w->scaled || (w->left <= NPU85_MOST_UP && most << w->left <= INT32_MAX);
}

bool npu85_widened_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	const struct npu_fm *fm = e->a.fm;
	const bool clips = !op->u85.clip_off;
	struct npu_to_words *w = &e->to_words;

	if (!e->simd->to_words || !e->single || !e->out.words || fm->bytes > 2 || !npu85_stage_small(&e->result, (i64)npu_fm_magnitude(fm)))
		return false;
	*w = (struct npu_to_words){ .bytes = fm->bytes, .is_signed = fm->is_signed, .zero = op->ofm.zero_point, .lo = clips ? op->lo : INT32_MIN, .hi = clips ? op->hi : INT32_MAX };
	if (!set_scale(w, &e->result, npu_fm_magnitude(fm)))
		return false;
	w->add = -fm->zero_point * (1 << w->left);
	npu85_rows_by_grid(e, widened_grid, apart);
	return true;
}
