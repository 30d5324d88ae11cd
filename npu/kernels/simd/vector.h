/* SPDX-License-Identifier: Apache-2.0 */
/* One vector times a matrix: layers of one output pixel. Each weight is read once and used once, so that the way from the second
 * cache is what counts: those of bytes are read from the first to the last, as streams side by side come slower. What four groups of channels
 * become is worked out and stored together. Part of simd.c. */

#if SIMD_LEVEL == 3
#define VECTOR_GROUPS 4

/* One group's sums, in chains that do not wait for each other. */
ALWAYS_INLINE vec vector_sum(const u8 *x, size_t row, const i8 *weights, const i32 *start)
{
	vec a[4] = { vec_load(start), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512() };

	for (; row >= 4 * NPU_GROUP; row -= 4 * NPU_GROUP, x += 4 * NPU_GROUP, weights += 4 * NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < 16; j++)
			a[j % 4] = vec_dot(a[j % 4], vec_quad(x + 4 * j), vec_load(weights + 4 * j * NPU_GROUP));
	for (; row >= NPU_GROUP; row -= NPU_GROUP, x += NPU_GROUP, weights += NPU_GROUP * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < 4; j++)
			a[j] = vec_dot(a[j], vec_quad(x + 4 * j), vec_load(weights + 4 * j * NPU_GROUP));
	for (; row; row -= 4, x += 4, weights += 4 * NPU_GROUP)
		a[0] = vec_dot(a[0], vec_quad(x), vec_load(weights));
	return _mm512_add_epi32(_mm512_add_epi32(a[0], a[1]), _mm512_add_epi32(a[2], a[3]));
}

#define VECTOR_EXACT ((VECTOR_GROUPS + 3) * NPU_GROUP) /* bytes: store_exact() writes room for four pixels */

/* One of them lies next to a tie. */
static NOINLINE void vector_exact(const struct npu_layer8 *l, const vec *sum, unsigned groups, u32 c, u8 bytes[VECTOR_EXACT])
{
	NPU_LINE i32 acc[NPU_GROUP];

	for (unsigned g = 0; g < groups; g++) {
		vec_store(acc, sum[g]);
		store_exact(l->rescale + c / NPU_GROUP + g, l->narrow, acc, 1, bytes + g * NPU_GROUP);
	}
}

/* G groups from channel c on; the last may have fewer channels. */
ALWAYS_INLINE void vector_groups(const unsigned G, const struct npu_layer8 *l, bool two_sided, const struct estimate_bytes *b, const u8 *x, u32 c, u8 *to)
{
	const u32 left = l->depth - c;
	NPU_LINE u8 exact[VECTOR_EXACT];
	vec sum[VECTOR_GROUPS], v[VECTOR_GROUPS], bytes;
	bool decided = true;

	UNROLL for (unsigned g = 0; g < G; g++)
		sum[g] = vector_sum(x, l->row, (const i8 *)l->weights + (c / NPU_GROUP + g) * l->group_step, l->start + c + g * NPU_GROUP);
	UNROLL for (unsigned g = 0; g < G; g++) {
		const struct estimate_vec e = estimate_load(l->rescale + c / NPU_GROUP + g, l->narrow, two_sided);
		decided &= estimate(&e, two_sided, &sum[g], 1, &v[g]);
	}
	UNROLL for (unsigned g = G; g < VECTOR_GROUPS; g++)
		v[g] = v[0];
	bytes = estimate_narrow(b, v);
	if (__builtin_expect(!decided, 0)) {
		vector_exact(l, sum, G, c, exact);
		bytes = vec_load(exact);
	}
	if (left >= VECTOR_GROUPS * NPU_GROUP)
		vec_store(to + c, bytes);
	else
		_mm512_mask_storeu_epi8(to + c, (UINT64_C(1) << left) - 1, bytes);
}

static void vector_all(const struct npu_layer8 *l, const u8 *x, u8 *to)
{
	const bool two_sided = estimate_two_sided(l->rescale, l->narrow);
	const struct estimate_bytes b = estimate_bytes_load(l->narrow);
	u32 c = 0;

	for (; l->depth - c > 3 * NPU_GROUP; c += VECTOR_GROUPS * NPU_GROUP) {
		vector_groups(4, l, two_sided, &b, x, c, to);
		if (l->depth - c <= VECTOR_GROUPS * NPU_GROUP)
			return;
	}
	switch ((l->depth - c + NPU_GROUP - 1) / NPU_GROUP) {
	case 3: vector_groups(3, l, two_sided, &b, x, c, to); break;
	case 2: vector_groups(2, l, two_sided, &b, x, c, to); break;
	case 1: vector_groups(1, l, two_sided, &b, x, c, to); break;
	default: break;
	}
}

