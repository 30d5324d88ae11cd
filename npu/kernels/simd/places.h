/* SPDX-License-Identifier: Apache-2.0 */
/* Where the largest element of a row lies: rows of signed bytes or int16 side by side, 16 bytes at a time. The largest of a vector's elements is the
 * smallest once they are turned around, which hosts find in one instruction. Part of simd.c. */

#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
ALWAYS_INLINE __m128i place_larger(const unsigned bytes, __m128i a, __m128i b)
{
	return bytes == 1 ? _mm_max_epi8(a, b) : _mm_max_epi16(a, b);
}

ALWAYS_INLINE i32 place_most(const unsigned bytes, __m128i v)
{
	if (bytes == 2)
		return (i16)(_mm_extract_epi16(_mm_minpos_epu16(_mm_xor_si128(v, _mm_set1_epi16(INT16_MAX))), 0) ^ INT16_MAX);
	v = _mm_xor_si128(v, _mm_set1_epi8(INT8_MAX));
	v = _mm_min_epu8(v, _mm_srli_epi16(v, 8)); /* upper halves are not above these any more */
	return (i8)(_mm_extract_epi16(_mm_minpos_epu16(v), 0) ^ INT8_MAX);
}

/* A bit for each byte. */
ALWAYS_INLINE u32 place_equal(const unsigned bytes, __m128i v, __m128i most)
{
	return (u32)_mm_movemask_epi8(bytes == 1 ? _mm_cmpeq_epi8(v, most) : _mm_cmpeq_epi16(v, most));
}

ALWAYS_INLINE __m128i place_all(const unsigned bytes, i32 most)
{
	return bytes == 1 ? _mm_set1_epi8((char)most) : _mm_set1_epi16((short)most);
}

/* The first place, from the end on: nobody can tell where it will be found, so there is no branch. */
ALWAYS_INLINE u32 place_first(const unsigned bytes, const u8 *p, size_t size, i32 most)
{
	const __m128i all = place_all(bytes, most);
	size_t at = size - sizeof(all), place = at;

	for (;;) {
		const u32 equal = place_equal(bytes, most_load(p + at), all);
		place = equal ? at + (u32)__builtin_ctz(equal | 1u << 16) : place;
		if (!at)
			return (u32)(place / bytes);
		at = at > sizeof(all) ? at - sizeof(all) : 0;
	}
}

/* Of 16 bytes and more. */
ALWAYS_INLINE u32 place_long(const unsigned bytes, const u8 *p, size_t size, i32 *most)
{
	const size_t last = size - sizeof(__m128i);
	__m128i v = most_load(p + last);
	size_t at = 0;

	for (; at < last; at += sizeof(v))
		v = place_larger(bytes, v, most_load(p + at));
	*most = place_most(bytes, v);
	return place_first(bytes, p, size, *most);
}

/* Of `half` bytes to twice as many, half is 4 or 8: some lie in both ends, which come one behind the other. */
ALWAYS_INLINE u32 place_short(const unsigned bytes, const u8 *p, size_t size, size_t half, i32 *most)
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
	const __m128i v = _mm_set_epi64x((i64)ends[1], (i64)ends[0]);
	*most = place_most(bytes, v);
	const u32 at = (u32)__builtin_ctz(place_equal(bytes, v, place_all(bytes, *most)));
	return (u32)(at < half ? at : at - 2 * half + size) / bytes;
}

ALWAYS_INLINE u32 place_few(const unsigned bytes, const u8 *p, size_t size, i32 *most)
{
	u32 place = 0;

	for (u32 i = 0; i * bytes < size; i++) {
		i16 half;
		memcpy(&half, p + i * bytes, bytes);
		const i32 e = bytes == 1 ? (i8)half : half;
		if (!i || e > *most) {
			*most = e;
			place = i;
		}
	}
	return place;
}

ALWAYS_INLINE void places_of(const unsigned bytes, const u8 *from, i64 step, u32 rows, u32 n, i32 *most, u32 *place)
{
	const size_t size = (size_t)n * bytes;

	if (size >= sizeof(__m128i))
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_long(bytes, from, size, &most[r]);
	else if (size >= 8)
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_short(bytes, from, size, 8, &most[r]);
	else if (size >= 4)
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_short(bytes, from, size, 4, &most[r]);
	else
		for (u32 r = 0; r < rows; r++, from += step)
			place[r] = place_few(bytes, from, size, &most[r]);
}

static void places(unsigned bytes, const u8 *from, i64 step, u32 rows, u32 n, i32 *most, u32 *place)
{
	if (bytes == 1)
		places_of(1, from, step, rows, n, most, place);
	else
		places_of(2, from, step, rows, n, most, place);
}
#endif
