/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators to bytes where their pixels belong, exactly or by the estimate. Part of simd.c. */

/* Constants of a group of 16 channels. */
struct store {
#if SIMD_LEVEL >= 1
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
#if SIMD_LEVEL >= 1
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

#if SIMD_LEVEL == 2
/* Whether rounding need not ask for the sign: it does not depend on it, or what is below the zero point is cut off. There sums below 0 give 0
 * at most with either constant, as half a unit and a quarter are all that is added (estimate_set() in rescale.c). */
static inline bool store_once(const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	return !s->negative || (s->estimate && n->lo >= n->zero_point);
}
#endif

#if SIMD_LEVEL >= 1
ALWAYS_INLINE vec store_rescaled(vec x, const struct rescale_vec *r, const bool once)
{
#if SIMD_LEVEL == 2
	if (once)
		return rescale_once(x, r);
#endif
	(void)once;
	return rescale_vec(x, r);
}
#endif

/* Bytes of `pixels` <= STORE_PIXELS pixels; writes room for all STORE_PIXELS. */
ALWAYS_INLINE void store_bytes(const struct store *c, bool is_unsigned, const bool once, const i32 *acc, const unsigned pixels, u8 *out)
{
#if SIMD_LEVEL >= 1
	vec v[4];
	UNROLL for (unsigned i = 0; i < pixels * VECS; i++)
		v[i] = store_rescaled(vec_load(acc + i * LANES), &c->rescale[i % VECS], once);
	UNROLL for (unsigned i = pixels * VECS; i < 4; i++)
		v[i] = v[0];
	vec_store(out, narrow4(v, &c->narrow, is_unsigned));
#else
	(void)is_unsigned;
	(void)once;
	(void)pixels;
	for (unsigned i = 0; i < NPU_GROUP; i++)
		out[i] = narrow_one(rescale_one(acc[i], c->rescale, i), c->narrow);
#endif
}

#if SIMD_LEVEL == 2
/* Of `pixels` <= 4 neighbouring pixels, stored by the estimate, those bytes that it does not decide: rarely more than one. */
static NOINLINE void store_near(const struct npu_rescale *s, const struct npu_narrow8 *n, const i32 *acc, unsigned pixels, u8 *to)
{
	const bool two_sided = estimate_two_sided(s, n);
	const struct estimate_pair e = estimate_load(s, n);
	u64 near = 0;

	for (unsigned i = 0; i < pixels * VECS; i++)
		near |= (u64)estimate_near(&e, i % VECS, estimate_value(&e, i % VECS, two_sided, vec_load(acc + i * LANES))) << i * LANES;
	for (; near; near &= near - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(near);
		to[i] = narrow_one(rescale_one(acc[i], s, i % NPU_GROUP), n);
	}
}

/* The same of halves. */
static NOINLINE void store_near_halves(const struct npu_rescale *s, const struct npu_narrow8 *n, const i32 *acc, unsigned pixels, u8 *to)
{
	NPU_LINE i32 whole[4 * NPU_GROUP];

	for (unsigned i = 0; i < pixels * NPU_GROUP; i += NPU_GROUP) {
		const vec first = vec_load(acc + i), second = vec_load(acc + i + LANES);
		vec_store(whole + i, _mm256_permute2x128_si256(first, second, 0x20));
		vec_store(whole + i + LANES, _mm256_permute2x128_si256(first, second, 0x31));
	}
	store_near(s, n, whole, pixels, to);
}

/* P <= 4 neighbouring pixels by the estimate. `halves`: of a pixel the first vector has channels 0 to 3 and 8 to 11, the second one the others, and
 * so have e's constants. */
ALWAYS_INLINE void estimate_pixels(const struct estimate_pair *e, const struct estimate_bytes *b, const bool two_sided, const bool halves,
				   const unsigned P, const i32 *acc, u8 *to, const struct npu_rescale *s, const struct npu_narrow8 *n)
{
	const vec order = halves ? _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7) : _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	vec v[8], least[2];

	UNROLL for (unsigned i = 0; i < 2 * P; i++) {
		v[i] = estimate_value(e, i % 2, two_sided, vec_load(acc + i * LANES));
		least[i % 2] = i < 2 ? v[i] : _mm256_min_epu16(least[i % 2], v[i]);
	}
	UNROLL for (unsigned i = 0; i + 1 < P; i += 2)
		vec_store(to + i * NPU_GROUP, _mm256_permutevar8x32_epi32(estimate_narrow(b, v + 2 * i), order));
	if (P % 2) {
		v[2 * P] = v[2 * P - 2];
		v[2 * P + 1] = v[2 * P - 1];
		const vec bytes = _mm256_permutevar8x32_epi32(estimate_narrow(b, v + 2 * P - 2), order);
		_mm_storeu_si128((void *)(to + (P - 1) * NPU_GROUP), _mm256_castsi256_si128(bytes));
	}
	if (__builtin_expect(!estimate_decides(e, least), 0))
		(halves ? store_near_halves : store_near)(s, n, acc, P, to);
}

/* n pixels side by side. */
ALWAYS_INLINE void estimate_line(const struct estimate_pair *e, const struct estimate_bytes *b, const bool two_sided, const bool halves, unsigned n,
				 const i32 *acc, u8 *to, const struct npu_rescale *s, const struct npu_narrow8 *narrow)
{
	for (unsigned k; n; n -= k, acc += k * NPU_GROUP, to += k * NPU_GROUP) {
		k = n >= 4 ? 4 : n >= 2 ? 2 : 1;
		if (k == 4)
			estimate_pixels(e, b, two_sided, halves, 4, acc, to, s, narrow);
		else if (k == 2)
			estimate_pixels(e, b, two_sided, halves, 2, acc, to, s, narrow);
		else
			estimate_pixels(e, b, two_sided, halves, 1, acc, to, s, narrow);
	}
}

