/* SPDX-License-Identifier: Apache-2.0 */
/* Uncompressed slices without zero runs, 64 indices at a time (AVX-512 VBMI2). Part of weights/decode.c. */

/* Indices that bytes hold, as weights do for which there is no palette. */
static inline bool wide_packed_fits(const struct npu_weights_decoder *d)
{
	return !d->palette_entries && d->width <= 8 && (1u << d->width) - 1 + d->offset <= 255;
}

/* 64 fields of `width` bits from bit `first` of the bytes on; nothing behind the 65th byte is read. */
ALWAYS_INLINE __m512i fields_at(const u8 *from, __m512i first, __m512i order, __m512i field, __m512i low)
{
	const __m512i next = _mm512_maskz_loadu_epi8(UINT64_MAX >> 7, from + 8);
	const __m512i bytes = _mm512_shrdv_epi64(_mm512_loadu_si512((const void *)from), next, first);

	return _mm512_and_si512(_mm512_multishift_epi64_epi8(field, _mm512_permutexvar_epi8(order, bytes)), low);
}

/* The slice is not longer than the stream. */
static void read_wide_packed(struct npu_weights_decoder *d)
{
	const u64 eight = UINT64_C(0x0706050403020100), step = UINT64_C(0x0101010101010101) * d->width, n = d->count;
	/* eight fields begin where bytes do */
	const __m512i order = _mm512_add_epi64(_mm512_set1_epi64((long long)eight),
					       _mm512_mullo_epi64(_mm512_set1_epi64((long long)step), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)));
	const __m512i field = _mm512_set1_epi64((long long)(eight * d->width)), low = _mm512_set1_epi8((char)((1u << d->width) - 1));
	const __m512i first = _mm512_set1_epi64((long long)(d->pos & 7)), offset = _mm512_set1_epi8((char)d->offset);
	const u8 *from = d->data + d->pos / 8;
	u8 *to = (u8 *)d->value;
	__m512i any = _mm512_setzero_si512();

	for (u64 i = 0; i < n; i += 64, from += 8 * d->width) {
		const __mmask64 wanted = n - i < 64 ? _bzhi_u64(UINT64_MAX, (u32)(n - i)) : UINT64_MAX;
		to = put_weights(to, weights_of(_mm512_maskz_add_epi8(wanted, fields_at(from, first, order, field, low), offset), &any), 64, d->narrow);
	}
	d->bits |= bits_of(any);
	d->bytes = d->narrow;
	d->ready = d->count;
	d->pos += n * d->width;
}
