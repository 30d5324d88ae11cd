/* SPDX-License-Identifier: Apache-2.0 */
/* Exact rescale, zero point, clamp, narrowing to bytes. Part of simd.c. */

#if SIMD_LEVEL >= 2
#if SIMD_LEVEL == 2
#define V(op) _mm256_##op
#define V_SET64(x) _mm256_set1_epi64x(x)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_HIGH(even, odd) _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa)
#define V_PERMUTE(order, v) _mm256_permutevar8x32_epi32(v, order)
#else
#define V(op) _mm512_##op
#define V_SET64(x) _mm512_set1_epi64(x)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_HIGH(even, odd) _mm512_mask_shuffle_epi32(odd, 0x5555, even, 0xf5)
#define V_PERMUTE(order, v) _mm512_permutexvar_epi32(order, v)
#endif

struct rescale_vec {
	vec scale, scale_odd, add_even, add_odd, shift, negative;
};

static inline struct rescale_vec rescale_load(const struct npu_rescale *s, unsigned first)
{
	struct rescale_vec r;

	r.scale = vec_load(s->scale + first);
	r.scale_odd = V(srli_epi64)(r.scale, 32);
	r.add_even = vec_load(s->add[0] + first / 2);
	r.add_odd = vec_load(s->add[1] + first / 2);
	r.shift = vec_load(s->shift + first);
	r.negative = V_SET64(s->negative);
	return r;
}

static inline vec rescale_vec(vec x, const struct rescale_vec *r)
{
	vec x_odd = V(srli_epi64)(x, 32);
	vec even = V(add_epi64)(V(mul_epi32)(x, r->scale), r->add_even);
	vec odd = V(add_epi64)(V(mul_epi32)(x_odd, r->scale_odd), r->add_odd);
	/* bit 31 of each low half is the sign: exactly the 2^31 to subtract */
	even = V(sub_epi64)(even, V_AND(x, r->negative));
	odd = V(sub_epi64)(odd, V_AND(x_odd, r->negative));
	return V(srav_epi32)(V_HIGH(even, odd), r->shift);
}

struct narrow_vec {
	vec zero_point, lo, hi, order;
	bool all; /* no byte is clamped */
};

static inline struct narrow_vec narrow_load(const struct npu_narrow8 *n)
{
	/* saturating packs work on 128-bit lanes: where the bytes of four vectors end up */
#if SIMD_LEVEL == 2
	vec order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
#else
	vec order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
#endif
	return (struct narrow_vec){ V(set1_epi16)((i16)n->zero_point), V(set1_epi8)((char)n->lo),
				    V(set1_epi8)((char)n->hi), order, n->hi - n->lo == UINT8_MAX };
}

/* Bytes of four vectors of values, in order. Saturation on the way changes nothing that the
 * clamp would not (npu_narrow8). */
ALWAYS_INLINE vec narrow4(const vec v[4], const struct narrow_vec *n, bool is_unsigned)
{
	vec a = V(adds_epi16)(V(packs_epi32)(v[0], v[1]), n->zero_point);
	vec b = V(adds_epi16)(V(packs_epi32)(v[2], v[3]), n->zero_point);
	vec r;

	r = is_unsigned ? V(packus_epi16)(a, b) : V(packs_epi16)(a, b);
	if (__builtin_expect(!n->all, 0) && is_unsigned)
		r = V(min_epu8)(V(max_epu8)(r, n->lo), n->hi);
	else if (__builtin_expect(!n->all, 0))
		r = V(min_epi8)(V(max_epi8)(r, n->lo), n->hi);
	return V_PERMUTE(n->order, r);
}

#define STORE_PIXELS (4 / VECS) /* whose bytes fill a vector */
#else
#define STORE_PIXELS 1

static inline i32 rescale_one(i32 x, const struct npu_rescale *s, unsigned c)
{
	i64 p = (i64)x * s->scale[c] + s->add[c & 1][c / 2] - (x < 0 ? (i64)s->negative : 0);
	return (i32)(p >> 32) >> s->shift[c];
}

/* Clamped before the zero point is added, which a sum near the ends of 32 bits would not bear. */
static inline u8 narrow_one(i32 v, const struct npu_narrow8 *n)
{
	const i32 lo = n->lo - n->zero_point, hi = n->hi - n->zero_point;

	v = v < lo ? lo : v;
	return (u8)((v > hi ? hi : v) + n->zero_point);
}
#endif

static inline void look_up(u8 bytes[NPU_GROUP], const u8 *table)
{
	for (unsigned i = 0; i < NPU_GROUP; i++)
		bytes[i] = table[bytes[i]];
}