ALWAYS_INLINE void estimate_runs(const bool two_sided, const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
				 const struct npu_narrow8 *n, i64 offset)
{
	const struct estimate_pair e = estimate_load(s, n);
	const struct estimate_bytes b = estimate_bytes_load(n);

	for (unsigned r = 0; r < t->runs; acc += t->run[r++].n * (size_t)NPU_GROUP)
		estimate_line(&e, &b, two_sided, false, t->run[r].n, acc, t->run[r].to + offset, s, n);
}
#endif

/* Whole groups to pixels that lie together in each run. */
ALWAYS_INLINE void store_runs(bool is_unsigned, const bool once, const i32 *acc, const struct npu_target *t, const struct npu_rescale *s,
			      const struct npu_narrow8 *n, i64 offset)
{
	const struct store c = store_load(s, n);
	u8 bytes[STORE_PIXELS * NPU_GROUP];

	for (unsigned r = 0; r < t->runs; r++) {
		u8 *to = t->run[r].to + offset;
		unsigned left = t->run[r].n;
		for (; left >= STORE_PIXELS; left -= STORE_PIXELS) {
			store_bytes(&c, is_unsigned, once, acc, STORE_PIXELS, to);
			acc += STORE_PIXELS * NPU_GROUP;
			to += STORE_PIXELS * NPU_GROUP;
		}
#if STORE_PIXELS > 2
		if (left >= 2) {
			store_bytes(&c, is_unsigned, once, acc, 2, bytes);
			memcpy(to, bytes, 2 * NPU_GROUP);
			acc += 2 * NPU_GROUP;
			to += 2 * NPU_GROUP;
			left -= 2;
		}
#endif
		if (left) {
			store_bytes(&c, is_unsigned, once, acc, 1, bytes);
			memcpy(to, bytes, NPU_GROUP);
			acc += NPU_GROUP;
		}
	}
}

#if SIMD_LEVEL == 3
/* The same by the estimate. */
static void estimate_runs(const i32 *acc, const struct npu_target *t,
				 const struct npu_rescale *s, const struct npu_narrow8 *n, i64 offset)
{
	const bool two_sided = estimate_two_sided(s, n);
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
		estimate_runs(acc, t, s, n, offset);
		return;
	}
#endif
#if SIMD_LEVEL == 2
	if (npu_estimates(s, n)) {
		if (estimate_two_sided(s, n))
			estimate_runs(true, acc, t, s, n, offset);
		else
			estimate_runs(false, acc, t, s, n, offset);
		return;
	}
	if (store_once(s, n)) {
		if (n->is_unsigned)
			store_runs(true, true, acc, t, s, n, offset);
		else
			store_runs(false, true, acc, t, s, n, offset);
		return;
	}
#endif
	if (n->is_unsigned)
		store_runs(true, false, acc, t, s, n, offset);
	else
		store_runs(false, false, acc, t, s, n, offset);
}

#if SIMD_LEVEL == 3
/* Four channels that lie one behind the other; returns how many pixels are done. */
static inline unsigned store_fours(const u8 *from, u8 *to, unsigned n)
{
	const vec first = _mm512_setr_epi32(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	unsigned i = 0;

	for (; i + 4 <= n; i += 4)
		_mm_storeu_si128((void *)(to + i * 4), _mm512_castsi512_si128(_mm512_permutexvar_epi32(first, vec_load(from + i * NPU_GROUP))));
	return i;
}
#endif

#define TWICE(bytes) do { \
	memcpy(to, from, bytes); \
	memcpy(to + n - (bytes), from + n - (bytes), bytes); \
	} while (0)

/* 1 to 32 bytes, some of them twice: no call. */
ALWAYS_INLINE void store_part(u8 *to, const u8 *from, size_t n)
{
	if (n >= 16)
		TWICE(16);
	else if (n >= 8)
		TWICE(8);
	else if (n >= 4)
		TWICE(4);
	else if (n >= 2)
		TWICE(2);
	else
		*to = *from;
}
#undef TWICE

/* `channels` bytes of each of n pixels. */
static inline void store_parts(const u8 *from, u8 *to, i64 step, unsigned n, unsigned channels)
{
#if SIMD_LEVEL == 3
	const __mmask16 mask = (__mmask16)((1u << channels) - 1);
	const unsigned done = channels == 4 && step == 4 ? store_fours(from, to, n) : 0;

	n -= done;
	to += done * step;
	from += done * (size_t)NPU_GROUP;
	for (; n; n--, to += step, from += NPU_GROUP)
		_mm_mask_storeu_epi8(to, mask, _mm_loadu_si128((const void *)from));
#else
	for (; channels == 8 && n; n--, to += step, from += NPU_GROUP)
		memcpy(to, from, 8);
	for (; n; n--, to += step, from += NPU_GROUP)
		store_part(to, from, channels);
#endif
}

/* Pixels that lie together to where they belong. */
static inline void store_copy(const u8 *from, const struct npu_target *t, i64 offset, unsigned channels)
{
	for (unsigned r = 0; r < t->runs; from += t->run[r++].n * (size_t)NPU_GROUP) {
		u8 *to = t->run[r].to + offset;
		if (channels < NPU_GROUP) {
			store_parts(from, to, t->step, t->run[r].n, channels);
			continue;
		}
		for (unsigned i = 0; i < t->run[r].n; i++, to += t->step)
			memcpy(to, from + i * NPU_GROUP, NPU_GROUP);
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
