/* SPDX-License-Identifier: Apache-2.0 */
/* Golomb codes (here without zero runs) where bits can be spread, gathered and counted by single
 * instructions. Part of weights/decode.c.
 *
 * Bit i of `ends` says that digit i of a chunk ends a symbol; these twelve bits index a table of
 * the quotients. Nothing but the position leads from chunk to chunk: all else is in vectors, which
 * the host computes while it waits for the next position. */

/* Remainders of up to 16 symbols from bit `at` on. */
static inline __m256i remainders(const u8 *data, u64 at, const struct npu_weights_fields fields[8], __m256i scale)
{
	const struct npu_weights_fields *f = &fields[at & 7];
	__m256i bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(data + (at >> 3))));
	__m256i top = _mm256_mullo_epi16(_mm256_shuffle_epi8(bytes, _mm256_load_si256((const void *)f->bytes)),
					 _mm256_load_si256((const void *)f->factor));

	return _mm256_mulhi_epu16(top, scale);
}

/* Quotients of a chunk's symbols; `carry` is twice the number of digits since the last end before it. */
static inline __m256i quotients(const struct npu_weights_ends *e, u32 ones, u32 ends, u32 carry)
{
	const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 0, 0, 0, 0);
	__m256i q = _mm256_cvtepu8_epi16(_mm_load_si128((const void *)e));
	/* which symbols' last digit is a one */
	__m256i odd = _mm256_and_si256(_mm256_set1_epi16((short)_pext_u32(ones, ends)), bit);

	q = _mm256_sub_epi16(q, _mm256_cmpeq_epi16(odd, bit));
	return _mm256_add_epi16(q, _mm256_zextsi128_si256(_mm_cvtsi32_si128((int)carry)));
}

/* Quotients of a chunk's runs; `carry` as in quotients(), but here every digit counts one. */
static inline __m256i run_quotients_by_ends(const struct npu_weights_ends *e, u32 carry)
{
	const __m256i q = _mm256_cvtepu8_epi16(_mm_load_si128((const void *)e));

	return _mm256_srli_epi16(_mm256_add_epi16(q, _mm256_zextsi128_si256(_mm_cvtsi32_si128((int)carry))), 1);
}

ALWAYS_INLINE enum outcome read_ends_of(struct npu_weights_decoder *d, const u32 width)
{
	const struct npu_weights_fields *const fields = d->tables->fields[width];
	const struct npu_weights_ends *const table = d->tables->ends;
	const __m256i scale = _mm256_set1_epi16((short)(1 << width));
	const u8 *const data = d->data;
	const u16 *const wanted = d->value + d->count;
	__m256i waiting = _mm256_setzero_si256(); /* quotients of the last chunk, scaled */
	u16 *to = d->value;                       /* where its symbols go */
	u32 n = 0, carry = 0;                     /* their number */
	u64 pos = d->pos;

	while (to + n < wanted) {
		if (pos > d->end)
			return CORRUPT;
		/* so many chunks have no more symbols than are wanted and cannot lead beyond the slack; one always may */
		const u64 whole = (u64)(wanted - to - n) / 12, safe = (d->end - pos) / CHUNK_BITS_MAX + 1;
		u64 most = whole < 1 ? 1 : whole < safe ? whole : safe;
		/* a chunk's window is loaded before it is known how many bits the chunk before has behind `base` */
		u64 base = pos, loaded = window(data, base), more = 0;
		u32 carries = 0;
		for (most = most < SEGMENT ? most : SEGMENT; most; most--) {
			const u64 bits = loaded >> more, digits = base + more + 12;
			const u32 ones = bits & 0xfff, ends = ~_pdep_u32((u32)(bits >> 12), ones) & 0xfff;
			const struct npu_weights_ends *e = &table[ends];

			base = digits + n * width;
			loaded = window(data, base);
			more = (unsigned)__builtin_popcount(ones);
			_mm256_storeu_si256((void *)to, _mm256_add_epi16(waiting, remainders(data, digits + more, fields, scale)));
			waiting = _mm256_mullo_epi16(quotients(e, ones, ends, carry), scale);
			to += n;
			n = (u32)__builtin_popcount(ends);
			carry = ends ? e->rest : carry + e->rest;
			carries |= carry;
		}
		pos = base + more;
		if (carries > WEIGHT_CARRY_MAX)
			return TOO_LONG;
		make_weights(d, (u32)(to - d->value));
	}
	/* what the last chunk has beyond the slice's symbols has no remainders */
	_mm256_storeu_si256((void *)to, _mm256_add_epi16(waiting, remainders(data, pos, fields, scale)));
	d->pos = pos + (u64)(wanted - to) * width;
	return d->pos > d->end ? CORRUPT : DONE;
}

static enum outcome read_by_ends(struct npu_weights_decoder *d)
{
	return d->width == 5 /* what compilers choose for weights of eight bits */ ? read_ends_of(d, 5) : read_ends_of(d, d->width);
}
