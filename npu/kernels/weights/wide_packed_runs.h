/* SPDX-License-Identifier: Apache-2.0 */
/* Uncompressed slices of bytes with zero runs of which few are longer than 0 (AVX-512 VBMI2): depthwise weights with their padding.
 * Chunks are the digits of twelve runs, or eight weights, or both. Part of weights/decode.c. */

struct packed_runs {
	u64 pos;          /* bit */
	u64 found, runs;  /* weights and runs, those found last without their bytes yet: */
	u64 waiting;
	u8 *to;           /* where these go */
};

/* Slices whose runs have no remainders; weights may turn out not to be bytes. */
static inline bool wide_packed_runs_fit(const struct npu_weights_decoder *d)
{
	return !d->palette_entries && d->narrow && d->width == 8 && d->zdiv == 0;
}

/* The bytes that the chunk before has found. */
ALWAYS_INLINE void put_waiting(struct packed_runs *x, const u8 *data)
{
	const u64 eight = wide_window(data, x->pos);

	memcpy(x->to, &eight, sizeof(eight));
	x->to += x->waiting;
	x->pos += 8 * x->waiting;
}

/* A chunk. `inside`: all of its symbols are wanted; else so many weights and runs. */
ALWAYS_INLINE void find_packed(struct packed_runs *x, const u8 *data, struct run_digits *r, u64 chunk, const bool inside, u64 wanted,
			       u64 runs_wanted)
{
	const i64 ahead = (i64)(x->found - x->runs);
	const u64 left = inside || wanted - x->found > 8 ? 8 : wanted - x->found;
	const u64 digits = ~(u64)(ahead >> 63) & (inside || x->runs < runs_wanted ? 12 : 0);
	const u64 ones = _bzhi_u64(window(data, x->pos), (u32)digits);

	r->ones[chunk] = (u16)ones;
	r->found[chunk] = (u32)x->runs;
	x->pos += digits;
	put_waiting(x, data);
	x->waiting = (u64)((ahead - 8) >> 63) & left;
	x->found += x->waiting;
	x->runs += digits - (unsigned)__builtin_popcountll(ones);
}

static void find_packed_chunks(struct packed_runs *state, const u8 *data, struct run_digits *r, u64 chunks)
{
	struct packed_runs x = *state;

	for (u64 c = 0; c < chunks; c++)
		find_packed(&x, data, r, c, true, 0, 0);
	*state = x;
}

/* Indices to weights where they lie. False: some are no bytes. */
static bool packed_to_weights(struct npu_weights_decoder *d)
{
	const __m512i offset = _mm512_set1_epi8((char)d->offset);
	__m512i any = _mm512_setzero_si512(), largest = any;
	u8 *const bytes = (u8 *)d->value;

	for (u32 i = 0; i < d->count; i += 64) {
		const __mmask64 wanted = d->count - i < 64 ? _bzhi_u64(UINT64_MAX, d->count - i) : UINT64_MAX;
		const __m512i index = _mm512_maskz_mov_epi8(wanted, _mm512_loadu_si512(bytes + i));
		largest = _mm512_max_epu8(largest, index);
		_mm512_storeu_si512(bytes + i, weights_of(_mm512_maskz_add_epi8(wanted, index, offset), &any));
	}
	if (_mm512_cmpgt_epu8_mask(largest, _mm512_set1_epi8((char)(255 - d->offset))))
		return false;
	d->bits |= bits_of(any);
	d->bytes = true;
	d->ready = d->count;
	return true;
}

/* As read_wide(). */
static NOINLINE bool read_wide_packed_runs(struct npu_weights_decoder *d)
{
	const u64 wanted = d->count, runs_wanted = wanted + d->leading_run;
	struct packed_runs x = { .pos = d->pos, .to = (u8 *)d->value };
	struct run_list l = { .run = d->run, .room = ARRAY_LEN(d->run) };
	struct run_digits r;
	u32 read = 0; /* chunks */

	while (x.found < wanted || x.runs < runs_wanted) {
		if (x.pos > d->end)
			return false;
		const u64 runs_left = x.runs < runs_wanted ? runs_wanted - x.runs : 0;
		const u64 weights = (wanted - x.found) / 8, runs = runs_left / 12, whole = weights < runs ? weights : runs;
		const u64 safe = (d->end - x.pos) / RUNS_CHUNK_BITS_MAX + 1;
		const u32 most = min_u32((u32)whole, SEGMENT), chunks = safe < most ? (u32)safe : most, now = chunks ? chunks : 1;
		if (chunks)
			find_packed_chunks(&x, d->data, &r, chunks);
		else
			find_packed(&x, d->data, &r, 0, false, wanted, runs_wanted);
		read += now;
		list_runs(&l, &r, now);
		if (!runs_few(&l, read))
			return false;
	}
	if (x.pos > d->end)
		return false;
	put_waiting(&x, d->data);
	if (x.pos > d->end || !packed_to_weights(d))
		return false;
	d->pos = x.pos;
	list_end(d, &l);
	return true;
}
