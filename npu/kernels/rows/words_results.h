/* SPDX-License-Identifier: Apache-2.0 */
/* Results of int32 by plain loops, which compilers make vectors of: results() of words.c, of which it is a part. */

/* Each variant once for many second operands, once for one. */
#define EACH_OF(X, Y, RESULT) do { \
	if (step_b) \
		for (size_t i = 0; i < n; i++) { \
			const i32 X = WORD(a + 4 * i), Y = WORD(b + 4 * i); \
			(void)y; \
			r[i] = (RESULT); \
		} \
	else \
		for (size_t i = 0; i < n; i++) { \
			const i32 X = WORD(a + 4 * i), Y = one; \
			(void)y; \
			r[i] = (RESULT); \
		} \
	} while (0)
#define EACH(RESULT) EACH_OF(x, y, RESULT)
#define ORDERED(RESULT) do { \
	if (w->swap) \
		EACH_OF(y, x, RESULT); \
	else \
		EACH(RESULT); \
	} while (0)

/* Limited to 32 bits, without wider lanes. */
static inline i32 added(i32 x, i32 y)
{
	const i32 sum = (i32)((u32)x + (u32)y);

	return ((x ^ sum) & (y ^ sum)) < 0 ? (x >> 31) ^ INT32_MAX : sum;
}

static inline i32 subtracted(i32 x, i32 y)
{
	const i32 difference = (i32)((u32)x - (u32)y);

	return ((x ^ y) & (x ^ difference)) < 0 ? (x >> 31) ^ INT32_MAX : difference;
}

static inline i32 shifted_left(i32 v, i32 by)
{
	return (i32)((u32)v << (by < 0 ? 0 : by > 31 ? 31 : by));
}

static inline float float_of(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* The exponent tells where the highest bit is; without the bit below that no rounding reaches the next power of two. */
static inline i32 zeros_above(i32 v)
{
	const float f = (float)(i32)((u32)v & ~((u32)v >> 1));
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return within32(158 - (i32)(bits >> 23), 0, 32); /* less than none: of a sign */
}

/* Distances of their own, which vectors of all hosts do not have: the upper half of a product with 2^(32 - s). */
static inline i32 shifted_each(i32 v, i32 by)
{
	const i32 s = within32(by, 1, 31);
	const u32 power = (u32)(i32)float_of((u32)(158 - s) << 23) << 1;
	const u64 product = (u64)(u32)v * power + (UINT64_C(1) << 31);
	const i32 r = (i32)((u32)(product >> 32) - ((u32)(v >> 31) & power));

	return by > 31 ? 0 : by <= 0 ? v : r;
}

ALWAYS_INLINE void shifts(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i32 one = WORD(b);
	const unsigned s = (unsigned)within32(one, 0, 31), last = s ? s - 1 : 0;
	const i32 up = s > 0;

	if (step_b || w->swap)
		ORDERED(shifted_each(x, y));
	else if (one > 31)
		memset(r, 0, n * sizeof(*r));
	else /* in 32 bits; (v + half) >> s is v >> s and the bit below */
		for (size_t i = 0; i < n; i++) {
			const i32 v = WORD(a + 4 * i);
			r[i] = (v >> s) + (v >> last & up);
		}
}

/* ---- products: by halves of 32 bits, as vectors of all hosts have neither signed products nor arithmetic of 64 bits ---- */

/* What is too much in the upper word of an unsigned product. */
static inline u32 of_signs(i32 x, i32 y)
{
	return (u32)(x >> 31 & y) + (u32)(y >> 31 & x);
}

/* Without that. `signs`: `less` is added to products of two signs. */
static inline u64 product_of(i32 x, i32 y, const bool signs, u64 plus, u64 less)
{
	const u64 p = (u64)(u32)x * (u32)y + plus;

	return signs ? p + ((u64)(i64)((x ^ y) >> 31) & less) : p;
}

/* Shifts of 32 and more. */
ALWAYS_INLINE void upper_products(const struct npu_words *w, const bool signs, const bool each, const u8 *a, const u8 *b, size_t n, i32 *r)
{
	const i32 one = WORD(b);
	const u64 plus = (u64)w->plus, less = (u64)w->minus - plus;
	const unsigned shift = w->shift - 32u;

	for (size_t i = 0; i < n; i++) {
		const i32 x = WORD(a + 4 * i), y = each ? WORD(b + 4 * i) : one;
		r[i] = (i32)((u32)(product_of(x, y, signs, plus, less) >> 32) - of_signs(x, y)) >> shift;
	}
}

/* Others, limited to 32 bits unless they wrap. */
ALWAYS_INLINE void lower_products(const struct npu_words *w, const bool signs, const bool each, const u8 *a, const u8 *b, size_t n, i32 *r)
{
	const i32 one = WORD(b), wraps = w->lo == INT64_MIN ? -1 : 0;
	const u64 plus = (u64)w->plus, less = (u64)w->minus - plus;
	const unsigned shift = w->shift, rest = 31 - shift;

	for (size_t i = 0; i < n; i++) {
		const i32 x = WORD(a + 4 * i), y = each ? WORD(b + 4 * i) : one;
		const u64 p = product_of(x, y, signs, plus, less);
		const u32 upper = (u32)(p >> 32) - of_signs(x, y);
		const i32 v = (i32)((u32)p >> shift | upper << rest << 1);
		const i32 end = ((i32)upper >> 31) ^ INT32_MAX;
		r[i] = ((i32)upper >> shift ^ v >> 31) & ~wraps ? end : v;
	}
}

#define PRODUCTS(OF) do { \
	if (w->plus != w->minus) \
		(step_b ? OF(w, true, true, a, b, n, r) : OF(w, true, false, a, b, n, r)); \
	else \
		(step_b ? OF(w, false, true, a, b, n, r) : OF(w, false, false, a, b, n, r)); \
	} while (0)

