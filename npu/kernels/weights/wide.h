/* SPDX-License-Identifier: Apache-2.0 */
/* Golomb codes where bytes can be compressed and bit fields cut out of vectors (AVX-512 VBMI2). Part of weights/decode.c.
 *
 * The first loop, bit by bit of a chunk's digits, only finds where chunks and remainders lie, without a table. Then
 * four chunks are a vector: of the places of all digits those that end a symbol are brought together, and the
 * remainders likewise; a quotient is how far two places are apart. All of that in bytes: slices that have larger
 * indices, or codes so long that a byte does not hold how far, say so at the end and are read in the other way.
 *
 * Finding waits for one position after the other; what is done with what was found fills that time, up to the weights. */

/* Digits of chunks: of the last one that was used, and of those that came since. */
struct digits {
	u16 ends[LONG_SEGMENT + 4], ones[LONG_SEGMENT + 4]; /* which end a symbol (without runs: which do not), which have a second bit */
	u32 behind[LONG_SEGMENT + 4];                       /* bit behind them: the remainders of the chunk before */
	u8 number[LONG_SEGMENT + 4];                        /* with runs: how many chunks with weights came before */
};

/* What weights become. */
enum kind {
	ANY,         /* is not known beforehand */
	BYTES,
	PLAIN_BYTES, /* bytes, of indices without an offset */
};

struct wide {
	const u8 *data;
	u64 pos;           /* the next chunk's first bit, */
	u64 loaded, shift; /* which is bit `shift` of what is loaded */
	u64 open;          /* digits of the last chunk that end no symbol; the others' symbols have no remainders yet */
	u64 found;         /* symbols */
	__m512i places;    /* without runs: twice the numbers of the digits of the next four chunks to be used */
	__m512i last;           /* twice the number of the last digit of a symbol, modulo 256, and its one: of the last symbol that is a weight */
	u8 *to;            /* weights to come: bytes, or int16 */
	bool bytes;
	__m512i offset;    /* of indices */
	__m512i quotients, symbols, any; /* the largest ones, and the bits of all weights */
};

/* Where the next chunk begins: `shift` bits behind the byte of bit `bit` + 8 * `ahead`, which may be before the data. */
ALWAYS_INLINE void load_chunk(struct wide *x, i64 bit, u64 ahead, u64 more)
{
	x->loaded = load_le64(x->data + (bit >> 3) + ahead);
	x->shift = ((u64)bit & 7) + more;
}

/* Digits of a chunk. What leads from chunk to chunk is short: how many symbols end follows from two counts. */
ALWAYS_INLINE void find_digits(struct wide *x, u32 width, struct digits *s, u64 chunk)
{
	const u64 bits = x->loaded >> x->shift, ones = bits & 0xfff, second = bits >> 12, more = (unsigned)__builtin_popcountll(ones);
	const u64 twos = _pdep_u64(second, ones), most = 12 + (u64)12 * width, base = x->pos - x->open * width;

	s->ends[chunk] = (u16)twos;
	s->ones[chunk] = (u16)ones;
	s->behind[chunk] = (u32)(x->pos + more + 12);
	x->open = (unsigned)__builtin_popcountll(_bzhi_u64(second, (u32)more)); /* sooner than by what was deposited */
	load_chunk(x, (i64)(base + most % 8), most / 8, more); /* whole bytes where the width is 5 */
	x->pos = base + most + more;
}

