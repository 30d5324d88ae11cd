/* SPDX-License-Identifier: Apache-2.0 */
/* Where the pixels of an OFM lie; see sink.h. */
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/sink.h"

unsigned npu_target_pixels(const struct npu_target *t)
{
	unsigned n = 0;

	for (unsigned r = 0; r < t->runs; r++)
		n += t->run[r].n;
	return n;
}

void npu_target_next(struct npu_target *t, const struct npu_op *op, const struct npu_view *view,
		     struct npu_place *at, unsigned n)
{
	const struct npu_fm *ofm = &op->ofm;
	unsigned part;

	t->step = ofm->stride_x;
	t->runs = 0;
	for (; n; n -= part) {
		unsigned left = npu_fm_splits_rows(ofm) ? 1 : ofm->width - at->x;
		u8 *to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)view->ofm, at->y, at->x);
		struct npu_run *last = t->runs ? &t->run[t->runs - 1] : NULL;
		part = n < left ? n : left;
		if (last && to == last->to + last->n * t->step)
			last->n += part;
		else
			t->run[t->runs++] = (struct npu_run){ to, part };
		at->x += part;
		if (at->x == ofm->width)
			*at = (struct npu_place){ at->y + 1, 0 };
	}
}