/* False: nothing is done. */
ALWAYS_INLINE bool products(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	if (!npu_words_narrow(w))
		return false;
	if (w->shift < 32)
		PRODUCTS(lower_products);
	else
		PRODUCTS(upper_products);
	return true;
}

/* ---- */

/* What has no 32 bits, limited in 64. */
static void wide_results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i64 plus = w->plus, minus = w->minus, lo = w->lo, hi = w->hi, zero = w->zero;
	const i32 one = WORD(b);
	const unsigned shift = w->shift;

	switch (w->mode) {
	case NPU_EW_MUL: EACH((i32)(within(((i64)x * y + ((x ^ y) < 0 ? minus : plus)) >> shift, lo, hi) + zero)); break;
	case NPU_EW_ADD: EACH((i32)(within((i64)x + y, lo, hi) + zero)); break;
	default: ORDERED((i32)(within((i64)x - y, lo, hi) + zero)); break;
	}
}

static i32 in_32(i64 v)
{
	return (i32)within(v, INT32_MIN, INT32_MAX);
}

/* The output stage of what has 32 bits. */
ALWAYS_INLINE void limit(const struct npu_words *w, i32 *r, size_t n)
{
	const i32 lo = in_32(w->lo), hi = in_32(w->hi), zero = w->zero;

	if (lo != INT32_MIN || hi != INT32_MAX || zero)
		for (size_t i = 0; i < n; i++)
			r[i] = (i32)((u32)within32(r[i], lo, hi) + (u32)zero);
}

/* Sums with one second operand: the first one's ends are worked out instead of limiting each sum. False: nothing is done. */
ALWAYS_INLINE bool sums_of_one(const struct npu_words *w, const u8 *a, i32 one, size_t n, i32 *r)
{
	const bool wraps = w->lo == INT64_MIN && w->hi == INT64_MAX, less = w->mode == NPU_EW_SUB && w->swap;
	const i64 y = w->mode == NPU_EW_ADD || less ? one : -(i64)one;
	const i64 from = wraps ? INT32_MIN : less ? y - w->hi : w->lo - y, to = wraps ? INT32_MAX : less ? y - w->lo : w->hi - y;
	const i32 lo = in_32(from), hi = in_32(to);
	const u32 more = (u32)y + (u32)w->zero;

	if (from > INT32_MAX || to < INT32_MIN)
		return false;
	if (less)
		for (size_t i = 0; i < n; i++)
			r[i] = (i32)(more - (u32)within32(WORD(a + 4 * i), lo, hi));
	else
		for (size_t i = 0; i < n; i++)
			r[i] = (i32)((u32)within32(WORD(a + 4 * i), lo, hi) + more);
	return true;
}

/* The others; the same. */
ALWAYS_INLINE bool sums(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i32 one = WORD(b);

	if (!npu_words_narrow(w))
		return false;
	if (w->mode == NPU_EW_ADD && w->lo == INT64_MIN)
		EACH((i32)((u32)x + (u32)y));
	else if (w->mode == NPU_EW_ADD)
		EACH(added(x, y));
	else if (w->lo == INT64_MIN)
		ORDERED((i32)((u32)x - (u32)y));
	else
		ORDERED(subtracted(x, y));
	return true;
}

/* ---- sums that are shifted: half of one has 32 bits, and the last bit that leaves it is in the sum's low 32 ---- */

static inline i32 halved_up(i32 half, u32 sum, unsigned shift)
{
	return (half >> (shift - 1)) + (i32)(sum >> (shift - 1) & 1);
}

static inline i32 half_sum(i32 x, i32 y)
{
	return (x & y) + ((x ^ y) >> 1);
}

static inline i32 half_difference(i32 x, i32 y)
{
	return (x >> 1) - (y >> 1) - (~x & y & 1);
}

ALWAYS_INLINE void shifted_sums(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i32 one = WORD(b);
	const unsigned shift = w->shift;

	if (w->mode == NPU_EW_ADD)
		EACH(halved_up(half_sum(x, y), (u32)x + (u32)y, shift));
	else
		ORDERED(halved_up(half_difference(x, y), (u32)x - (u32)y, shift));
}

/* ---- */

ALWAYS_INLINE void results(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, i32 *r)
{
	const i32 one = WORD(b);
	bool done = true;

	switch (w->mode) {
	case NPU_EW_MUL: done = products(w, a, b, step_b, n, r); break;
	case NPU_EW_SHR: shifts(w, a, b, step_b, n, r); break;
	case NPU_EW_SHL: ORDERED(shifted_left(x, y)); break;
	case NPU_EW_MIN: EACH(x < y ? x : y); break;
	case NPU_EW_MAX: EACH(x > y ? x : y); break;
	case NPU_EW_CLZ: EACH(zeros_above(x)); break;
	default:
		if (!w->shift && !step_b && sums_of_one(w, a, one, n, r))
			return;
		if (w->shift)
			shifted_sums(w, a, b, step_b, n, r);
		else
			done = sums(w, a, b, step_b, n, r);
		break;
	}
	if (done)
		limit(w, r, n);
	else
		wide_results(w, a, b, step_b, n, r);
}