#if SIMD_LEVEL == 3
/* Results by an estimate in single precision, zero point included, with 16 bits behind the binary point.
 *
 * Below 512 the factor, the sum's conversion, the offset and the product's rounding are off by at most 7.5 / 2^16
 * together: with ESTIMATE_ABOVE more the integer part is right unless the fraction is less than twice that. From
 * 512 on the clamp decides (npu_estimates()). Nothing here depends on the host's rounding mode or sets its flags. */
#define ESTIMATE_ABOVE 8
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

struct estimate_vec {
	__m512 factor, offset;
	vec above; /* two-sided: comes behind the conversion, as the offset has the sum's sign */
};

/* Where results below the zero point are cut off, the sign of a sum's offset does not matter. */
static inline bool estimate_two_sided(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return s->negative && n->lo < n->zero_point;
}

/* Unsigned bytes are brought to the range of signed ones first. */
ALWAYS_INLINE struct estimate_vec estimate_load(const struct npu_rescale *s, const struct npu_narrow8 *n,
						const bool two_sided)
{
	const __m512 one = _mm512_set1_ps(0x1p16f);
	const i32 zero_point = n->zero_point - (n->is_unsigned ? 128 : 0);
	const i32 above = zero_point * (1 << 16) + (1 << 15) + ESTIMATE_ABOVE;
	const __m512 more = two_sided ? _mm512_setzero_ps() : _mm512_set1_ps((float)above);

	return (struct estimate_vec){ _mm512_mul_round_ps(_mm512_loadu_ps(s->factor), one, NEAREST),
				      _mm512_fmadd_round_ps(_mm512_loadu_ps(s->offset), one, more, NEAREST),
				      _mm512_set1_epi32(above) };
}

/* `pixels` <= 4 pixels; false when a result lies so close to a tie that this does not decide. */
ALWAYS_INLINE bool estimate(const struct estimate_vec *e, const bool two_sided, const vec x[4], const unsigned pixels,
			    vec v[4])
{
	vec fraction;

	UNROLL for (unsigned i = 0; i < pixels; i++) {
		__m512 f = _mm512_cvt_roundepi32_ps(x[i], NEAREST), offset = e->offset;
		if (two_sided) /* x & sign | offset */
			offset = _mm512_castsi512_ps(_mm512_ternarylogic_epi32(
				x[i], _mm512_set1_epi32(INT32_MIN), _mm512_castps_si512(offset), 0xea));
		v[i] = _mm512_cvt_roundps_epi32(_mm512_fmadd_round_ps(f, e->factor, offset, NEAREST), NEAREST);
		if (two_sided)
			v[i] = _mm512_add_epi32(v[i], e->above);
		fraction = i ? _mm512_min_epu16(fraction, v[i]) : v[i];
	}
	return !_mm512_mask_cmplt_epu16_mask(0x55555555, fraction, _mm512_set1_epi16(2 * ESTIMATE_ABOVE));
}

/* From such results to bytes. */
struct estimate_bytes {
	vec lo, hi, flip;
	bool all; /* no byte is clamped */
};

static inline struct estimate_bytes estimate_bytes_load(const struct npu_narrow8 *n)
{
	const i32 less = n->is_unsigned ? 128 : 0;

	return (struct estimate_bytes){ _mm512_set1_epi8((char)(n->lo - less)), _mm512_set1_epi8((char)(n->hi - less)),
					_mm512_set1_epi8((char)less), n->hi - n->lo == UINT8_MAX };
}

/* Bytes of four vectors, in order. */
ALWAYS_INLINE vec estimate_narrow(const struct estimate_bytes *b, const vec v[4])
{
#define ODD(i) (0x30001 + 0x40004 * (i)) /* two words: the upper halves */
	const vec odd = _mm512_setr_epi32(ODD(0), ODD(1), ODD(2), ODD(3), ODD(4), ODD(5), ODD(6), ODD(7), ODD(8), ODD(9),
					  ODD(10), ODD(11), ODD(12), ODD(13), ODD(14), ODD(15));
#undef ODD
	vec r = _mm512_packs_epi16(_mm512_permutex2var_epi16(v[0], odd, v[1]), _mm512_permutex2var_epi16(v[2], odd, v[3]));

	if (__builtin_expect(!b->all, 0))
		r = _mm512_min_epi8(_mm512_max_epi8(r, b->lo), b->hi);
	return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_xor_si512(r, b->flip));
}
#endif

/* Constants of a group of 16 channels. */
struct store {
#if SIMD_LEVEL >= 2
	struct rescale_vec rescale[VECS];
	struct narrow_vec narrow;
#else
	const struct npu_rescale *rescale;
	const struct npu_narrow8 *narrow;
#endif
};

static inline struct store store_load(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	struct store c;
#if SIMD_LEVEL >= 2
	UNROLL for (unsigned v = 0; v < VECS; v++)
		c.rescale[v] = rescale_load(s, v * LANES);
	c.narrow = narrow_load(n);
#else
	c.rescale = s;
	c.narrow = n;
#endif
	return c;
}

