/* SPDX-License-Identifier: Apache-2.0 */
/* Golomb codes with zero runs, as in weights_ends.h: one loop without branches, because which of
 * the two kinds a chunk holds cannot be foretold. Part of weights_decode.c. */

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

/* Weights and zero runs take turns: neither may be far ahead. */
static enum outcome read_runs_by_ends(struct npu_weights_decoder *d)
{
	struct symbols w = symbols_of(d, d->width, d->count, d->value);
	struct symbols z = symbols_of(d, d->zdiv, d->count + d->leading_run, d->zero);
	const u32 run_digits = d->zdiv == 3 ? 8 : 12;
	const u8 *data = d->data;
	u64 pos = d->pos;

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
		begin(&z, r, run_ends, runs, _mm256_srli_epi16(quotients(r, 0, 0, z.carry), 1));
		if (UNLIKELY(w.carry > WEIGHT_CARRY_MAX || z.carry > 2 * ZERO_CARRY_MAX))
			return TOO_LONG;
	}
	d->pos = pos;
	return pos > d->end ? CORRUPT : DONE;
}
