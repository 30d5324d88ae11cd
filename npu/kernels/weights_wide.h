/* SPDX-License-Identifier: Apache-2.0 */
/* Golomb codes where bytes can be compressed and bit fields cut out of vectors (AVX-512 VBMI2). Part of weights_decode.c.
 *
 * The first loop, bit by bit of a chunk's digits, only finds where chunks and remainders lie, without a table. Then
 * four chunks are a vector: of the places of all digits those that end a symbol are brought together, and the
 * remainders likewise; a quotient is how far two places are apart. All of that in bytes: slices that have larger
 * indices, or codes so long that a byte does not hold how far, say so at the end and are read in the other way. */

/* Digits of four chunks. */
struct digits {
	u16 ends[4], ones[4]; /* which end a symbol (without runs: which do not), which have a second bit */
	u32 behind[4];        /* bit behind them: the remainders of the chunk before */
	u8 number[4];         /* with runs: how many chunks with weights came before */
} __attribute__((aligned(64)));

struct wide {
	const u8 *data;
	u64 base, loaded, more; /* the next chunk begins `more` bits behind bit `base`, from which on bits are loaded */
	u64 open;               /* digits of the last chunk that end no symbol; the others' symbols have no remainders yet */
	u64 found;              /* symbols */
	u8 *place;              /* of symbols to come: twice the number of the last digit, modulo 256, and its one */
	u8 *remainder;          /* of those to come; what lies above their width is of no meaning */
	u64 before;             /* ends of the chunk before the next one in `digits` */
	__m512i number;         /* twice the numbers of the first digits of four chunks there */
};

/* Digits of a chunk. What leads from chunk to chunk is short: how many symbols end follows from two counts. */
ALWAYS_INLINE void find_digits(struct wide *x, u32 width, struct digits *s, u32 chunk)
{
	const u64 bits = x->loaded >> x->more, ones = bits & 0xfff, digits = x->base + x->more + 12;

	x->base = digits + (u64)12 * width - x->open * width;
	x->loaded = window(x->data, x->base);
	x->more = (unsigned)__builtin_popcountll(ones);
	const u64 twos = _pdep_u64(bits >> 12, ones);
	s->ends[chunk] = (u16)twos;
	s->ones[chunk] = (u16)ones;
	s->behind[chunk] = (u32)(digits + x->more);
	x->open = (unsigned)__builtin_popcountll(twos);
	x->found -= x->open; /* what the digits would be is added for many chunks at a time */
}

static inline u64 four_masks(const u16 *of_chunk)
{
	u64 v;

	memcpy(&v, of_chunk, sizeof(v));
	return v;
}

/* A vector whose quarters are filled by the lowest byte of each 32 bits of `four`. */
ALWAYS_INLINE __m512i spread_four(__m128i four)
{
	const __m512i lane = _mm512_set_epi64(0x0c0c0c0c0c0c0c0c, 0x0c0c0c0c0c0c0c0c, 0x0808080808080808, 0x0808080808080808,
					      0x0404040404040404, 0x0404040404040404, 0, 0);

	return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(four), lane);
}

/* `number`: twice the numbers of the chunks' first digits. `ends`: which digits end a symbol. */
ALWAYS_INLINE void find_places(struct wide *x, u64 ends, u64 ones, __m512i number)
{
	const __m512i digit = _mm512_add_epi8(number, _mm512_broadcast_i32x4(_mm_set_epi32(0, 0x16141210, 0x0e0c0a08, 0x06040200)));
	const __m512i place = _mm512_mask_add_epi8(digit, ones, digit, _mm512_set1_epi8(1));

	_mm512_storeu_si512(x->place, _mm512_maskz_compress_epi8(ends, place));
	x->place += __builtin_popcountll(ends);
}

ALWAYS_INLINE __m128i bytes_behind(const struct wide *x, u32 bit)
{
	return _mm_loadu_si128((const void *)(x->data + (bit >> 3)));
}