#if SIMD_LEVEL == 3
/* Bytes of `pixels` <= 4 pixels that the estimate does not decide; writes room for four. */
static NOINLINE void store_exact(const struct npu_rescale *s, const struct npu_narrow8 *n, const i32 *acc, unsigned pixels,
				 u8 *out)
{
	const struct rescale_vec rescale = rescale_load(s, 0);
	const struct narrow_vec narrow = narrow_load(n);
	vec v[4];

	UNROLL for (unsigned i = 0; i < 4; i++)
		v[i] = rescale_vec(vec_load(acc + (i < pixels ? i : 0) * NPU_GROUP), &rescale);
	vec_store(out, narrow4(v, &narrow, n->is_unsigned));
}
#endif

/* Bytes of `pixels` <= STORE_PIXELS pixels; writes room for all STORE_PIXELS. */
ALWAYS_INLINE void store_bytes(const struct store *c, bool is_unsigned, const i32 *acc, const unsigned pixels, u8 *out)
{
#if SIMD_LEVEL >= 2
	vec v[4];
	UNROLL for (unsigned i = 0; i < pixels * VECS; i++)
		v[i] = rescale_vec(vec_load(acc + i * LANES), &c->rescale[i % VECS]);
	UNROLL for (unsigned i = pixels * VECS; i < 4; i++)
		v[i] = v[0];
	vec_store(out, narrow4(v, &c->narrow, is_unsigned));
#else
	(void)is_unsigned;
	(void)pixels;
	for (unsigned i = 0; i < NPU_GROUP; i++)
		out[i] = narrow_one(rescale_one(acc[i], c->rescale, i), c->narrow);
#endif
}

/* Whole groups to pixels that lie together in each run. */
ALWAYS_INLINE void store_runs(bool is_unsigned, const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			      const struct npu_narrow8 *n, i64 offset)
{
	const struct store c = store_load(s, n);
	u8 bytes[STORE_PIXELS * NPU_GROUP];

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		unsigned left = t->run[r].n;
		for (; left >= STORE_PIXELS; left -= STORE_PIXELS) {
			store_bytes(&c, is_unsigned, acc, STORE_PIXELS, to);
			acc += STORE_PIXELS * NPU_GROUP;
			to += STORE_PIXELS * NPU_GROUP;
		}
#if STORE_PIXELS > 2
		if (left >= 2) {
			store_bytes(&c, is_unsigned, acc, 2, bytes);
			memcpy(to, bytes, 2 * NPU_GROUP);
			acc += 2 * NPU_GROUP;
			to += 2 * NPU_GROUP;
			left -= 2;
		}
#endif
		if (left) {
			store_bytes(&c, is_unsigned, acc, 1, bytes);
			memcpy(to, bytes, NPU_GROUP);
			acc += NPU_GROUP;
		}
	}
}

#if SIMD_LEVEL == 3
/* The same by the estimate. */
ALWAYS_INLINE void estimate_runs(const bool two_sided, const i32 *acc, const struct npu_target *t,
				 const struct npu_rescale *s, const struct npu_narrow8 *n, i64 offset)
{
	const struct estimate_vec e = estimate_load(s, n, two_sided);
	const struct estimate_bytes b = estimate_bytes_load(n);

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		for (unsigned left = t->run[r].n, k; left; left -= k, acc += k * NPU_GROUP, to += k * NPU_GROUP) {
			NPU_LINE u8 bytes[4 * NPU_GROUP];
			vec x[4], v[4];
			k = left < 4 ? left : 4;
			UNROLL for (unsigned i = 0; i < 4; i++)
				x[i] = vec_load(acc + (i < k ? i : 0) * NPU_GROUP);
			if (__builtin_expect(estimate(&e, two_sided, x, 4, v), 1))
				vec_store(bytes, estimate_narrow(&b, v));
			else
				store_exact(s, n, acc, k, bytes);
			memcpy(to, bytes, k * NPU_GROUP);
		}
	}
}
#endif

static void store_groups(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			 const struct npu_narrow8 *n, i64 offset)
{
#if SIMD_LEVEL == 3
	if (npu_estimates(s, n)) {
		if (estimate_two_sided(s, n))
			estimate_runs(true, acc, t, s, n, offset);
		else
			estimate_runs(false, acc, t, s, n, offset);
		return;
	}
#endif
	if (n->is_unsigned)
		store_runs(true, acc, t, s, n, offset);
	else
		store_runs(false, acc, t, s, n, offset);
}

