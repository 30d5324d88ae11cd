/* SPDX-License-Identifier: Apache-2.0 */
/* U85's comparisons, bits and shifts of int32, in 32 bits: those that struct npu_words has not. */
#include "npu/kernels/u85/elementwise.h"

#include <string.h>

#include "npu/kernels/u85/combine.h"

#define EACH(expression) do { \
	for (size_t i = 0; i < n; i++) \
		a[i] = (i32)(expression); \
	} while (0)

/* The low words of results; what is shifted by more than 31 bits leaves none. */
static void combine(unsigned mode, i32 *a, const i32 *b, size_t n)
{
	switch (mode) {
	case NPU_EW_ABS: EACH(a[i] < 0 ? 0 - (u32)a[i] : (u32)a[i]); return;
	case NPU_EW_SHL: EACH((u32)b[i] > 31 ? 0 : (u32)a[i] << (b[i] & 31)); return;
	case NPU_EW_LSR: EACH((u32)b[i] > 31 ? 0 : (u32)a[i] >> (b[i] & 31)); return;
	default: npu85_combine32(mode, a, b, n); return;
	}
}

static void load(const struct npu85_operand *o, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n, i32 *out)
{
	i32 all = (i32)o->constant;

	if (o->fm && stride[o->map]) {
		npu_row_copy(sizeof(*out), p[o->map], stride[o->map], (u8 *)out, sizeof(*out), n);
		return;
	}
	if (o->fm)
		memcpy(&all, p[o->map], sizeof(all));
	for (size_t i = 0; i < n; i++)
		out[i] = all;
}

static void bits_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu85_elementwise *e = ctx;
	NPU_LINE i32 a[NPU_ROW];
	NPU_LINE i32 b[NPU_ROW];

	load(&e->a, p, stride, n, a);
	if (!e->op->unary)
		load(&e->b, p, stride, n, b);
	combine(e->op->mode, a, b, n);
	npu85_stage_run32(&e->result, e->simd, a, n);
	npu85_row_store32(&e->out, a, n, p[0], stride[0]);
}

static bool is_word(const struct npu85_operand *o)
{
	return o->fm ? npu_row_plain32(o->fm, sizeof(i32)) && o->scale.none : o->constant == (i32)o->constant;
}

bool npu85_bits_init(struct npu85_elementwise *e)
{
	const struct npu_op *op = e->op;
	const unsigned mode = op->mode;
	const bool compares = mode >= NPU_EW_CMP_EQ && mode <= NPU_EW_CMP_GT, bits = (mode >= NPU_EW_AND && mode <= NPU_EW_NOT) || mode == NPU_EW_AND_NOT;
	const bool low = mode == NPU_EW_ABS || mode == NPU_EW_SHL || mode == NPU_EW_LSR; /* results may have more than 32 bits */

	if (e->single || e->out.raw || !is_word(&e->a) || (!op->unary && !is_word(&e->b)))
		return false;
	if (!(compares && npu85_stage_small(&e->result, 1)) && !(e->result.none && ((bits && !op->ofm.zero_point) || (low && npu_sink_is_plain32(op)))))
		return false;
	e->row = bits_row;
	return true;
}