/* A vector out of memory, where the compiler would make it anew each time. */
ALWAYS_INLINE __m512i load_vector(const u8 bytes[64])
{
	return _mm512_load_si512((const void *)bytes);
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

/* Twice the numbers of all digits. `number`: of the chunks' first digits. */
ALWAYS_INLINE __m512i places_of(__m512i number)
{
	return _mm512_add_epi8(number, _mm512_broadcast_i32x4(_mm_set_epi32(0, 0x16141210, 0x0e0c0a08, 0x06040200)));
}

ALWAYS_INLINE __m128i bytes_behind(const struct wide *x, u32 bit)
{
	return _mm_loadu_si128((const void *)(x->data + (bit >> 3)));
}

/* The remainders behind four chunks, side by side; `ends` are those of the chunks that they belong to. What lies above their width
 * is of no meaning. */
ALWAYS_INLINE __m512i remainders_of(const struct wide *x, u64 ends, const u32 behind[4], u32 width)
{
	const u64 eight = UINT64_C(0x0706050403020100), step = UINT64_C(0x0101010101010101) * width;
	/* a chunk's first eight fields, then the others, whose bytes lie `width` further: both begin at the same bit */
	const __m512i half = _mm512_broadcast_i32x4(_mm_set_epi64x((long long)(eight + step), (long long)eight));
	const __m512i field = _mm512_set1_epi64((long long)(eight * width));
	const __m128i count = _mm_popcnt_epi16(_mm_cvtsi64_si128((long long)ends)), one = _mm_load_si128((const void *)npu_weights_bytes.words);
	const u64 valid = (u64)_mm_cvtsi128_si64(_mm_sub_epi16(_mm_sllv_epi16(one, count), one));
	const __m512i first = _mm512_and_si512(spread_four(_mm_loadu_si128((const void *)behind)), load_vector(npu_weights_bytes.seven));
	const __m256i two = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes_behind(x, behind[0])), bytes_behind(x, behind[1]), 1);
	const __m256i more = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes_behind(x, behind[2])), bytes_behind(x, behind[3]), 1);
	const __m512i bytes = _mm512_shuffle_epi8(_mm512_inserti64x4(_mm512_castsi256_si512(two), more, 1), half);

	return _mm512_maskz_compress_epi8(valid, _mm512_multishift_epi64_epi8(_mm512_add_epi8(first, field), bytes));
}

/* The next weights; so many of the vector count. Returns where more of them go. */
ALWAYS_INLINE u8 *put_weights(u8 *to, __m512i weights, u32 count, const bool bytes)
{
	if (bytes) {
		_mm512_storeu_si512(to, weights);
		return to + count;
	}
	_mm512_storeu_si512(to, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(weights)));
	_mm512_storeu_si512(to + 64, _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(weights, 1)));
	return to + 2 * (size_t)count;
}

/* Weights from indices; *any gets the bits of w ^ w >> 15. */
ALWAYS_INLINE __m512i weights_of(__m512i index, __m512i *any)
{
	const __m512i one = load_vector(npu_weights_bytes.one);
	const __m512i magnitude = _mm512_and_si512(_mm512_srli_epi16(index, 1), load_vector(npu_weights_bytes.magnitude));
	const __mmask64 minus = _mm512_test_epi8_mask(index, one);

	*any = _mm512_or_si512(*any, _mm512_mask_subs_epu8(magnitude, minus, magnitude, one));
	return _mm512_mask_sub_epi8(magnitude, minus, _mm512_setzero_si512(), magnitude);
}

/* Those of all bytes together. */
static inline u16 bits_of(__m512i any)
{
	const __m512i pairs = _mm512_or_si512(any, _mm512_srli_epi16(any, 8));

	return (u16)(_mm512_reduce_or_epi32(_mm512_or_si512(pairs, _mm512_srli_epi32(pairs, 16))) & 127);
}

