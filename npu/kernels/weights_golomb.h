/* SPDX-License-Identifier: Apache-2.0 */
/* The usual slice: Golomb codes without zero runs. Part of weights_decode.c.
 *
 * Segment by segment, first all quotients, while noting where each chunk's remainders lie, then
 * all remainders: the first loop's chain from position to position is short, and the second
 * one does not load what was stored just before. A chunk's remainders come behind the quotients
 * of the next one, so a segment ends with a chunk that waits for the next segment. */

#define CHUNK_BITS_MAX 84 /* 12 digits of two bits, 12 remainders of 5 */

struct segment {
	/* of a chunk: first bit of its remainders from the slice's first on << 32 | its symbols
	 * << 16 | which symbols' last digit is a one (where quotients are found by ends) */
	u64 chunk[SEGMENT + 1];
	u16 before[8]; /* [7] is lane[-1] */
	u16 lane[SEGMENT * 12 + 2 * LANES_SLACK];
};

struct golomb {
	u64 start, pos;
	u32 found;   /* symbols; more than there are in the slice at the end of it */
	u32 waiting; /* low half of the last chunk's entry */
	u32 carry;   /* digits since the last symbol's end, or chunks without such an end */
	u16 digit;   /* twice the number of digits read */
};

static inline u64 chunk_entry(const struct golomb *g, u64 pos, u32 low)
{
	return (pos - g->start) << 32 | low;
}

static inline unsigned symbols_of(u64 chunk)
{
	return chunk >> 16 & 15;
}

/* Reads quotients of up to `most` chunks, until all are found; notes the chunks before them and
 * returns how many. False: codes too long. */
typedef bool read_quotients(const struct npu_weights_decoder *d, struct golomb *g, struct segment *s,
			    unsigned most, unsigned *chunks);
typedef void add_remainders_of(const struct npu_weights_decoder *d, const struct golomb *g,
			       const struct segment *s, unsigned chunks, u16 *index);

/* Quotients by digits: a table of four digits of both unary fields. */
static bool quotients_by_digits(const struct npu_weights_decoder *d, struct golomb *g,
				struct segment *s, unsigned most, unsigned *chunks)
{
	const struct npu_weights_quotients *table =
		d->truncated ? d->tables->truncated : d->tables->plain;
	const unsigned width = d->width, wanted = d->count;
	const u8 *data = d->data;
	u32 found = g->found, carry = g->carry, last = g->waiting;
	u16 *to = s->lane + symbols_of(last);
	u64 pos = g->pos;
	unsigned c;

	for (c = 0; c < most && found < wanted; c++) {
		u64 bits = window(data, pos);
		u64 unary1 = bits >> 12;
		unsigned ones0 = ones4(bits), ones1 = ones0 + ones4(bits >> 4);
		const struct npu_weights_quotients *q0 = &table[(bits & 15) | (unary1 & 15) << 4];
		const struct npu_weights_quotients *q1 =
			&table[(bits >> 4 & 15) | (unary1 >> ones0 & 15) << 4];
		const struct npu_weights_quotients *q2 =
			&table[(bits >> 8 & 15) | (unary1 >> ones1 & 15) << 4];
		unsigned n = q0->finished;
		u32 carry1 = q0->rest + (carry & q0->keep), carry2 = q1->rest + (carry1 & q1->keep);

		store_lanes(to, (q0->lanes + carry) << width);
		store_lanes(to + n, (q1->lanes + carry1) << width);
		n += q1->finished;
		store_lanes(to + n, (q2->lanes + carry2) << width);
		n += q2->finished;
		carry = q2->rest + (carry2 & q2->keep);
		if (UNLIKELY(carry > WEIGHT_CARRY_MAX))
			return false;
		pos += 12 + ones1 + ones4(bits >> 8);
		s->chunk[c] = chunk_entry(g, pos, last);
		pos += symbols_of(last) * width;
		last = n << 16;
		to += n;
		found += n;
	}
	g->found = found;
	g->carry = carry;
	g->waiting = last;
	g->pos = pos;
	*chunks = c;
	return true;
}

static void remainders_by_digits(const struct npu_weights_decoder *d, const struct golomb *g,
				 const struct segment *s, unsigned chunks, u16 *index)
{
	const struct spread sp = spread_of(d->width);
	const u16 *quotient = s->lane;

	for (unsigned c = 0; c < chunks; c++) {
		unsigned n = symbols_of(s->chunk[c]);
		u64 bits = wide_window(d->data, g->start + (s->chunk[c] >> 32));
		store_lanes(index, load_lanes(quotient) + spread(bits, &sp));
		store_lanes(index + 4, load_lanes(quotient + 4) + spread(bits >> (4 * sp.width), &sp));
		store_lanes(index + 8, load_lanes(quotient + 8) + spread(bits >> (8 * sp.width), &sp));
		quotient += n;
		index += n;
	}
}

#if defined(WEIGHTS_BMI2)
/* Quotients by bits. Bit i of `ends` says that digit i of the chunk ends a symbol; digits are
 * numbered through the slice, and a quotient follows from the numbers of its symbol's last digit
 * and of the symbol's before: nothing is carried. Lanes hold twice these numbers. */
