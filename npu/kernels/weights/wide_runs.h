/* SPDX-License-Identifier: Apache-2.0 */
/* As weights/wide.h, for slices with zero runs of which few are longer than 0, as orders that are padded have. Which kinds of
 * symbols a chunk holds is nothing but masks; runs are looked at only where there are some. Part of weights/decode.c. */

/* As digits, with a chunk's runs; those of none are 0. */
struct run_digits {
	u16 ones[LONG_SEGMENT + 32]; /* which digits do not end a run */
	u32 found[LONG_SEGMENT + 4]; /* the number of the run that goes on or begins in the chunk */
};

struct runs {
	u64 found;
	i64 ahead;   /* weights found without these */
	u64 waiting; /* weights of the last chunk, which have no remainders yet */
	u64 number;  /* of chunks with weights */
};

/* Of `chunks` chunks. */
static void list_runs(struct run_list *l, const struct run_digits *r, u32 chunks)
{
	const __m512i step = _mm512_set1_epi16(32);
	__m512i number = _mm512_cvtepu8_epi16(_mm256_set_epi64x(0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100));
	u16 some[LONG_SEGMENT + 32];
	u32 n = 0;

	for (u32 c = 0; c < chunks; c += 32, number = _mm512_add_epi16(number, step)) {
		const __m512i ones = _mm512_loadu_si512(r->ones + c);
		const u32 of = _bzhi_u32(_mm512_test_epi16_mask(ones, ones), min_u32(chunks - c, 32));
		_mm512_storeu_si512(some + n, _mm512_maskz_compress_epi16(of, number));
		n += (u32)__builtin_popcount(of);
	}
	for (u32 i = 0; i < n; i++)
		list_digit(l, r->found[some[i]], r->ones[some[i]]);
}

/* Digits of a chunk, as find_digits(). `inside`: all symbols are wanted; else so many weights and runs. */
ALWAYS_INLINE void find_both(struct wide *x, struct runs *z, u32 width, struct digits *s, struct run_digits *r, u64 chunk, const bool inside,
			     u64 wanted, u64 runs_wanted)
{
	const u64 on = (u64)((z->ahead - 8) >> 63) & (inside || x->found < wanted ? UINT64_MAX : 0), digits = on & 12;
	const u64 runs = ~(u64)(z->ahead >> 63) & (inside || z->found < runs_wanted ? 12 : 0);
	const u64 bits = x->loaded >> x->shift, run_bits = bits >> digits, second = run_bits >> runs;
	const u64 ones = _bzhi_u64(bits, (u32)digits), run_ones = _bzhi_u64(run_bits, (u32)runs), start = x->pos + digits + runs;
	const u64 twos = _pdep_u64(second, ones), more = (unsigned)__builtin_popcountll(ones), used = z->waiting * width;
	const u64 ends = _bzhi_u64(~twos, (u32)digits), ended = digits - (unsigned)__builtin_popcountll(twos);

	z->waiting = inside || ended < wanted - x->found ? ended : wanted - x->found; /* those beyond have no remainders */
	s->ends[chunk] = (u16)(inside ? ends : _pdep_u64(_bzhi_u64(0xfff, (unsigned)z->waiting), ends));
	s->ones[chunk] = (u16)ones;
	s->behind[chunk] = (u32)(start + more);
	s->number[chunk] = (u8)z->number;
	r->ones[chunk - 1] = (u16)run_ones;
	r->found[chunk - 1] = (u32)z->found;
	load_chunk(x, (i64)(start + used), 0, more);
	x->pos = start + used + more;
	z->number -= on;
	z->found += runs - (unsigned)__builtin_popcountll(run_ones);
	x->found += ended;
	z->ahead = (i64)(x->found - z->found);
}

/* Twice the numbers of the digits of four chunks. */
ALWAYS_INLINE __m512i run_places(const u8 *of_chunk)
{
	i32 four;

	memcpy(&four, of_chunk, sizeof(four));
	return places_of(spread_four(_mm_mullo_epi16(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)), _mm_set1_epi32(24))));
}