/* Pixels that lie together to where they belong. */
static inline void store_copy(const u8 *from, const struct npu_target *t, i64 offset, unsigned channels)
{
	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		unsigned left = t->run[r].n;
		for (; channels == NPU_GROUP && left; left--, to += t->step, from += NPU_GROUP)
			memcpy(to, from, NPU_GROUP);
		for (; left; left--, to += t->step, from += NPU_GROUP)
			memcpy(to, from, channels);
	}
}

/* Parts of a group, a table, pixels apart: together first. */
static NOINLINE void store_apart(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
				 const struct npu_narrow8 *n, i64 offset, unsigned channels)
{
	NPU_LINE u8 bytes[NPU_BATCH * NPU_GROUP];
	struct npu_target one;

	one.step = NPU_GROUP;
	one.runs = 1;
	one.run[0] = (struct npu_run){ bytes, 0 };
	for (unsigned r = 0; r < t->runs; r++)
		one.run[0].n += t->run[r].n;
	store_groups(acc, &one, s, n, 0);
	for (unsigned p = 0; n->table && p < one.run[0].n; p++)
		look_up(bytes + p * NPU_GROUP, n->table);
	store_copy(bytes, t, offset, channels);
}

static void store8(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
		   const struct npu_narrow8 *n, i64 offset, unsigned channels)
{
	if (!n->table && channels == NPU_GROUP && t->step == NPU_GROUP)
		store_groups(acc, t, s, n, offset);
	else
		store_apart(acc, t, s, n, offset, channels);
}

static void rescale(i32 *v, size_t vectors, const struct npu_rescale *s)
{
#if SIMD_LEVEL >= 2
	struct rescale_vec r[VECS];
	UNROLL for (unsigned i = 0; i < VECS; i++)
		r[i] = rescale_load(s, i * LANES);
	for (; vectors; vectors--, v += NPU_GROUP)
		UNROLL for (unsigned i = 0; i < VECS; i++)
			vec_store(v + i * LANES, rescale_vec(vec_load(v + i * LANES), &r[i]));
#else
	for (; vectors; vectors--, v += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++)
			v[c] = rescale_one(v[c], s, c);
#endif
}

/* 16 values to int16, clamped first as above. */
static inline void narrow16(const i32 *v, const struct npu_narrow16 *n, i16 *out)
{
	const i32 least = n->lo - n->zero_point, most = n->hi - n->zero_point;
#if SIMD_LEVEL >= 2
	vec x[VECS], zero = V(set1_epi32)(n->zero_point), lo = V(set1_epi32)(least), hi = V(set1_epi32)(most);
	UNROLL for (unsigned i = 0; i < VECS; i++)
		x[i] = V(add_epi32)(V(min_epi32)(V(max_epi32)(vec_load(v + i * LANES), lo), hi), zero);
#if SIMD_LEVEL == 2
	vec words = _mm256_permute4x64_epi64(_mm256_packs_epi32(x[0], x[1]), 0xd8);
#else
	__m256i words = _mm512_cvtepi32_epi16(x[0]);
#endif
	_mm256_storeu_si256((void *)out, words);
#else
	for (unsigned i = 0; i < NPU_GROUP; i++) {
		i32 x = v[i] < least ? least : v[i];
		out[i] = (i16)((x > most ? most : x) + n->zero_point);
	}
#endif
}

static void store16(const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
		    const struct npu_narrow16 *n, i64 offset, unsigned channels)
{
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++, acc += NPU_GROUP) {
			u8 *to = t->run[r].to + p * t->step + offset;
			i32 v[NPU_GROUP];
			i16 out[NPU_GROUP];
			memcpy(v, acc, sizeof(v));
			if (s)
				rescale(v, 1, s);
			narrow16(v, n, out);
			if (channels == NPU_GROUP)
				memcpy(to, out, sizeof(out));
			else
				memcpy(to, out, channels * sizeof(*out));
		}
}

static void narrow8(const i32 *v, size_t n, const struct npu_narrow8 *o, u8 *out)
{
	size_t i = 0;
#if SIMD_LEVEL >= 2
	const struct narrow_vec nv = narrow_load(o);
	for (; i + 4 * LANES <= n; i += 4 * LANES) {
		vec x[4];
		UNROLL for (unsigned k = 0; k < 4; k++)
			x[k] = vec_load(v + i + k * LANES);
		vec_store(out + i, narrow4(x, &nv, o->is_unsigned));
	}
	if (i < n) {
		u8 bytes[4 * LANES];
		vec x[4];
		UNROLL for (unsigned k = 0; k < 4; k++)
			x[k] = vec_load(v + i + (i + k * LANES < n ? k * LANES : 0));
		vec_store(bytes, narrow4(x, &nv, o->is_unsigned));
		memcpy(out + i, bytes, n - i);
	}
#else
	for (; i < n; i++)
		out[i] = narrow_one(v[i], o);
#endif
	for (i = 0; o->table && i < n; i += NPU_GROUP)
		look_up(out + i, o->table);
}
