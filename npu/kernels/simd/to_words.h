/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and int16 to int32: shifted to the left, moved, scaled and limited. Part of simd.c, behind pool_lines.h. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* What the compiler knows. */
struct to_words_kind {
	unsigned bytes;
	bool is_signed, scaled;
};

struct to_words_vec {
	struct signs_vec signs;
	line add, zero, lo, hi;
	__m128i left;
};

static inline struct to_words_vec to_words_vec_of(const struct npu_to_words *w)
{
	return (struct to_words_vec){ signs_load(&w->signs), vec_all(w->add), vec_all(w->zero), vec_all(w->lo), vec_all(w->hi), _mm_cvtsi32_si128(w->left) };
}

/* 16 of them, the second vector `apart` elements behind the first one. */
ALWAYS_INLINE void to_words_at(const struct to_words_kind k, const struct to_words_vec *w, const size_t apart, const u8 *from, u8 *to)
{
	UNROLL for (unsigned v = 0; v < LINE_VECS; v++, from += apart * k.bytes, to += apart * sizeof(i32)) {
		const line moved = line_add(V(sll_epi32)(line_widen(k.bytes, k.is_signed, from), w->left), w->add);
		const line result = line_add(k.scaled ? signs_vec(moved, &w->signs) : moved, w->zero);
		const line within = line_smaller(line_larger(result, w->lo), w->hi);
		memcpy(to, &within, sizeof(within));
	}
}

ALWAYS_INLINE void to_words_of(const struct to_words_kind k, const struct npu_to_words *all, const struct npu_byte_rows *g)
{
	const struct to_words_vec w = to_words_vec_of(all);
	const size_t n = g->n;
	const u8 *from = g->from;
	u8 *to = g->to;

	if (n < NPU_GROUP) {
		for (size_t r = 0; r < g->rows; r++, from += g->down_from, to += g->down_to)
			to_words_at(k, &w, n - LINE_LANES, from, to);
		return;
	}
	for (size_t r = 0; r < g->rows; r++, from += g->down_from, to += g->down_to) {
		for (size_t i = 0; i + NPU_GROUP <= n; i += NPU_GROUP)
			to_words_at(k, &w, LINE_LANES, from + i * k.bytes, to + i * sizeof(i32));
		if (n % NPU_GROUP) /* some once more */
			to_words_at(k, &w, LINE_LANES, from + (n - NPU_GROUP) * k.bytes, to + (n - NPU_GROUP) * sizeof(i32));
	}
}

ALWAYS_INLINE void to_words_any(const bool scaled, const struct npu_to_words *w, const struct npu_byte_rows *g)
{
	if (w->bytes == 1 && w->is_signed)
		to_words_of((struct to_words_kind){ 1, true, scaled }, w, g);
	else if (w->bytes == 1)
		to_words_of((struct to_words_kind){ 1, false, scaled }, w, g);
	else if (w->is_signed)
		to_words_of((struct to_words_kind){ 2, true, scaled }, w, g);
	else
		to_words_of((struct to_words_kind){ 2, false, scaled }, w, g);
}

static void to_words(const struct npu_to_words *w, const struct npu_byte_rows *g)
{
	if (w->scaled)
		to_words_any(true, w, g);
	else
		to_words_any(false, w, g);
}
#endif
