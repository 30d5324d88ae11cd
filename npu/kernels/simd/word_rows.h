/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bytes or int16 as weights of int16, two of a channel side by side, with AVX2. Part of simd.c. */

#if SIMD_LEVEL == 2
/* Pairs of elements of eight rows: each row's first ones to the first vector. */
ALWAYS_INLINE void rows_turn(vec v[8])
{
	vec two[8], four[8];

	UNROLL for (unsigned i = 0; i < 8; i += 2) {
		two[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
		two[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
	}
	UNROLL for (unsigned i = 0; i < 8; i += 4)
		UNROLL for (unsigned j = 0; j < 2; j++) {
			four[i + 2 * j] = _mm256_unpacklo_epi64(two[i + j], two[i + j + 2]);
			four[i + 2 * j + 1] = _mm256_unpackhi_epi64(two[i + j], two[i + j + 2]);
		}
	UNROLL for (unsigned i = 0; i < 4; i++) {
		v[i] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x20);
		v[i + 4] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x31);
	}
}

ALWAYS_INLINE vec rows_load(const struct npu_word_rows *r, const bool bytes, const u8 *p)
{
	if (!bytes)
		return vec_load(p);
	const __m128i flip = _mm_set1_epi8(r->is_signed ? 0 : -128), v = _mm_xor_si128(_mm_loadu_si128((const void *)p), flip);
	return _mm256_sub_epi16(_mm256_cvtepi8_epi16(v), _mm256_set1_epi16((i16)(r->zero_point - (r->is_signed ? 0 : 128))));
}

/* The first n < 16 elements, and zeros; no more may be memory. */
ALWAYS_INLINE vec rows_some(const struct npu_word_rows *r, const bool bytes, const u8 *p, u32 n)
{
	const size_t size = bytes ? sizeof(u8) : sizeof(i16);
	const vec places = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), some = _mm256_cmpgt_epi16(_mm256_set1_epi16((i16)n), places);
	u8 own[NPU_GROUP * sizeof(i16)];

	if (r->end - p < (i64)(NPU_GROUP * size)) {
		memset(own, 0, sizeof(own));
		p = memcpy(own, p, n * size);
	}
	return _mm256_and_si256(rows_load(r, bytes, p), some);
}

/* Eight rows from `first` on. What is behind the last one is that one again, whose sums nobody asks for. Not 0 where two of the lowest number of int16 are a pair. */
ALWAYS_INLINE vec rows_pack(const struct npu_word_rows *r, const bool bytes, u32 first, i16 *to)
{
	const vec lowest = vec_all((i32)0x80008000u);
	vec v[8], any = _mm256_setzero_si256();
	const u8 *row[8];

	UNROLL for (unsigned i = 0; i < 8; i++)
		row[i] = r->from + (first + i < r->rows ? first + i : r->rows - 1) * r->step;
	for (u32 left = r->depth, n; left; left -= n, to += NPU_GROUP * NPU_GROUP) {
		n = left < NPU_GROUP ? left : NPU_GROUP;
		UNROLL for (unsigned i = 0; i < 8; i++) {
			v[i] = n == NPU_GROUP ? rows_load(r, bytes, row[i]) : rows_some(r, bytes, row[i], n);
			row[i] += r->group;
			any = bytes ? any : _mm256_or_si256(any, _mm256_cmpeq_epi32(v[i], lowest));
		}
		rows_turn(v);
		for (unsigned i = 0; 2 * i < n; i++)
			vec_store(to + i * 2 * NPU_GROUP, v[i]);
	}
	return any;
}

static bool pack_words(const struct npu_word_rows *r, i16 *to)
{
	const size_t next = npu_word_weights(r->depth);
	vec any = _mm256_setzero_si256();

	for (u32 first = 0; first < (r->rows + NPU_GROUP - 1) / NPU_GROUP * NPU_GROUP; first += LANES) {
		i16 *const eight = to + first / NPU_GROUP * next + first % NPU_GROUP * 2;
		any = _mm256_or_si256(any, r->bytes == 1 ? rows_pack(r, true, first, eight) : rows_pack(r, false, first, eight));
	}
	return _mm256_testz_si256(any, any);
}
#endif