/* Weights from the places of the symbols' last digits and the remainders, `count` of both. */
ALWAYS_INLINE void join_symbols(struct wide *x, __m512i at, __m512i remainder, u32 count, u32 width, const enum kind kind)
{
	const __m512i lane = _mm512_set_epi64(0x3e3d3c3b3a393837, 0x363534333231302f, 0x2e2d2c2b2a292827, 0x262524232221201f, 0x1e1d1c1b1a191817,
					      0x161514131211100f, 0x0e0d0c0b0a090807, 0x060504030201003f);
	const __m512i low = load_vector(npu_weights_bytes.low[width]), one = load_vector(npu_weights_bytes.one);
	const __mmask64 wanted = _bzhi_u64(UINT64_MAX, count);
	/* less two: that one's last digit does not count */
	const __m512i before = _mm512_mask_permutexvar_epi8(x->last, ~UINT64_C(1), lane, at);
	const __m512i quotient = _mm512_maskz_add_epi8(wanted, at, _mm512_ternarylogic_epi32(before, before, one, 0x11));
	/* bits that leave a byte are covered by the next one's remainder */
	const __m512i symbol = _mm512_ternarylogic_epi32(low, remainder, _mm512_slli_epi16(quotient, width), 0xca);
	const __m512i index = kind == PLAIN_BYTES ? symbol : _mm512_maskz_add_epi8(wanted, symbol, x->offset);

	x->last = _mm512_permutexvar_epi8(_mm512_set1_epi8((char)(count - 1)), at);
	x->quotients = _mm512_max_epu8(x->quotients, quotient);
	if (kind != PLAIN_BYTES) /* else such quotients are enough */
		x->symbols = _mm512_max_epu8(x->symbols, symbol);
	x->to = put_weights(x->to, weights_of(index, &x->any), count, kind != ANY || x->bytes);
}

/* The symbols of four chunks that their `ends` end become weights. `ones`, `places`: of these chunks; the remainders lie behind the
 * digits of each one's next chunk, which is what `behind` says. */
ALWAYS_INLINE void use_ends(struct wide *x, u64 ends, u64 ones, __m512i places, const u32 behind[4], u32 width, const enum kind kind)
{
	const __m512i last = _mm512_mask_add_epi8(places, ones, places, load_vector(npu_weights_bytes.one));

	join_symbols(x, _mm512_maskz_compress_epi8(ends, last), remainders_of(x, ends, behind, width), (u32)__builtin_popcountll(ends), width,
		     kind);
}

/* Without runs: the ends in up to four chunks. */
ALWAYS_INLINE u64 ends_of(const u16 *of_chunk, u32 chunks)
{
	return _bzhi_u64(~four_masks(of_chunk) & UINT64_C(0x0fff0fff0fff0fff), 16 * chunks);
}

/* Symbols of up to four chunks from `first` on, whose remainders were behind those of find_digits(). False: symbols may be further
 * apart than a byte can say. */
ALWAYS_INLINE bool use_digits(struct wide *x, const struct digits *s, u64 first, u32 width, u32 chunks, const enum kind kind)
{
	const u64 ends = ends_of(s->ends + first, chunks);
	const __m512i places = x->places;

	x->places = _mm512_add_epi8(places, _mm512_set1_epi8((char)(24 * chunks)));
	if (UNLIKELY(!ends))
		return false;
	use_ends(x, ends, four_masks(s->ones + first), places, s->behind + first + 1, width, kind);
	return true;
}

/* Nothing was found yet. */
static inline void digits_begin(struct digits *s, bool runs)
{
	s->ends[0] = runs ? 0 : 0xfff; /* no symbol */
	s->ones[0] = s->number[0] = 0;
	memset(s->behind, 0, 8 * sizeof(*s->behind)); /* of few chunks four are looked at */
}

/* Of what was found all is used, up to symbols of the last of `chunks` chunks, which have no remainders yet. */
static inline void used(struct digits *s, u32 chunks)
{
	s->ends[0] = s->ends[chunks];
	s->ones[0] = s->ones[chunks];
	s->number[0] = s->number[chunks];
}

/* After all of what was found has been used, up to the last chunk. */
static inline void count_found(struct wide *x, const struct npu_weights_decoder *d)
{
	x->found = (size_t)(x->to - (const u8 *)d->value) / (x->bytes ? 1 : 2) + 12 - x->open;
}

/* `fours` times four chunks; what was stored for them is used two turns later, when it has reached the cache. */
ALWAYS_INLINE bool read_fours(struct wide *state, struct digits *s, u32 width, u64 fours, const enum kind kind)
{
	struct wide x = *state;
	bool near = true;

	for (u64 i = 0; i < fours + 2; i++) {
#pragma GCC unroll 4
		for (u32 c = 0; i < fours && c < 4; c++)
			find_digits(&x, width, s, 4 * i + c + 1);
		if (i >= 2)
			near &= use_digits(&x, s, 4 * i - 8, width, 4, kind);
	}
	*state = x;
	return near;
}

