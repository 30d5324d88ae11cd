/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of more than 32 bits, each channel's by its scale: (v * scale + (v < 0 ? minus : plus)) >> shift. Products have more than 64 bits, but not those of a sum's
 * low 16 bits and of the rest, which meet once the bits below are gone; so shifts are made 16 at least. Part of simd.c. */

#define WIDE_LOW 16

#if SIMD_LEVEL == 2
/* There are products of 32 bits without sign, and no shift that looks at one: both sides get something added that makes them positive. */
#define WIDE_ABOVE (WIDE_LOW + 31)
#define WIDE_POSITIVE 62

/* Constants of four channels. */
struct wide_lanes {
	vec scale, plus, minus, shift; /* the shift is what comes behind the first 16 */
	vec more; /* what makes sums of products positive, less what sums that are positive have more */
	vec less; /* what the former is after the shift */
};

ALWAYS_INLINE vec wide_constant(const struct npu_rounding *r, unsigned negative, vec shift)
{
	const vec unit = V(sllv_epi64)(V_SET64(1), shift), more = V_AND(V(cmpgt_epi64)(shift, V_SET64(r->above)), V_SET64((i64)r->more[negative]));
	const vec half = V_AND(V(srli_epi64)(unit, 1), V_SET64((i64)r->half[negative])), rest = V_AND(V(sub_epi64)(unit, V_SET64(1)), V_SET64((i64)r->rest[negative]));

	return V(add_epi64)(V(add_epi64)(half, rest), more);
}

/* The scale is the low half, the shift behind it. */
_Static_assert(sizeof(struct npu_scale) == sizeof(u64) && offsetof(struct npu_scale, shift) == sizeof(u32), "what wide_load() takes apart");

ALWAYS_INLINE struct wide_lanes wide_load(const struct npu_rounding *r, const struct npu_scale *scale)
{
	const vec both = vec_load(scale), shift = V_AND(V(srli_epi64)(both, 32), V_SET64(63)), positive = V_SET64(INT64_C(1) << WIDE_POSITIVE);
	const vec lacks = V(sub_epi64)(V_SET64(WIDE_LOW), shift), up = V_AND(lacks, V(cmpgt_epi64)(lacks, vec_all(0)));
	struct wide_lanes w = { .scale = V(sllv_epi64)(V_AND(both, V_SET64(UINT32_MAX)), up), .plus = V(sllv_epi64)(wide_constant(r, 0, shift), up),
				.minus = V(sllv_epi64)(wide_constant(r, 1, shift), up), .shift = V(sub_epi64)(up, lacks) };

	w.more = V(sub_epi64)(positive, V(slli_epi64)(w.scale, WIDE_ABOVE - WIDE_LOW));
	w.less = V(srlv_epi64)(positive, w.shift);
	return w;
}

ALWAYS_INLINE vec wide_of(const struct wide_lanes *w, vec x)
{
	const vec low = V_AND(x, V_SET64((1 << WIDE_LOW) - 1)), high = V(srli_epi64)(V(add_epi64)(x, V_SET64(INT64_C(1) << WIDE_ABOVE)), WIDE_LOW);
	const vec constant = _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(w->plus), _mm256_castsi256_pd(w->minus), _mm256_castsi256_pd(x)));
	const vec carried = V(srli_epi64)(V(add_epi64)(V(mul_epu32)(low, w->scale), constant), WIDE_LOW);
	const vec sum = V(add_epi64)(V(add_epi64)(V(mul_epu32)(high, w->scale), w->more), carried);

	return V(sub_epi64)(V(srlv_epi64)(sum, w->shift), w->less);
}

static bool rescale_wide(i64 *v, size_t vectors, const struct npu_rounding *r, const struct npu_scale scale[NPU_GROUP])
{
	enum { FOURS = NPU_GROUP / 4 };
	struct wide_lanes w[FOURS];
	vec all = vec_all(0);

	UNROLL for (unsigned i = 0; i < FOURS; i++) {
		w[i] = wide_load(r, scale + 4 * i);
		all = V_OR(all, w[i].scale);
	}
	if (!_mm256_testz_si256(all, V_SET64((i64)~(u64)UINT32_MAX)))
		return false;
	for (unsigned k = 0; k < FOURS; k++) {
		const struct wide_lanes one = w[k];
		for (size_t i = 4 * k; i < vectors * NPU_GROUP; i += NPU_GROUP)
			vec_store(v + i, wide_of(&one, vec_load(v + i)));
	}
	return true;
}
#else
struct wide_lanes {
	u64 scale[NPU_GROUP], plus[NPU_GROUP], minus[NPU_GROUP], shift[NPU_GROUP];
};

ALWAYS_INLINE u64 wide_constant(const struct npu_rounding *r, unsigned negative, unsigned shift)
{
	const u64 unit = UINT64_C(1) << shift;

	return (unit >> 1 & r->half[negative]) + ((unit - 1) & r->rest[negative]) + (shift > r->above ? r->more[negative] : 0);
}

/* False: a scale above 1 has no room for what its shift lacks. */
static inline bool wide_set(struct wide_lanes *w, const struct npu_rounding *r, const struct npu_scale scale[NPU_GROUP])
{
	u64 all = 0;

	for (unsigned c = 0; c < NPU_GROUP; c++) {
		const unsigned shift = scale[c].shift, up = shift < WIDE_LOW ? WIDE_LOW - shift : 0;
		w->scale[c] = (u64)scale[c].scale << up;
		w->plus[c] = wide_constant(r, 0, shift) << up;
		w->minus[c] = wide_constant(r, 1, shift) << up;
		w->shift[c] = shift + up;
		all |= w->scale[c];
	}
	return all <= UINT32_MAX;
}

static bool rescale_wide(i64 *v, size_t vectors, const struct npu_rounding *r, const struct npu_scale scale[NPU_GROUP])
{
	NPU_LINE struct wide_lanes w;

	if (!wide_set(&w, r, scale))
		return false;
	for (; vectors; vectors--, v += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++) {
			const u64 low = (u64)v[c] & ((1 << WIDE_LOW) - 1);
			const u64 carried = (low * w.scale[c] + (v[c] < 0 ? w.minus[c] : w.plus[c])) >> WIDE_LOW;
			v[c] = ((v[c] >> WIDE_LOW) * (i64)w.scale[c] + (i64)carried) >> (w.shift[c] - WIDE_LOW);
		}
	return true;
}
#endif
