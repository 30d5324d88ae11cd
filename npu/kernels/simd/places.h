/* SPDX-License-Identifier: Apache-2.0 */
/* Where the largest element of a row lies: rows of bytes or int16 side by side, whole vectors at a time. The largest of a vector's elements is the
 * smallest once they are turned around, which hosts find in one instruction. Elements without a sign have their top bit changed. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
/* What a row consists of, all of which the compiler knows. */
struct place_type {
	unsigned bytes;
	bool is_signed;
};

ALWAYS_INLINE __m128i place_flip(const struct place_type t)
{
	return t.is_signed ? _mm_setzero_si128() : t.bytes == 1 ? _mm_set1_epi8(INT8_MIN) : _mm_set1_epi16(INT16_MIN);
}

ALWAYS_INLINE __m128i place_load(const struct place_type t, const u8 *p)
{
	return t.is_signed ? most_load(p) : _mm_xor_si128(most_load(p), place_flip(t));
}

ALWAYS_INLINE __m128i place_larger(const struct place_type t, __m128i a, __m128i b)
{
	return t.bytes == 1 ? _mm_max_epi8(a, b) : _mm_max_epi16(a, b);
}

ALWAYS_INLINE i32 place_most(const struct place_type t, __m128i v)
{
	if (t.bytes == 2)
		return (i16)(_mm_extract_epi16(_mm_minpos_epu16(_mm_xor_si128(v, _mm_set1_epi16(INT16_MAX))), 0) ^ INT16_MAX);
	v = _mm_xor_si128(v, _mm_set1_epi8(INT8_MAX));
	v = _mm_min_epu8(v, _mm_srli_epi16(v, 8)); /* upper halves are not above these any more */
	return (i8)(_mm_extract_epi16(_mm_minpos_epu16(v), 0) ^ INT8_MAX);
}

/* A bit for each byte. */
ALWAYS_INLINE u32 place_equal(const struct place_type t, __m128i v, __m128i most)
{
	return (u32)_mm_movemask_epi8(t.bytes == 1 ? _mm_cmpeq_epi8(v, most) : _mm_cmpeq_epi16(v, most));
}

ALWAYS_INLINE __m128i place_all(const struct place_type t, i32 most)
{
	return t.bytes == 1 ? _mm_set1_epi8((char)most) : _mm_set1_epi16((short)most);
}

/* The first place, from the end on: nobody can tell where it will be found, so there is no branch. */
ALWAYS_INLINE u32 place_first(const struct place_type t, const u8 *p, size_t size, i32 most)
{
	const __m128i all = place_all(t, most);
	size_t at = size - sizeof(all), place = at;

	for (;;) {
		const u32 equal = place_equal(t, place_load(t, p + at), all);
		place = equal ? at + (u32)__builtin_ctz(equal | 1u << 16) : place;
		if (!at)
			return (u32)(place / t.bytes);
		at = at > sizeof(all) ? at - sizeof(all) : 0;
	}
}

/* Of 16 bytes and more. */
ALWAYS_INLINE u32 place_long(const struct place_type t, const u8 *p, size_t size, i32 *most)
{
	const size_t last = size - sizeof(__m128i);
	__m128i v = place_load(t, p + last);
	size_t at = 0;

	for (; at < last; at += sizeof(v))
		v = place_larger(t, v, place_load(t, p + at));
	*most = place_most(t, v);
	return place_first(t, p, size, *most);
}

#if SIMD_LEVEL == 3
typedef u64 place_bits; /* for each element */
#define PLACE_STEP(t) (t).bytes

ALWAYS_INLINE place_bits place_bits_of(const struct place_type t, vec v, vec all)
{
	return t.bytes == 1 ? _mm512_cmpeq_epi8_mask(v, all) : _mm512_cmpeq_epi16_mask(v, all);
}