static void vector_u8(const struct npu_layer8 *l, const u8 *x, u8 *to)
{
	vector_all(l, x, to);
	if (l->narrow->table)
		look_up_bytes(l->narrow->table, to, l->depth, to);
}

/* The same of int16 as two bytes (simd/split.h), where both kinds of sums are chains of their own. */
ALWAYS_INLINE void vector_split_sums(const unsigned G, const struct npu_layer8 *l, const u8 *x, u32 c, vec low[VECTOR_GROUPS], vec high[VECTOR_GROUPS])
{
	const i8 *weights = (const i8 *)l->weights + c / NPU_GROUP * l->group_step;
	vec a[VECTOR_GROUPS][2], b[VECTOR_GROUPS][2];
	size_t row = l->row;

	UNROLL for (unsigned g = 0; g < G; g++) {
		a[g][0] = vec_load(l->start + c + g * NPU_GROUP);
		b[g][0] = vec_load(l->high + c + g * NPU_GROUP);
		a[g][1] = b[g][1] = _mm512_setzero_si512();
	}
#define STEP(j) do { \
		const vec low_ = vec_quad(x + 8 * (j)), high_ = vec_quad(x + 8 * (j) + 4); \
		UNROLL for (unsigned g_ = 0; g_ < G; g_++) { \
			const vec w_ = vec_load(weights + g_ * l->group_step + 4 * (j) * NPU_GROUP); \
			a[g_][(j) % 2] = vec_dot(a[g_][(j) % 2], low_, w_); \
			b[g_][(j) % 2] = vec_dot(b[g_][(j) % 2], high_, w_); \
		} \
	} while (0)
	for (; row >= 8; row -= 8, x += 16, weights += 8 * NPU_GROUP)
		UNROLL for (unsigned j = 0; j < 2; j++)
			STEP(j);
	if (row)
		STEP(0);
#undef STEP
	UNROLL for (unsigned g = 0; g < G; g++) {
		low[g] = vec_add(a[g][0], a[g][1]);
		high[g] = vec_add(b[g][0], b[g][1]);
	}
}

/* One group's to memory. */
static inline void vector_split_store(const struct npu_layer8 *l, u32 c, const vec *low, const vec *high, u8 *to)
{
	const struct split_target t = { .pixel = &to, .offset = (i64)(c * sizeof(i16)), .words = words_pair_load(l->narrow16, l->depth - c) };
	struct split_rescale r;

	split_rescale_load(&r, l->rescale + c / NPU_GROUP, l);
	if (r.kind == SPLIT_ANY) {
		split_store_any(l, c, &t, low, high, 1);
	} else {
		const vec v = r.kind == SPLIT_SHORT ? split_results(SPLIT_SHORT, *low, *high, &r) : r.kind == SPLIT_NARROW ? split_results(SPLIT_NARROW, *low, *high, &r)
			: split_results(SPLIT_WIDE, *low, *high, &r);
		split_put(&t, 0, 0, v, v);
	}
}

ALWAYS_INLINE void vector_split_groups(const unsigned G, const struct npu_layer8 *l, const u8 *x, u32 c, u8 *to)
{
	vec low[VECTOR_GROUPS], high[VECTOR_GROUPS];

	vector_split_sums(G, l, x, c, low, high);
	for (unsigned g = 0; g < G; g++)
		vector_split_store(l, c + g * NPU_GROUP, &low[g], &high[g], to);
}

static void vector_split(const struct npu_layer8 *l, const u8 *x, u8 *to)
{
	u32 c = 0;

	for (; l->depth > c + (VECTOR_GROUPS - 1) * NPU_GROUP; c += VECTOR_GROUPS * NPU_GROUP)
		vector_split_groups(VECTOR_GROUPS, l, x, c, to);
	for (; l->depth > c; c += NPU_GROUP)
		vector_split_groups(1, l, x, c, to);
}
#endif
