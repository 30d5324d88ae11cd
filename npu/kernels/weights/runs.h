/* SPDX-License-Identifier: Apache-2.0 */
/* Golomb codes with zero runs, as in weights/ends.h: one loop without branches, because which of
 * the two kinds a chunk holds cannot be foretold. Part of weights/decode.c. */

#define RUNS_CHUNK_BITS_MAX 132 /* 12 digits of two bits, 12 of runs, 12 remainders of 5 bits and 12 of 3 */

/* One of the two kinds of symbols of a slice. */
struct symbols {
	const struct npu_weights_fields *fields; /* of the remainders */
	__m256i scale;                           /* 2^width */
	u32 width;
	i32 wanted, found;
	u16 *out;
	/* the last chunk: symbols without remainders yet, their quotients, scaled; twice the number
	 * of digits since the last end */
	u32 waiting, carry;
	__m256i lanes;
};

static struct symbols symbols_of(const struct npu_weights_decoder *d, u32 width, u32 wanted, u16 *out)
{
	return (struct symbols){ .fields = d->tables->fields[width], .scale = _mm256_set1_epi16((short)(1 << width)),
				 .width = width, .wanted = (i32)wanted, .out = out, .lanes = _mm256_setzero_si256() };
}

/* Adds the remainders of what waits, from bit `pos` on; those beyond the wanted have none. Returns
 * the bit behind them. */
ALWAYS_INLINE u64 finish(struct symbols *s, const u8 *data, u64 pos)
{
	const i32 first = s->found - (i32)s->waiting, left = s->wanted > first ? s->wanted - first : 0;

	_mm256_storeu_si256((void *)(s->out + first),
			    _mm256_add_epi16(s->lanes, remainders(data, pos, s->fields, s->scale)));
	return pos + min_u32((u32)left, s->waiting) * s->width;
}

/* What `ends` of `digits` digits end waits now. */
ALWAYS_INLINE void begin(struct symbols *s, const struct npu_weights_ends *e, u32 ends, u32 digits, __m256i lanes)
{
	s->lanes = _mm256_mullo_epi16(lanes, s->scale);
	s->carry = (ends ? 0 : s->carry) + e->rest - 2 * (12 - digits);
	s->waiting = (u32)__builtin_popcount(ends);
	s->found += (i32)s->waiting;
}

/* So many chunks are wanted whole, and cannot lead beyond the slack. */
static u32 chunks_inside(const struct npu_weights_decoder *d, const struct symbols *w, const struct symbols *z, u64 pos)
{
	const i32 w_left = w->wanted - w->found, z_left = z->wanted - z->found;
	const i32 left = (w_left < z_left ? w_left : z_left) / 12;
	const u64 most = pos > d->end ? 0 : (d->end - pos) / RUNS_CHUNK_BITS_MAX + 1;

	return left <= 0 ? 0 : min_u32((u32)left, most < SEGMENT ? (u32)most : SEGMENT);
}

/* Chunks whose symbols are all wanted: which kinds a chunk holds follows from how far the weights are ahead, and is
 * nothing but masks. `plain`: runs have no remainders. */
ALWAYS_INLINE enum outcome read_runs_inside(const struct npu_weights_decoder *d, struct symbols *weights,
					    struct symbols *zeros, u64 *position, const bool plain)
{
	const struct npu_weights_ends *const table = d->tables->ends;
	struct symbols w = *weights, z = *zeros;
	const u32 run_digits = d->zdiv == 3 ? 8 : 12, run_mask = (1u << run_digits) - 1;
	const u8 *const data = d->data;
	u64 pos = *position;

