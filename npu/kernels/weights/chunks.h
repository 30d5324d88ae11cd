/* SPDX-License-Identifier: Apache-2.0 */
/* Slices of all kinds by chunks: unary fields of up to 12 weights and as many zero runs, then the remainders of the
 * chunk before. Part of weights/decode.c. */
/* Adds the remainders of `n` symbols (at most 12, 64 bits) that start at bit `pos`, or stores them where they are all there is. The
 * lanes behind them get zero. Returns the position behind. */
ALWAYS_INLINE u64 add_remainders(const u8 *data, u64 pos, u16 *symbol, unsigned n, const struct spread *s, const bool alone)
{
	u64 bits = low_bits(wide_window(data, pos), n * s->width);
	for (unsigned g = 0; g < 3; g++) {
		store_lanes(symbol + 4 * g, (alone ? 0 : load_lanes(symbol + 4 * g)) + spread(bits, s));
		bits >>= 4 * s->width;
	}
	return pos + n * s->width;
}

/* Bits of a chunk's quotients of zero runs. */
ALWAYS_INLINE unsigned run_bits(unsigned zdiv)
{
	return zdiv == 3 ? 8 : 12;
}

/* The quotients of a chunk's zero runs, in `bits`; returns how many runs end in them. `*carry`: of the one that
 * does not. */
ALWAYS_INLINE unsigned run_quotients(const struct npu_weights_tables *t, u64 bits, unsigned zdiv, u16 *to, unsigned *carry)
{
	const unsigned zero_bits = run_bits(zdiv);
#if defined(WEIGHTS_BMI2)
	const u32 ends = _bzhi_u32(~(u32)bits, zero_bits);
	const struct npu_weights_ends *e = &t->ends[ends];
	const unsigned ended = (unsigned)__builtin_popcount(ends);

	_mm256_storeu_si256((void *)to, _mm256_sll_epi16(run_quotients_by_ends(e, 2 * *carry), _mm_cvtsi32_si128((int)zdiv)));
	*carry = (ends ? 0 : *carry) + e->rest / 2 - (12 - zero_bits);
#else
	unsigned ended = 0;

	for (unsigned i = 0; i < zero_bits; i += 4) {
		const struct npu_weights_quotients *q = &t->runs[bits >> i & 15];
		store_lanes(to + ended, (q->lanes + *carry) << zdiv);
		*carry = q->rest + (*carry & q->keep);
		ended += q->finished;
	}
#endif
	return ended;
}

/* The quotients of a chunk's weights: `unary0`, and as many of `bits` as that needs (`*used`). As above. */
ALWAYS_INLINE unsigned weight_quotients(const struct npu_weights_quotients *table, u32 unary0, u64 bits, unsigned width,
					u16 *to, unsigned *carry, unsigned *used)
{
	unsigned ended = 0;

	for (unsigned i = 0; i < 12; i += 4) {
		const struct npu_weights_quotients *q = &table[(unary0 >> i & 15) | (bits & 15) << 4];
		store_lanes(to + ended, (q->lanes + *carry) << width);
		*carry = q->rest + (*carry & q->keep);
		ended += q->finished;
		bits >>= q->ones;
		*used += q->ones;
	}
	return ended;
}

/* The remainders of the `n` runs that ended in the chunk before, `first` on; those beyond the number wanted have none. */
ALWAYS_INLINE u64 run_remainders(const u8 *data, u64 pos, u16 *zero, unsigned first, unsigned n, unsigned wanted,
				 const struct spread *s)
{
	return add_remainders(data, pos, zero + first, first < wanted ? min_u32(n, wanted - first) : 0, s, false);
}

/* The chunks of a slice. The flags are constants at each call, so every kind of slice has its
 * own loop. */
ALWAYS_INLINE enum outcome read_chunks(struct npu_weights_decoder *d, const bool uncompressed, const bool runs)
{
	const struct npu_weights_quotients *table = d->truncated ? d->tables->truncated : d->tables->plain;
	const struct spread ws = spread_of(d->width), zs = spread_of(runs ? d->zdiv : 0);
	const unsigned width = d->width, zdiv = d->zdiv;
	const unsigned per_chunk = uncompressed && width > 5 ? 8 : 12;
	const unsigned wanted = d->count, zwanted = runs ? d->count + d->leading_run : 0;
	const u8 *data = d->data;
	unsigned w = 0, z = 0, w_last = 0, z_last = 0, carry = 0, zcarry = 0;
	u64 pos = d->pos;

	for (;;) {
		bool w_on = w < wanted && (!runs || (int)(w - z) < 8);
		bool z_on = runs && (int)(w - z) >= 0 && z < zwanted;
		unsigned w_new = 0, z_new = 0, used = 0;
		u64 bits = window(data, pos);
		u32 unary0 = 0;

		if (pos > d->end)
			return CORRUPT;
		if (w_on && !uncompressed) {
			unary0 = bits & 0xfff;
			bits >>= 12;
			pos += 12;
		}
		if (z_on) {
			z_new = run_quotients(d->tables, bits, zdiv, d->zero + z, &zcarry);
			bits >>= run_bits(zdiv);
			pos += run_bits(zdiv);
		}
		if (w_on && uncompressed) {
			w_new = per_chunk;
		} else if (w_on) {
			w_new = weight_quotients(table, unary0, bits, width, d->value + w, &carry, &used);
			pos += used;
		}
		if (UNLIKELY(carry > WEIGHT_CARRY_MAX || zcarry > ZERO_CARRY_MAX))
			return TOO_LONG;
		w_new = min_u32(w_new, wanted - w);
		pos = add_remainders(data, pos, d->value + w - w_last, w_last, &ws, uncompressed); /* of the chunk before */
		if (runs && z_last && zdiv)
			pos = run_remainders(data, pos, d->zero, z - z_last, z_last, zwanted, &zs);
		w += w_new;
		z += z_new;
		w_last = w_new;
		z_last = z_new;
		if (!w_on && !z_on)
			break;
	}
	d->pos = pos;
	return pos > d->end ? CORRUPT : DONE;
}

/* Uncompressed without zero runs: the chunks hold nothing but remainders, end to end. */
static enum outcome read_packed(struct npu_weights_decoder *d)
{
	const struct spread s = spread_of(d->width);
	u64 pos = d->pos;

	if (pos + (u64)d->count * d->width > d->end)
		return CORRUPT;
#if defined(WEIGHTS_WIDE)
	if (wide_packed_fits(d)) {
		read_wide_packed(d);
		return DONE;
	}
#endif
	for (u32 i = 0; i < d->count; i += 4, pos += 4 * d->width)
		store_lanes(d->value + i, spread(window(d->data, pos), &s));
	d->pos += (u64)d->count * d->width;
	return DONE;
}