/* As use_digits(). */
ALWAYS_INLINE bool use_both(struct wide *x, const struct digits *s, u64 first, u32 width, u32 chunks, const enum kind kind)
{
	const u64 ones = _bzhi_u64(four_masks(s->ones + first), 16 * chunks), ends = _bzhi_u64(four_masks(s->ends + first), 16 * chunks);

	if (UNLIKELY(!ends))
		return !ones; /* there may be no weights at all */
	use_ends(x, ends, ones, run_places(s->number + first), s->behind + first + 1, width, kind);
	return true;
}

/* As read_fours(). */
ALWAYS_INLINE bool read_fours_of_both(struct wide *state, struct runs *runs, struct digits *s, struct run_digits *r, u32 width, u64 fours,
				      const enum kind kind)
{
	struct wide x = *state;
	struct runs z = *runs;
	bool near = true;

	for (u64 i = 0; i < fours + 2; i++) {
#pragma GCC unroll 4
		for (u32 c = 0; i < fours && c < 4; c++)
			find_both(&x, &z, width, s, r, 4 * i + c + 1, true, 0, 0);
		if (i >= 2)
			near &= use_both(&x, s, 4 * i - 8, width, 4, kind);
	}
	*state = x;
	*runs = z;
	return near;
}

/* One chunk; not all of its symbols need be wanted. */
static bool read_one_of_both(struct wide *x, struct runs *z, struct digits *s, struct run_digits *r, u32 width, u64 wanted, u64 runs_wanted)
{
	find_both(x, z, width, s, r, 1, false, wanted, runs_wanted);
	(void)use_both(x, s, 0, width, 1, ANY);
	return s->ends[1] || !s->ones[1];
}

/* As read_some(); with fewer than four one chunk. */
static inline bool read_some_of_both(struct wide *x, struct runs *z, struct digits *s, struct run_digits *r, const struct npu_weights_decoder *d,
				     u32 chunks)
{
	if (chunks < 4)
		return read_one_of_both(x, z, s, r, d->width, d->count, (u64)d->count + d->leading_run);
	if (d->width != 5 || !d->narrow)
		return read_fours_of_both(x, z, s, r, d->width, chunks / 4, ANY);
	return read_fours_of_both(x, z, s, r, 5, chunks / 4, BYTES); /* compilers leave out the indices of 0 */
}

/* Slices whose runs have no remainders. */
static inline bool wide_runs_fit(const struct npu_weights_decoder *d)
{
	return wide_fits(d) && d->zdiv == 0;
}

/* As read_wide(). */
static NOINLINE bool read_wide_runs(struct npu_weights_decoder *d)
{
	const u64 start = d->pos / 8 * 8, end = d->end - start;
	const u64 wanted = d->count, runs_wanted = wanted + d->leading_run;
	struct digits s;
	struct run_digits r;
	struct wide x = wide_begin(d, start);
	struct run_list l = { .run = d->run, .room = ARRAY_LEN(d->run) };
	struct runs z = { 0 };
	u32 read = 0; /* chunks */

	digits_begin(&s, true);
	while (x.found < wanted || z.found < runs_wanted) {
		if (x.pos > end)
			return false;
		const u64 left = x.found < wanted ? wanted - x.found : 0, runs_left = z.found < runs_wanted ? runs_wanted - z.found : 0;
		const u64 whole = (left < runs_left ? left : runs_left) / 12, safe = (end - x.pos) / RUNS_CHUNK_BITS_MAX + 1;
		const u32 most = min_u32((u32)whole, LONG_SEGMENT), chunks = safe < most ? (u32)safe : most, now = chunks < 4 ? 1 : chunks / 4 * 4;
		const bool near = read_some_of_both(&x, &z, &s, &r, d, chunks);
		used(&s, now);
		read += now;
		list_runs(&l, &r, now);
		if (!near || !runs_few(&l, read))
			return false;
	}
	if (!wide_end(d, start, &x, s.ends[0], s.ones[0], run_places(s.number), (u32)z.waiting))
		return false;
	list_end(d, &l);
	return true;
}
