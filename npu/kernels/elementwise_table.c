/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and differences of bytes through a table of 256 int32, which the exponentials of a softmax are: from bytes to words in registers,
 * whatever the layout. */
#include "npu/kernels/elementwise.h"

#if ROW_LEVEL == 3
#include <immintrin.h>
#endif

#include "npu/kernels/fm.h"

static bool is_plain(const struct npu_operand *o)
{
	return !o->left && o->scale.scale == 1 && o->scale.shift == 0;
}

bool npu_elementwise_table_fits(const struct npu_elementwise_rows *e)
{
#if ROW_LEVEL == 3
	const struct npu_op *op = e->op;

	return (op->mode == NPU_EW_ADD || op->mode == NPU_EW_SUB) && op->output == NPU_OUT_LUT32 && op->ifm.bytes == 1 && op->ifm2.bytes == 1 &&
	       op->ofm.bytes == 4 && op->ofm_scale.scale == 1 && op->ofm_scale.shift == 0 && is_plain(&e->first) && is_plain(&e->second);
#else
	(void)e;
	(void)is_plain;
	return false;
#endif
}

#if ROW_LEVEL == 3
/* 16 bytes, or one 16 times, with a sign. */
static inline __m512i values(const u8 *p, i64 step, __mmask16 some, bool is_signed, __m512i sign)
{
	const __m128i bytes = step ? _mm_maskz_loadu_epi8(some, p) : _mm_set1_epi8((char)*p);
	const __m512i v = is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);

	return _mm512_sub_epi32(_mm512_xor_si512(v, sign), sign);
}
#endif

bool npu_elementwise_table_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				size_t n)
{
#if ROW_LEVEL == 3
	const struct npu_elementwise_rows *e = ctx;
	const struct npu_op *op = e->op;
	const bool constant = op->ifm2_scalar;
	const u8 *a = p[1], *b = constant ? NULL : p[2], *const table = e->sink.lut + op->lut_offset;
	u8 *to = p[0];

	if (stride[0] != sizeof(i32) || stride[1] != 1 || (b && stride[2] && stride[2] != 1))
		return false;
	const i32 add = op->ofm.zero_point - e->first.sign * op->ifm.zero_point + (constant ? e->second.constant : -e->second.sign * op->ifm2.zero_point);
	const __m512i sign_a = _mm512_set1_epi32(e->first.sign < 0 ? -1 : 0), sign_b = _mm512_set1_epi32(e->second.sign < 0 ? -1 : 0);
	const __m512i more = _mm512_set1_epi32(add), lo = _mm512_set1_epi32(op->lo), hi = _mm512_set1_epi32(op->hi);
	for (size_t r = 0; r < rows; r++, a += down[1], b = b ? b + down[2] : NULL, to += down[0])
		for (size_t i = 0; i < n; i += 16) {
			const __mmask16 some = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : (__mmask16)~0u;
			__m512i v = _mm512_add_epi32(values(a + i, 1, some, op->ifm.is_signed, sign_a), more);
			if (b)
				v = _mm512_add_epi32(v, values(stride[2] ? b + i : b, stride[2], some, op->ifm2.is_signed, sign_b));
			v = _mm512_add_epi32(_mm512_min_epi32(_mm512_max_epi32(v, lo), hi), _mm512_set1_epi32(128));
			v = _mm512_and_si512(v, _mm512_set1_epi32(255));
			_mm512_mask_storeu_epi32(to + 4 * i, some, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, v, table, 4));
		}
	return true;
#else
	return false;
#endif
}

void npu_elementwise_table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_elementwise_table_grid(ctx, p, down, stride, 1, n))
		npu_elementwise32_row(ctx, p, stride, n);
}