static bool quotients_by_ends(const struct npu_weights_decoder *d, struct golomb *g,
			      struct segment *s, unsigned most, unsigned *chunks)
{
	const struct npu_weights_tables *t = d->tables;
	const unsigned width = d->width, wanted = d->count;
	const u8 *data = d->data;
	u32 found = g->found, last = g->waiting;
	u16 *to = s->lane + symbols_of(last);
	__m128i digit = _mm_set1_epi16((short)g->digit);
	u64 pos = g->pos;
	unsigned c;

	for (c = 0; c < most && found < wanted; c++) {
		u64 bits = window(data, pos);
		u32 ones = bits & 0xfff, twos = _pdep_u32((u32)(bits >> 12), ones), ends = ~twos & 0xfff;
		__m128i low = _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)t->places[ends & 63]));
		__m128i high = _mm_cvtepu8_epi16(_mm_loadl_epi64((const void *)t->places[ends >> 6]));
		unsigned n = (unsigned)__builtin_popcount(ends);

		if (UNLIKELY(!ends) && ++g->carry > WEIGHT_CARRY_MAX / 24)
			return false;
		_mm_storeu_si128((void *)to, _mm_add_epi16(digit, low));
		digit = _mm_add_epi16(digit, _mm_set1_epi16(12));
		_mm_storeu_si128((void *)(to + __builtin_popcount(ends & 63)), _mm_add_epi16(digit, high));
		digit = _mm_add_epi16(digit, _mm_set1_epi16(12));
		pos += 12 + (unsigned)__builtin_popcount(ones);
		s->chunk[c] = chunk_entry(g, pos, last);
		pos += symbols_of(last) * width;
		last = n << 16 | _pext_u32(ones, ends);
		to += n;
		found += n;
	}
	g->found = found;
	g->waiting = last;
	g->digit = (u16)_mm_cvtsi128_si32(digit);
	g->pos = pos;
	*chunks = c;
	return true;
}

static void remainders_by_ends(const struct npu_weights_decoder *d, const struct golomb *g,
			       const struct segment *s, unsigned chunks, u16 *index)
{
	const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 0, 0, 0, 0);
	const __m256i less = _mm256_set1_epi16((short)(2 << d->width)); /* the end's own digit */
	const struct npu_weights_fields *fields = d->tables->fields[d->width];
	const __m128i up = _mm_cvtsi32_si128((int)d->width), down = _mm_cvtsi32_si128(16 - (int)d->width);
	const u16 *end = s->lane;
	const u8 *data = d->data;
	const u64 start = g->start;

	for (unsigned c = 0; c < chunks; c++) {
		unsigned n = symbols_of(s->chunk[c]);
		u64 at = start + (s->chunk[c] >> 32);
		const struct npu_weights_fields *f = &fields[at & 7];
		__m256i bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(data + (at >> 3))));
		__m256i rest = _mm256_srl_epi16(_mm256_mullo_epi16(
			_mm256_shuffle_epi8(bytes, _mm256_load_si256((const void *)f->bytes)),
			_mm256_load_si256((const void *)f->factor)), down);
		__m256i odd = _mm256_and_si256(_mm256_set1_epi16((short)s->chunk[c]), bit);
		__m256i quotient = _mm256_sub_epi16(_mm256_loadu_si256((const void *)end),
						    _mm256_loadu_si256((const void *)(end - 1)));
		quotient = _mm256_sub_epi16(quotient, _mm256_cmpeq_epi16(odd, bit));
		quotient = _mm256_sub_epi16(_mm256_sll_epi16(quotient, up), less);
		_mm256_storeu_si256((void *)index, _mm256_add_epi16(quotient, rest));
		end += n;
		index += n;
	}
}
#endif

ALWAYS_INLINE enum outcome read_segments(struct npu_weights_decoder *d, read_quotients *quotients,
					 add_remainders_of *remainders)
{
	struct golomb g = { .start = d->pos, .pos = d->pos };
	struct segment s;
	u32 done = 0;

	s.before[7] = (u16)-2;
	while (g.found < d->count) {
		/* so many chunks cannot lead beyond the slack */
		u64 most = (d->end - g.pos) / CHUNK_BITS_MAX + 1;
		unsigned chunks;
		if (g.pos > d->end)
			return CORRUPT;
		if (!quotients(d, &g, &s, most < SEGMENT ? (unsigned)most : SEGMENT, &chunks))
			return TOO_LONG;
		unsigned n = symbols_of(g.waiting);
		u32 ready = g.found - n;
		remainders(d, &g, &s, chunks, d->value + done);
		make_weights(d, ready);
		memmove(s.before + 7, s.lane + (ready - done) - 1, (n + 1) * sizeof(*s.lane));
		done = ready;
	}
	/* the last chunk; what it has beyond the slice's symbols has no remainders */
	s.chunk[0] = chunk_entry(&g, g.pos, g.waiting);
	remainders(d, &g, &s, 1, d->value + done);
	d->pos = g.pos + (d->count - done) * d->width;
	return d->pos > d->end ? CORRUPT : DONE;
}

static NOINLINE enum outcome read_golomb(struct npu_weights_decoder *d)
{
#if defined(WEIGHTS_BMI2)
	if (!d->truncated)
		return read_segments(d, quotients_by_ends, remainders_by_ends);
#endif
	return read_segments(d, quotients_by_digits, remainders_by_digits);
}