/* The remainders behind four chunks; `ends` are those of the chunks that they belong to. */
ALWAYS_INLINE void find_remainders(struct wide *x, u64 ends, const u32 behind[4], u32 width)
{
	const u64 eight = UINT64_C(0x0706050403020100), step = UINT64_C(0x0101010101010101) * width;
	/* a chunk's first eight fields, then the others, whose bytes lie `width` further: both begin at the same bit */
	const __m512i half = _mm512_broadcast_i32x4(_mm_set_epi64x((long long)(eight + step), (long long)eight));
	const __m512i field = _mm512_set1_epi64((long long)(eight * width));
	const __m128i count = _mm_popcnt_epi16(_mm_cvtsi64_si128((long long)ends)), one = _mm_set1_epi16(1);
	const u64 valid = (u64)_mm_cvtsi128_si64(_mm_sub_epi16(_mm_sllv_epi16(one, count), one));
	const __m512i first = _mm512_and_si512(spread_four(_mm_loadu_si128((const void *)behind)), _mm512_set1_epi8(7));
	const __m256i two = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes_behind(x, behind[0])), bytes_behind(x, behind[1]), 1);
	const __m256i more = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes_behind(x, behind[2])), bytes_behind(x, behind[3]), 1);
	const __m512i bytes = _mm512_shuffle_epi8(_mm512_inserti64x4(_mm512_castsi256_si512(two), more, 1), half);
	const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_add_epi8(first, field), bytes);

	_mm512_storeu_si512(x->remainder, _mm512_maskz_compress_epi8(valid, fields));
	x->remainder += __builtin_popcountll(valid);
}

/* Those of the chunks before, of which the last is `chunks` before the next one. */
ALWAYS_INLINE void next_remainders(struct wide *x, const struct digits *s, u64 ends, u32 width, u32 chunks)
{
	find_remainders(x, _bzhi_u64(ends << 16 | x->before, 16 * chunks), s->behind, width);
	x->before = ends >> 16 * (chunks - 1) & 0xfff;
}

/* What find_digits() has found in four chunks, of which the first `chunks` are there. False: symbols may be further apart than a
 * byte can say. */
ALWAYS_INLINE bool use_digits(struct wide *x, const struct digits *s, u32 width, u32 chunks)
{
	const u64 ends = _bzhi_u64(~four_masks(s->ends) & UINT64_C(0x0fff0fff0fff0fff), 16 * chunks);

	find_places(x, ends, four_masks(s->ones), x->number);
	x->number = _mm512_add_epi8(x->number, _mm512_set1_epi8((char)(24 * chunks)));
	next_remainders(x, s, ends, width, chunks);
	return ends != 0;
}

/* `fours` times four chunks; what was stored for them is used two turns later, when it has reached the cache. */
ALWAYS_INLINE bool read_fours(struct wide *state, struct digits *s, u32 width, u32 fours)
{
	struct wide x = *state;
	bool near = true;

	for (u32 i = 0; i < fours + 2; i++) {
#pragma GCC unroll 4
		for (u32 c = 0; i < fours && c < 4; c++)
			find_digits(&x, width, &s[i], c);
		if (i >= 2)
			near &= use_digits(&x, &s[i - 2], width, 4);
	}
	x.found += 12 * 4 * (u64)fours;
	*state = x;
	return near;
}

static bool read_few(struct wide *x, u32 width, u32 chunks)
{
	struct digits s = { 0 };

	for (u32 c = 0; c < chunks; c++)
		find_digits(x, width, &s, c);
	x->found += 12 * chunks;
	return use_digits(x, &s, width, chunks);
}

/* Weights i to i + 63 of an array of bytes or int16. */
ALWAYS_INLINE void put_weights(void *to, size_t i, __m512i weights, const bool bytes)
{
	if (bytes) {
		_mm512_storeu_si512((i8 *)to + i, weights);
	} else {
		_mm512_storeu_si512((i16 *)to + i, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(weights)));
		_mm512_storeu_si512((i16 *)to + i + 32, _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(weights, 1)));
	}
}

/* Weights from the places of the symbols' last digits (that of the symbol before comes first) and the remainders. False: indices
 * above 255. */