static bool read_few(struct wide *x, struct digits *s, u32 width, u32 chunks)
{
	for (u32 c = 0; c < chunks; c++)
		find_digits(x, width, s, c + 1);
	(void)use_digits(x, s, 0, width, chunks, ANY);
	return ends_of(s->ends + 1, chunks) != 0;
}

/* What compilers choose for weights of eight bits has loops of its own. */
static inline bool read_some(struct wide *x, struct digits *s, u32 width, u32 chunks, bool plain)
{
	if (chunks < 4)
		return read_few(x, s, width, chunks);
	if (width != 5)
		return read_fours(x, s, width, chunks / 4, ANY);
	return plain ? read_fours(x, s, 5, chunks / 4, PLAIN_BYTES) : read_fours(x, s, 5, chunks / 4, ANY);
}

/* Slices whose weights are indices, from an offset on, with the sign in bit 0. */
static inline bool wide_fits(const struct npu_weights_decoder *d)
{
	return !d->palette_entries && !d->truncated;
}

/* At the slice's first chunk, which has nothing before it. */
static inline struct wide wide_begin(struct npu_weights_decoder *d, u64 start)
{
	const __m512i none = _mm512_setzero_si512();
	struct wide x = { .data = d->data + start / 8, .pos = d->pos - start, .open = 12, .to = (u8 *)d->value, .bytes = d->narrow,
			  .places = places_of(spread_four(_mm_set_epi32(48, 24, 0, -24))), .last = _mm512_set1_epi8(-2), .quotients = none,
			  .symbols = none, .any = none, .offset = _mm512_set1_epi8((char)d->offset) };

	_Static_assert(ARRAY_LEN(d->value) >= SLICE_MAX + 64, "a vector that begins with the last weight");
	load_chunk(&x, (i64)x.pos, 0, 0);
	return x;
}

/* Whether all weights become bytes, and are indices without an offset. */
static inline bool wide_plain(const struct npu_weights_decoder *d)
{
	return d->narrow && d->offset == 0;
}

/* Whether all that was put are weights: no index above 255, none that a byte could not hold on the way. */
static inline bool wide_near(const struct wide *x, const struct npu_weights_decoder *d)
{
	return !_mm512_cmpgt_epu8_mask(x->quotients, _mm512_set1_epi8((char)(255 >> d->width))) &&
	       !_mm512_cmpgt_epu8_mask(x->symbols, _mm512_set1_epi8((char)(255 - d->offset)));
}

/* At the slice's end: the last chunk's first `left` symbols of those that `ends` ends have no remainders yet. False: as in
 * read_wide(). */
static inline bool wide_end(struct npu_weights_decoder *d, u64 start, struct wide *x, u64 ends, u64 ones, __m512i places, u32 left)
{
	const u64 pos = x->pos, wanted = _pdep_u64(_bzhi_u64(0xfff, left), ends);
	const u32 behind[4] = { (u32)pos };

	if (wanted)
		use_ends(x, wanted, ones, places, behind, d->width, ANY);
	if (start + pos + left * d->width > d->end || !wide_near(x, d))
		return false;
	d->bits |= bits_of(x->any);
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
	struct digits s;
	struct wide x = wide_begin(d, start);

	digits_begin(&s, false);

	while (x.found < d->count) {
		if (x.pos > end)
			return false;
		/* as in read_by_ends() */
		const u64 whole = (d->count - x.found) / 12, safe = (end - x.pos) / CHUNK_BITS_MAX + 1;
		const u32 most = min_u32(whole ? (u32)whole : 1, LONG_SEGMENT), chunks = safe < most ? (u32)safe : most;
		if (!read_some(&x, &s, width, chunks, wide_plain(d)))
			return false;
		count_found(&x, d);
		used(&s, chunks < 4 ? chunks : chunks / 4 * 4);
	}
	return wide_end(d, start, &x, ~s.ends[0] & 0xfff, s.ones[0], x.places, d->count - (u32)(x.found + x.open - 12));
}
