/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to int16, int16 to bytes, int32, sums of int32 and accumulators of 48 bits to both, in one step from load to store: what normalisations scale. */
#include "npu/kernels/u85/elementwise.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/rows/rescale.h"

static bool narrowed_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct npu85_elementwise *e = ctx;
	const struct npu_to_narrow *s = &e->to_narrow;
	const bool two = !e->single, one = two && !e->b.fm;
	const unsigned a = e->a.map, b = two && !one ? e->b.map : 0;
	const i32 constant = one ? (i32)e->b.constant : 0;
	const struct npu_words_grid g = { .a = p[a], .b = one ? (const u8 *)&constant : two ? p[b] : NULL, .to = p[0], .down_a = down[a], .down_b = b ? down[b] : 0,
					  .down_to = down[0], .step_b = b ? stride[b] : 0, .rows = rows, .n = n };

	if (stride[0] != e->op->ofm.bytes || stride[a] != s->size || (g.step_b && g.step_b != sizeof(i32)) || n < NPU_GROUP || !e->simd->to_narrow(s, &g))
		return false;
	if (s->to_bytes && e->out.narrow.table)
		e->simd->look_up_pixels(e->out.bytes, p[0], down[0], rows, n);
	return true;
}

/* int32 as it is. */
static bool is_word(const struct npu85_operand *o)
{
	return o->scale.none && (o->fm ? npu_row_plain32(o->fm, sizeof(i32)) : o->constant == (i32)o->constant);
}

/* Accumulators of 48 bits; those that have 32 are scaled here. */
static bool is_wide(const struct npu85_operand *o)
{
	return o->scale.none && o->fm->bytes == sizeof(i64) && !o->fm->zero_point;
}

/* Elements of another size than results, which are never stored upon themselves. */
static bool has_sizes(const struct npu85_elementwise *e)
{
	const struct npu_fm *from = e->a.fm;
	const bool to_bytes = e->out.narrow_valid, to_words = e->out.halves && npu_stores_half(e->op), sum = e->op->mode == NPU_EW_ADD || e->op->mode == NPU_EW_SUB;

	if (!from || (!to_bytes && !to_words))
		return false;
	if (!e->single)
		return sum && !e->result.none && is_word(&e->a) && is_word(&e->b) && !npu85_words_halve(e);
	if (from->bytes == sizeof(i32))
		return e->op->acc_bits == 32 && is_word(&e->a);
	if (from->bytes == sizeof(i64))
		return e->op->acc_bits > 32 && is_wide(&e->a);
	return from->bytes == sizeof(i16) ? from->is_signed && to_bytes : from->bytes == 1 && to_words;
}

/* Lanes have room for elements shifted left by so much that the scale has the vectors' form; int32 are not shifted. */
static bool set_scale(struct npu_to_narrow *s, const struct npu85_stage *stage, const struct npu_fm *from)
{
	const u64 most = from->bytes >= sizeof(i32) ? INT32_MAX : npu_fm_magnitude(from);

	s->scaled = !stage->none && !stage->left;
	s->left = s->scaled ? 0 : stage->left;
	while (s->scaled && s->left <= NPU85_MOST_UP && !npu85_rescale_signs(&s->signs, stage->scale, s->left))
		s->left++;
	return s->left <= NPU85_MOST_UP && most << s->left <= INT32_MAX;
}

bool npu85_narrowed_init(struct npu85_elementwise *e, npu_walk_row *apart)
{
	const struct npu_op *op = e->op;
	struct npu_to_narrow *s = &e->to_narrow;

	if (!e->simd->to_narrow || !has_sizes(e))
		return false;
	*s = (struct npu_to_narrow){ .size = e->a.fm->bytes, .is_signed = e->a.fm->is_signed, .to_bytes = op->ofm.bytes == 1, .subtract = op->mode == NPU_EW_SUB,
				     .zero_point = e->a.fm->zero_point };
	if (!set_scale(s, &e->result, e->a.fm))
		return false;
	if (s->to_bytes)
		s->bytes = e->out.narrow;
	else
		s->words = (struct npu_narrow16){ op->ofm.zero_point, op->lo, op->hi };
	npu85_rows_by_grid(e, narrowed_grid, apart);
	return true;
}
