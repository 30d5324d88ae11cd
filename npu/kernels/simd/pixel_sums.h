/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of the bytes that each channel has in some pixels (struct npu_pixel_sums): two pixels' at a time, in 16 bits as long as these hold them.
 * Part of simd.c. */

#if SIMD_LEVEL == 2
#define PIXEL_PAIRS 64 /* that 16 bits hold */

struct pixel_sums {
	vec lo, hi;  /* int16 */
	vec wide[4]; /* those before, of each half of both */
	unsigned pairs;
};

/* Elements of both side by side, and their sums. */
ALWAYS_INLINE void pixel_pair_add(struct pixel_sums *p, const bool is_signed, vec a, vec b)
{
	const vec one = _mm256_set1_epi8(1), lo = _mm256_unpacklo_epi8(a, b), hi = _mm256_unpackhi_epi8(a, b);

	p->lo = _mm256_add_epi16(p->lo, is_signed ? _mm256_maddubs_epi16(one, lo) : _mm256_maddubs_epi16(lo, one));
	p->hi = _mm256_add_epi16(p->hi, is_signed ? _mm256_maddubs_epi16(one, hi) : _mm256_maddubs_epi16(hi, one));
}

ALWAYS_INLINE void pixel_sums_widen(struct pixel_sums *p)
{
	const __m128i half[4] = { _mm256_castsi256_si128(p->lo), _mm256_extracti128_si256(p->lo, 1), _mm256_castsi256_si128(p->hi), _mm256_extracti128_si256(p->hi, 1) };

	UNROLL for (unsigned i = 0; i < 4; i++)
		p->wide[i] = vec_add(p->wide[i], _mm256_cvtepi16_epi32(half[i]));
	p->lo = p->hi = _mm256_setzero_si256();
	p->pairs = 0;
}

static inline __m128i pixel_bytes(const u8 *p)
{
	return _mm_loadu_si128((const void *)p);
}

/* One pixel's 32 channels, or two pixels' 16; `some`: those that there are, of the second kind fewer than two perhaps. */
ALWAYS_INLINE vec pixels_load(const bool wide, const u8 *p, i64 along, u32 some)
{
	if (wide)
		return some ? vec_load(p) : _mm256_setzero_si256();
	const __m128i first = some ? pixel_bytes(p) : _mm_setzero_si128(), second = some > 1 ? pixel_bytes(p + along) : _mm_setzero_si128();

	return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

ALWAYS_INLINE void pixel_sums_of(const struct npu_pixel_sums *s, const bool wide, const bool is_signed, i32 *sum)
{
	const u32 each = wide ? 1 : 2; /* pixels of a vector */
	const i64 along = s->along;
	const u8 *row = s->from;
	struct pixel_sums p = { .pairs = 0 };

	for (u32 y = s->rows; y; y--, row += s->down) {
		const u8 *at = row;
		u32 left = s->pixels;
		for (; left >= 2 * each; left -= 2 * each, at += 2 * each * along) {
			pixel_pair_add(&p, is_signed, pixels_load(wide, at, along, each), pixels_load(wide, at + each * along, along, each));
			if (++p.pairs == PIXEL_PAIRS)
				pixel_sums_widen(&p);
		}
		if (!left)
			continue;
		pixel_pair_add(&p, is_signed, pixels_load(wide, at, along, left < each ? left : each),
			       pixels_load(wide, at + each * along, along, left < each ? 0 : left - each));
		if (++p.pairs == PIXEL_PAIRS)
			pixel_sums_widen(&p);
	}
	pixel_sums_widen(&p);
	vec_store(sum, wide ? p.wide[0] : vec_add(p.wide[0], p.wide[1]));
	vec_store(sum + LANES, wide ? p.wide[2] : vec_add(p.wide[2], p.wide[3]));
	if (wide) {
		vec_store(sum + NPU_GROUP, p.wide[1]);
		vec_store(sum + NPU_GROUP + LANES, p.wide[3]);
	}
}

static void pixel_sums(const struct npu_pixel_sums *s, i32 *sum)
{
	if (s->wide && s->is_signed)
		pixel_sums_of(s, true, true, sum);
	else if (s->wide)
		pixel_sums_of(s, true, false, sum);
	else if (s->is_signed)
		pixel_sums_of(s, false, true, sum);
	else
		pixel_sums_of(s, false, false, sum);
}
#endif