	for (u32 left; (left = chunks_inside(d, &w, &z, pos));) {
		u16 *w_to = w.out + w.found - w.waiting, *z_to = z.out + z.found - z.waiting; /* where the waiting ones go */
		i32 ahead = w.found - z.found;
		u32 w_carries = 0, z_carries = 0;
		for (; left; left--) {
			const u32 on = (u32)((ahead - 8) >> 31), run_on = ~(u32)(ahead >> 31);
			const u32 mask = on & 0xfff, digits = on & 12, runs = run_on & run_digits;
			const u64 bits = window(data, pos), run_bits = bits >> digits;
			const u32 ones = (u32)bits & mask, ends = ~_pdep_u32((u32)(run_bits >> runs), ones) & mask;
			const u32 run_ends = ~(u32)run_bits & run_mask & run_on;
			const struct npu_weights_ends *e = &table[ends], *r = &table[run_ends];

			pos += digits + runs + (u32)__builtin_popcount(ones);
			_mm256_storeu_si256((void *)w_to, _mm256_add_epi16(w.lanes, remainders(data, pos, w.fields, w.scale)));
			pos += w.waiting * w.width;
			_mm256_storeu_si256((void *)z_to, plain ? z.lanes : _mm256_add_epi16(z.lanes, remainders(data, pos, z.fields, z.scale)));
			pos += plain ? 0 : z.waiting * z.width;
			w_to += w.waiting;
			z_to += z.waiting;
			w.lanes = _mm256_mullo_epi16(quotients(e, ones, ends, w.carry), w.scale);
			z.lanes = run_quotients_by_ends(r, z.carry);
			z.lanes = plain ? z.lanes : _mm256_mullo_epi16(z.lanes, z.scale);
			w.carry = (ends ? 0 : w.carry) + e->rest - 2 * (12 - digits);
			z.carry = (run_ends ? 0 : z.carry) + r->rest - 2 * (12 - runs);
			w_carries |= w.carry;
			z_carries |= z.carry;
			w.waiting = (u32)__builtin_popcount(ends);
			z.waiting = (u32)__builtin_popcount(run_ends);
			ahead += (i32)w.waiting - (i32)z.waiting;
		}
		w.found = (i32)(w_to - w.out) + (i32)w.waiting;
		z.found = (i32)(z_to - z.out) + (i32)z.waiting;
		if (w_carries > WEIGHT_CARRY_MAX || z_carries > 2 * ZERO_CARRY_MAX)
			return TOO_LONG;
	}
	*weights = w;
	*zeros = z;
	*position = pos;
	return DONE;
}

/* Weights and zero runs take turns: neither may be far ahead. */
static enum outcome read_runs_by_ends(struct npu_weights_decoder *d)
{
	struct symbols w = symbols_of(d, d->width, d->count, d->value);
	struct symbols z = symbols_of(d, d->zdiv, d->count + d->leading_run, d->zero);
	const u32 run_digits = d->zdiv == 3 ? 8 : 12;
	const u8 *data = d->data;
	u64 pos = d->pos;

	if ((d->zdiv ? read_runs_inside(d, &w, &z, &pos, false) : read_runs_inside(d, &w, &z, &pos, true)) != DONE)
		return TOO_LONG;
	for (;;) {
		const u32 on = (u32)(w.found < w.wanted) & (u32)(w.found - z.found < 8);
		const u32 run_on = (u32)(w.found >= z.found) & (u32)(z.found < z.wanted);
		const u32 digits = on ? 12 : 0, runs = run_on ? run_digits : 0;
		const u64 bits = window(data, pos);
		const u32 ones = (u32)_bzhi_u64(bits, digits);
		const u32 ends = _bzhi_u32(~_pdep_u32((u32)(bits >> (digits + runs)), ones), digits);
		const u32 run_ends = _bzhi_u32(~(u32)(bits >> digits), runs);
		const struct npu_weights_ends *e = &d->tables->ends[ends], *r = &d->tables->ends[run_ends];

		if (pos > d->end)
			return CORRUPT;
		pos += digits + runs + (u32)__builtin_popcount(ones);
		pos = finish(&w, data, pos);
		pos = finish(&z, data, pos);
		if (!(on | run_on))
			break;
		begin(&w, e, ends, digits, quotients(e, ones, ends, w.carry));
		begin(&z, r, run_ends, runs, run_quotients_by_ends(r, z.carry));
		if (UNLIKELY(w.carry > WEIGHT_CARRY_MAX || z.carry > 2 * ZERO_CARRY_MAX))
			return TOO_LONG;
	}
	d->pos = pos;
	return pos > d->end ? CORRUPT : DONE;
}
