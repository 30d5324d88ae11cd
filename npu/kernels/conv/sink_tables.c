/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of an output stage: of bytes, by stored byte, and of int16, 512 pieces; see sink.h. */
#include "npu/kernels/conv/sink.h"

#include <string.h>

#include "npu/kernels/rows/halves.h"

void npu_table_by_byte(u8 to[256], const u8 *table, bool is_signed)
{
	memcpy(to, table + (is_signed ? 128 : 0), 128);
	memcpy(to + 128, table + (is_signed ? 0 : 128), 128);
}

bool npu_table_follow(u8 by_byte[256], const u8 *table, bool is_signed)
{
	const unsigned first = is_signed ? 128 : 0;

	if (memcmp(by_byte, table + first, 128) == 0 && memcmp(by_byte + 128, table + (first ^ 128), 128) == 0)
		return true;
	npu_table_by_byte(by_byte, table, is_signed);
	return false;
}

bool npu_sink_again(struct npu_sink *s)
{
	const struct npu_op *op = s->op;

	if (!s->narrow_valid || !(s->narrow.table || s->late))
		return true;
	if (s->u85)
		return npu_table_follow(s->table, s->lut, op->u85.table == NPU85_TABLE_S8_S8);
	return npu_table_follow(s->table, s->lut + op->lut_offset, op->ofm.is_signed);
}

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