ALWAYS_INLINE bool join_symbols(struct npu_weights_decoder *d, const u8 *place, const u8 *remainder, const bool bytes)
{
	const __m512i low = _mm512_set1_epi8((char)((1 << d->width) - 1)), one = _mm512_set1_epi8(1);
	const __m128i width = _mm_cvtsi32_si128((int)d->width);
	const __m512i offset = _mm512_set1_epi8((char)d->offset);
	__m512i quotients = _mm512_setzero_si512(), largest = quotients, any = quotients;

	for (u32 i = 0; i < d->count; i += 64) {
		const __mmask64 wanted = _bzhi_u64(UINT64_MAX, min_u32(64, d->count - i));
		const __m512i at = _mm512_loadu_si512(place + i + 1);
		/* less two: that one's last digit does not count */
		const __m512i before = _mm512_or_si512(_mm512_loadu_si512(place + i), one);
		const __m512i quotient = _mm512_maskz_sub_epi8(wanted, at, _mm512_add_epi8(before, one));
		/* bits that leave a byte are covered by the next one's remainder */
		const __m512i symbol = _mm512_ternarylogic_epi32(low, _mm512_maskz_loadu_epi8(wanted, remainder + i),
								 _mm512_sll_epi16(quotient, width), 0xca);
		const __m512i index = _mm512_maskz_add_epi8(wanted, symbol, offset);
		const __m512i magnitude = _mm512_and_si512(_mm512_srli_epi16(index, 1), _mm512_set1_epi8(127));
		const __m512i weight = _mm512_mask_sub_epi8(magnitude, _mm512_test_epi8_mask(index, one), _mm512_setzero_si512(), magnitude);

		quotients = _mm512_max_epu8(quotients, quotient);
		largest = _mm512_max_epu8(largest, symbol);
		any = _mm512_or_si512(any, _mm512_xor_si512(weight, _mm512_movm_epi8(_mm512_movepi8_mask(weight))));
		put_weights(d->value, i, weight, bytes);
	}
	any = _mm512_or_si512(any, _mm512_srli_epi16(any, 8));
	d->bits |= (u16)(_mm512_reduce_or_epi32(_mm512_or_si512(any, _mm512_srli_epi32(any, 16))) & 127);
	return !_mm512_cmpgt_epu8_mask(quotients, _mm512_set1_epi8((char)(255 >> d->width))) &&
	       !_mm512_cmpgt_epu8_mask(largest, _mm512_set1_epi8((char)(255 - d->offset)));
}

/* Slices whose weights are indices, from an offset on, with the sign in bit 0. */
static inline bool wide_fits(const struct npu_weights_decoder *d)
{
	return !d->palette_entries && !d->truncated;
}

/* At the slice's first chunk, which has nothing before it. */
static inline struct wide wide_begin(struct npu_weights_decoder *d, u64 start)
{
	u8 *const places = (u8 *)d->zero, *const remainders = (u8 *)d->expanded; /* of no other use yet */
	struct wide x = { .data = d->data + start / 8, .base = d->pos - start, .open = 12, .place = places + 1, .remainder = remainders };

	_Static_assert(sizeof(d->expanded) >= SLICE_MAX + 128, "bytes, and vectors behind them");
	places[0] = (u8)-2;
	x.loaded = window(x.data, x.base);
	return x;
}

/* At the slice's end: the last `left` symbols have no remainders yet. False: as in read_wide(). */
static inline bool wide_end(struct npu_weights_decoder *d, u64 start, struct wide *x, u32 left)
{
	const u64 pos = x->base + x->more;
	const u32 behind[4] = { (u32)pos };
	const u16 bits = d->bits;
	const u8 *const places = (const u8 *)d->zero, *const remainders = (const u8 *)d->expanded;

	find_remainders(x, _bzhi_u32(0xfff, left), behind, d->width);
	if (start + pos + left * d->width > d->end ||
	    !(d->narrow ? join_symbols(d, places, remainders, true) : join_symbols(d, places, remainders, false))) {
		d->bits = bits;
		return false;
	}
	d->bytes = d->narrow;
	d->pos = start + pos + left * d->width;
	d->ready = d->count;
	return true;
}

/* False: nothing is decided, the slice is to be read in the other way. */
static NOINLINE bool read_wide(struct npu_weights_decoder *d)
{
	const u64 start = d->pos / 8 * 8, end = d->end - start;
	const u32 width = d->width;
	struct digits s[SEGMENT / 4 + 2];
	struct wide x = wide_begin(d, start);

	x.number = spread_four(_mm_set_epi32(72, 48, 24, 0));
	while (x.found < d->count) {
		if (x.base + x.more > end)
			return false;
		/* as in read_by_ends() */
		const u64 whole = (d->count - x.found) / 12, safe = (end - x.base - x.more) / CHUNK_BITS_MAX + 1;
		const u32 most = min_u32(whole ? (u32)whole : 1, SEGMENT), chunks = safe < most ? (u32)safe : most;
		const bool near = chunks < 4 ? read_few(&x, width, chunks) :
			width == 5 /* what compilers choose for weights of eight bits */ ? read_fours(&x, s, 5, chunks / 4) :
			read_fours(&x, s, width, chunks / 4);
		if (!near)
			return false;
	}
	return wide_end(d, start, &x, d->count - (u32)(x.found + x.open - 12));
}
