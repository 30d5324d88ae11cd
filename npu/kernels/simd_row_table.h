/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through tables of words, which compilers do not gather by themselves: npu_row_words() of tabled.h and npu_elementwise_table_grid() of
 * elementwise.h. Part of simd.c. */

#ifdef ROW_LEVEL
/* Tables are read where they are: copying one takes longer than a short row. */
void npu_row_words(const void *table, i32 *at, size_t n)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
#if SIMD_LEVEL == 3
		vec_store(at + i, _mm512_i32gather_epi32(vec_load(at + i), table, 4));
#else
		vec_store(at + i, _mm256_i32gather_epi32(table, vec_load(at + i), 4));
#endif
	for (; i < n; i++)
		memcpy(&at[i], (const u8 *)table + (size_t)at[i] * sizeof(*at), sizeof(*at));
}
#endif

#if SIMD_LEVEL == 3
/* 16 bytes, or one 16 times, with a sign. */
static inline __m512i table_values(const u8 *p, i64 step, __mmask16 some, bool is_signed, __m512i sign)
{
	const __m128i bytes = step ? _mm_maskz_loadu_epi8(some, p) : _mm_set1_epi8((char)*p);
	const __m512i v = is_signed ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes);

	return _mm512_sub_epi32(_mm512_xor_si512(v, sign), sign);
}

bool npu_elementwise_table_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
				size_t n)
{
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
			__m512i v = _mm512_add_epi32(table_values(a + i, 1, some, op->ifm.is_signed, sign_a), more);
			if (b)
				v = _mm512_add_epi32(v, table_values(stride[2] ? b + i : b, stride[2], some, op->ifm2.is_signed, sign_b));
			v = _mm512_add_epi32(_mm512_min_epi32(_mm512_max_epi32(v, lo), hi), _mm512_set1_epi32(128));
			v = _mm512_and_si512(v, _mm512_set1_epi32(255));
			_mm512_mask_storeu_epi32(to + 4 * i, some, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, v, table, 4));
		}
	return true;
}
#endif
