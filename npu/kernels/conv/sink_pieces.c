/* SPDX-License-Identifier: Apache-2.0 */
/* Results of int16 through a table of 512 pieces; see sink.h. */
#include "npu/kernels/conv/sink.h"
#include "npu/kernels/rows/halves.h"

bool npu_sink_has_pieces(const struct npu_simd *simd, const struct npu_op *op)
{
	const bool table = op->u85.enabled ? op->u85.table == NPU85_TABLE_S16_S16 && !op->u85.clip_off : op->output == NPU_OUT_LUT16;

	return simd->unary16 && table && op->ofm.bytes == sizeof(i16) && op->lo >= INT16_MIN && op->hi <= INT16_MAX;
}

void npu_sink_look_up_pieces(const struct npu_sink *s, const struct npu_target *t, i64 offset, unsigned channels)
{
	struct npu_unary16 u;

	npu_unary16_pieces(&u, s->lut + (s->u85 ? 0 : s->op->lut_offset), s->u85);
	for (unsigned r = 0; r < t->runs; r++) {
		u8 *const to = t->run[r].to + offset;
		s->simd->unary16(&u, &(struct npu_words_grid){ .a = to, .to = to, .down_a = t->step, .down_to = t->step, .rows = t->run[r].n, .n = channels });
	}
}