ALWAYS_INLINE __m128i place_fold(const struct place_type t, vec v)
{
	const __m256i a = _mm512_castsi512_si256(v), b = _mm512_extracti64x4_epi64(v, 1);
	const __m256i half = t.bytes == 1 ? _mm256_max_epi8(a, b) : _mm256_max_epi16(a, b);

	return place_larger(t, _mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}
#else
typedef u32 place_bits; /* for each byte */
#define PLACE_STEP(t) 1u

ALWAYS_INLINE place_bits place_bits_of(const struct place_type t, vec v, vec all)
{
	return (u32)_mm256_movemask_epi8(t.bytes == 1 ? _mm256_cmpeq_epi8(v, all) : _mm256_cmpeq_epi16(v, all));
}

ALWAYS_INLINE __m128i place_fold(const struct place_type t, vec v)
{
	return place_larger(t, _mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
#endif

ALWAYS_INLINE vec place_load_wide(const struct place_type t, const u8 *p)
{
	const vec flip = t.bytes == 1 ? V(set1_epi8)(INT8_MIN) : V(set1_epi16)(INT16_MIN);

	return t.is_signed ? vec_load(p) : (vec)((vec)flip ^ (vec)vec_load(p));
}

/* The same of a whole vector and more. */
ALWAYS_INLINE u32 place_wide(const struct place_type t, const u8 *p, size_t size, i32 *most)
{
	const size_t last = size - sizeof(vec);
	vec v = place_load_wide(t, p + last);

	for (size_t at = 0; at < last; at += sizeof(vec))
		v = t.bytes == 1 ? V(max_epi8)(v, place_load_wide(t, p + at)) : V(max_epi16)(v, place_load_wide(t, p + at));
	*most = place_most(t, place_fold(t, v));
	const vec all = t.bytes == 1 ? V(set1_epi8)((char)*most) : V(set1_epi16)((short)*most);
	size_t at = last, place = last;
	for (;;) {
		const place_bits equal = place_bits_of(t, place_load_wide(t, p + at), all);
		place = equal ? at + (size_t)__builtin_ctzll(equal) * PLACE_STEP(t) : place;
		if (!at)
			return (u32)(place / t.bytes);
		at = at > sizeof(vec) ? at - sizeof(vec) : 0;
	}
}
#undef PLACE_STEP

/* Of `half` bytes to twice as many, half is 4 or 8: some lie in both ends, which come one behind the other. */
ALWAYS_INLINE u32 place_short(const struct place_type t, const u8 *p, size_t size, size_t half, i32 *most)
{
	u64 ends[2] = { 0 };
	u32 two[2];

	if (half == 8) {
		memcpy(&ends[0], p, 8);
		memcpy(&ends[1], p + size - 8, 8);
	} else {
		memcpy(&two[0], p, 4);
		memcpy(&two[1], p + size - 4, 4);
		ends[0] = ends[1] = two[0] | (u64)two[1] << 32;
	}
	const __m128i v = _mm_xor_si128(_mm_set_epi64x((i64)ends[1], (i64)ends[0]), place_flip(t));
	*most = place_most(t, v);
	const u32 at = (u32)__builtin_ctz(place_equal(t, v, place_all(t, *most)));
	return (u32)(at < half ? at : at - 2 * half + size) / t.bytes;
}

ALWAYS_INLINE u32 place_few(const struct place_type t, const u8 *p, size_t size, i32 *most)
{
	const i32 flip = t.is_signed ? 0 : t.bytes == 1 ? INT8_MIN : INT16_MIN;
	u32 place = 0;

	for (u32 i = 0; i * t.bytes < size; i++) {
		i16 half;
		memcpy(&half, p + i * t.bytes, t.bytes);
		const i32 e = t.bytes == 1 ? (i8)(half ^ flip) : (i16)(half ^ flip);
		if (!i || e > *most) {
			*most = e;
			place = i;
		}
	}
	return place;
}

ALWAYS_INLINE void places_of(const struct place_type t, const u8 *from, i64 step, u32 rows, u32 n, i32 *most, u32 *place)
{
	const size_t size = (size_t)n * t.bytes;

	if (size >= sizeof(vec))
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_wide(t, from, size, &most[r]);
	else if (size >= sizeof(__m128i))
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_long(t, from, size, &most[r]);
	else if (size >= 8)
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_short(t, from, size, 8, &most[r]);
	else if (size >= 4)
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_short(t, from, size, 4, &most[r]);
	else
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_few(t, from, size, &most[r]);
	for (u32 r = 0; !t.is_signed && r < rows; r++)
		most[r] += t.bytes == 1 ? 128 : 32768;
}

static void places(unsigned bytes, bool is_signed, const u8 *from, i64 step, u32 rows, u32 n, i32 *most, u32 *place)
{
	if (bytes == 1 && is_signed)
		places_of((struct place_type){ 1, true }, from, step, rows, n, most, place);
	else if (bytes == 1)
		places_of((struct place_type){ 1, false }, from, step, rows, n, most, place);
	else if (is_signed)
		places_of((struct place_type){ 2, true }, from, step, rows, n, most, place);
	else
		places_of((struct place_type){ 2, false }, from, step, rows, n, most, place);
}
#endif
