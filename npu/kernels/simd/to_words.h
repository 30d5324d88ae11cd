/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and int16 to int32: shifted to the left, moved and limited. Part of simd.c, behind pool_lines.h. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* 16 of them. */
ALWAYS_INLINE void to_words_at(const unsigned bytes, const bool is_signed, const struct npu_to_words *w, const u8 *from, u8 *to)
{
	const line add = V(set1_epi32)(w->add), lo = V(set1_epi32)(w->lo), hi = V(set1_epi32)(w->hi);

	UNROLL for (unsigned v = 0; v < LINE_VECS; v++, from += LINE_LANES * bytes, to += sizeof(line)) {
		const line moved = line_add(V(sll_epi32)(line_widen(bytes, is_signed, from), _mm_cvtsi32_si128(w->left)), add);
		const line within = line_smaller(line_larger(moved, lo), hi);
		memcpy(to, &within, sizeof(within));
	}
}

ALWAYS_INLINE void to_words_of(const unsigned bytes, const bool is_signed, const struct npu_to_words *all, const struct npu_byte_rows *g)
{
	const struct npu_to_words w = *all;
	const size_t n = g->n;
	const u8 *from = g->from;
	u8 *to = g->to;

	for (size_t r = 0; r < g->rows; r++, from += g->down_from, to += g->down_to) {
		for (size_t i = 0; i + NPU_GROUP <= n; i += NPU_GROUP)
			to_words_at(bytes, is_signed, &w, from + i * bytes, to + i * sizeof(i32));
		if (n % NPU_GROUP) /* some once more */
			to_words_at(bytes, is_signed, &w, from + (n - NPU_GROUP) * bytes, to + (n - NPU_GROUP) * sizeof(i32));
	}
}

static void to_words(const struct npu_to_words *w, const struct npu_byte_rows *g)
{
	if (w->bytes == 1 && w->is_signed)
		to_words_of(1, true, w, g);
	else if (w->bytes == 1)
		to_words_of(1, false, w, g);
	else if (w->is_signed)
		to_words_of(2, true, w, g);
	else
		to_words_of(2, false, w, g);
}
#endif
