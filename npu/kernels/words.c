/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of int32; see words.h. Plain loops for the compiler's vectors. */
#include "npu/kernels/words.h"

#include <string.h>
#if ROW_LEVEL == 3
#include <immintrin.h>
#endif

#include "npu/kernels/walk.h"

bool npu_words_output(struct npu_words *w, const struct npu_op *op, i32 zero, bool clips)
{
	w->bytes = op->ofm.bytes;
	w->bytes_a = w->bytes_b = sizeof(i32);
	w->table = NULL;
	w->zero = zero;
	w->lo = clips ? (i64)op->lo - zero : INT64_MIN;
	w->hi = clips ? (i64)op->hi - zero : INT64_MAX;
	return op->ofm.bytes <= 4 && w->lo <= w->hi;
}

#define WORD(p) ({ i32 w_; memcpy(&w_, (p), sizeof(w_)); w_; })

/* Each variant once for many second operands, once for one. */
#define EACH(RESULT) do { \
	if (step_b) \
		for (size_t i = 0; i < n; i++) { \
			const i32 x = WORD(a + 4 * i), y = WORD(b + 4 * i); \
			r[i] = (i32)(u32)((u64)(RESULT) + (u64)zero); \
		} \
	else \
		for (size_t i = 0; i < n; i++) { \
			const i32 x = WORD(a + 4 * i), y = one; \
			r[i] = (i32)(u32)((u64)(RESULT) + (u64)zero); \
		} \
	} while (0)

static inline i64 within(i64 v, i64 lo, i64 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

/* In 32 bits; (v + half) >> s is v >> s and the bit below. */
static inline i32 shifted(i32 v, i32 by, i32 most)
{
	const i32 s = by < 0 ? 0 : by > 31 ? 31 : by;
	const i32 r = (v >> s) + (v >> ((s - 1) & 31) & (s > 0));

	return by > most ? 0 : r;
}

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

static inline i32 within32(i32 v, i32 lo, i32 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

static i32 in_32(i64 v)
{
	return (i32)within(v, INT32_MIN, INT32_MAX);
}

#define PUT(T) do { \
	for (size_t i = 0; i < n; i++) { \
		const T e_ = (T)r[i]; \
		memcpy(to + i * sizeof(e_), &e_, sizeof(e_)); \
	} } while (0)

static i32 word_of(const u8 *table, i32 at)
{
	return WORD(table + 4 * at);
}

static void look_up(const struct npu_words *w, i32 *r, size_t n)
{
	const i32 half = w->table_rounds ? 64 : 0;
	const unsigned bits = w->table_rounds ? 7 : 0;

	for (size_t i = 0; i < n; i++) {
		const i32 word = word_of(w->table, (r[i] >> 7) + 256);
		r[i] = ((i16)word * 128 + (word >> 16) * (r[i] & 127) + half) >> bits;
	}
}

void npu_words_row(const struct npu_words *w, const u8 *a, const u8 *b, i64 step_b, size_t n, u8 *to)
{
	const i64 plus = w->plus, minus = w->minus, lo = w->lo, hi = w->hi, zero = w->zero;
	const i32 one = WORD(b), most = w->most, lo32 = in_32(lo), hi32 = in_32(hi);
	const bool narrow = lo >= INT32_MIN && hi <= INT32_MAX; /* sums may be limited to 32 bits first */
	const unsigned shift = w->shift;
	i32 r[NPU_ROW];

	if (npu_words_rows(w, &(struct npu_words_grid){ .a = a, .b = b, .to = to, .step_b = step_b, .rows = 1, .n = n }))
		return;
	switch (w->mode) {
	case NPU_EW_MUL:
		if (plus == minus)
			EACH(within(((i64)x * y + plus) >> shift, lo, hi));
		else
			EACH(within(((i64)x * y + ((x ^ y) < 0 ? minus : plus)) >> shift, lo, hi));
		break;
	case NPU_EW_SHR: EACH((i64)within32(shifted(x, y, most), lo32, hi32)); break;
	case NPU_EW_ADD:
		if (narrow)
			EACH((i64)within32(added(x, y), lo32, hi32));
		else
			EACH(within((i64)x + y, lo, hi));
		break;
	default:
		if (narrow)
			EACH((i64)within32(subtracted(x, y), lo32, hi32));
		else
			EACH(within((i64)x - y, lo, hi));
		break;
	}
	if (w->table)
		look_up(w, r, n);
	switch (w->bytes) {
	case 1: PUT(u8); return;
	case 2: PUT(u16); return;
	default: PUT(i32); return;
	}
}

#if ROW_LEVEL == 3
/* Constants in registers. */
struct word_vec {
	__m512i plus, minus, lo64, hi64, lo, hi, zero, most;
	__m128i shift;
	bool signs; /* plus and minus differ */
	bool wraps; /* sums are not limited */
};

static inline __m512i product_vec(const struct word_vec *c, __m512i x, __m512i y)
{
	__m512i even = _mm512_mul_epi32(x, y), odd = _mm512_mul_epi32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
	const __mmask8 below_even = c->signs ? _mm512_movepi64_mask(even) : 0, below_odd = c->signs ? _mm512_movepi64_mask(odd) : 0;

	even = _mm512_sra_epi64(_mm512_add_epi64(even, _mm512_mask_blend_epi64(below_even, c->plus, c->minus)), c->shift);
	odd = _mm512_sra_epi64(_mm512_add_epi64(odd, _mm512_mask_blend_epi64(below_odd, c->plus, c->minus)), c->shift);
	even = _mm512_min_epi64(_mm512_max_epi64(even, c->lo64), c->hi64);
	odd = _mm512_min_epi64(_mm512_max_epi64(odd, c->lo64), c->hi64);
	return _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, 0xa0);
}

/* A sum that left 32 bits is the end that x lies at. */
static inline __m512i saturated(__m512i sum, __m512i left, __m512i x)
{
	const __m512i end = _mm512_xor_si512(_mm512_srai_epi32(x, 31), _mm512_set1_epi32(INT32_MAX));

	return _mm512_mask_mov_epi32(sum, _mm512_movepi32_mask(left), end);
}

static inline __m512i sum_vec(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i sum = _mm512_add_epi32(x, y);

	return c->wraps ? sum : saturated(sum, _mm512_and_si512(_mm512_xor_si512(x, sum), _mm512_xor_si512(y, sum)), x);
}

static inline __m512i difference_vec(const struct word_vec *c, __m512i x, __m512i y)
{
	const __m512i sum = _mm512_sub_epi32(x, y);

	return c->wraps ? sum : saturated(sum, _mm512_and_si512(_mm512_xor_si512(x, y), _mm512_xor_si512(x, sum)), x);
}

static inline __m512i shifted_vec(const struct word_vec *c, __m512i v, __m512i by)
{
	const __m512i one = _mm512_set1_epi32(1), s = _mm512_min_epi32(_mm512_max_epi32(by, _mm512_setzero_si512()), _mm512_set1_epi32(31));
	const __mmask16 shifts = _mm512_test_epi32_mask(s, s), stays = _mm512_cmple_epi32_mask(by, c->most);
	const __m512i below = _mm512_maskz_and_epi32(shifts, _mm512_srav_epi32(v, _mm512_sub_epi32(s, one)), one);

	return _mm512_maskz_add_epi32(stays, _mm512_srav_epi32(v, s), below);
}

static inline __m512i result_vec(const struct word_vec *c, unsigned mode, __m512i x, __m512i y)
{
	__m512i r;

	switch (mode) {
	case NPU_EW_MUL: return _mm512_add_epi32(product_vec(c, x, y), c->zero);
	case NPU_EW_SHR: r = shifted_vec(c, x, y); break;
	case NPU_EW_ADD: r = sum_vec(c, x, y); break;
	default: r = difference_vec(c, x, y); break;
	}
	return _mm512_add_epi32(_mm512_min_epi32(_mm512_max_epi32(r, c->lo), c->hi), c->zero);
}

static inline __m512i tabled_vec(const struct npu_words *w, __m512i r)
{
	const __m512i word = _mm512_i32gather_epi32(_mm512_add_epi32(_mm512_srai_epi32(r, 7), _mm512_set1_epi32(256)), w->table, 4);
	const __m512i base = _mm512_slli_epi32(_mm512_srai_epi32(_mm512_slli_epi32(word, 16), 16), 7);
	const __m512i rise = _mm512_mullo_epi32(_mm512_srai_epi32(word, 16), _mm512_and_si512(r, _mm512_set1_epi32(127)));
	const __m512i v = _mm512_add_epi32(base, rise);

	return w->table_rounds ? _mm512_srai_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(64)), 7) : v;
}

/* Of int32 or int16. */
static inline __m512i load_vec(const u8 *p, unsigned bytes, __mmask16 some)
{
	return bytes == 4 ? _mm512_maskz_loadu_epi32(some, p) : _mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(some, p));
}

static inline i32 load_one(const u8 *p, unsigned bytes)
{
	i16 half;

	memcpy(&half, p, sizeof(half));
	return bytes == 4 ? WORD(p) : half;
}

static inline void put_vec(u8 *to, unsigned bytes, __mmask16 some, __m512i r)
{
	if (bytes == 4)
		_mm512_mask_storeu_epi32(to, some, r);
	else if (bytes == 2)
		_mm512_mask_cvtepi32_storeu_epi16(to, some, r);
	else
		_mm512_mask_cvtepi32_storeu_epi8(to, some, r);
}

/* `plain`: int32 and no table, which costs nothing in a loop of its own. */
static inline __attribute__((always_inline)) void grid(const struct npu_words *w, const unsigned mode, const bool plain, const struct npu_words_grid *g)
{
	const unsigned bytes_a = plain ? 4 : w->bytes_a, bytes_b = plain ? 4 : w->bytes_b;
	const struct word_vec c = {
		_mm512_set1_epi64(w->plus), _mm512_set1_epi64(w->minus), _mm512_set1_epi64(w->lo), _mm512_set1_epi64(w->hi), _mm512_set1_epi32(in_32(w->lo)),
		_mm512_set1_epi32(in_32(w->hi)), _mm512_set1_epi32(w->zero), _mm512_set1_epi32(w->most), _mm_cvtsi32_si128(w->shift), w->plus != w->minus,
		w->lo == INT64_MIN && w->hi == INT64_MAX,
	};
	const u8 *a = g->a, *b = g->b;
	u8 *to = g->to;

	for (size_t r = 0; r < g->rows; r++, a += g->down_a, b += g->down_b, to += g->down_to) {
		__m512i y = _mm512_set1_epi32(load_one(b, bytes_b));
		for (size_t i = 0; i < g->n; i += 16) {
			const __mmask16 some = g->n - i < 16 ? (__mmask16)((1u << (g->n - i)) - 1) : (__mmask16)~0u;
			if (g->step_b)
				y = load_vec(b + i * bytes_b, bytes_b, some);
			const __m512i v = result_vec(&c, mode, load_vec(a + i * bytes_a, bytes_a, some), y);
			put_vec(to + i * w->bytes, w->bytes, some, !plain && w->table ? tabled_vec(w, v) : v);
		}
	}
}

static inline __attribute__((always_inline)) void grid_of(const struct npu_words *w, const unsigned mode, const struct npu_words_grid *g)
{
	if (w->bytes_a == 4 && w->bytes_b == 4 && !w->table)
		grid(w, mode, true, g);
	else
		grid(w, mode, false, g);
}

bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	const bool narrow = (w->lo >= INT32_MIN && w->hi <= INT32_MAX) || (w->lo == INT64_MIN && w->hi == INT64_MAX);

	switch (w->mode) {
	case NPU_EW_MUL: grid_of(w, NPU_EW_MUL, g); return true;
	case NPU_EW_SHR: grid_of(w, NPU_EW_SHR, g); return true;
	case NPU_EW_ADD:
		if (narrow)
			grid_of(w, NPU_EW_ADD, g);
		return narrow;
	default:
		if (narrow)
			grid_of(w, NPU_EW_SUB, g);
		return narrow;
	}
}
#else
bool npu_words_rows(const struct npu_words *w, const struct npu_words_grid *g)
{
	(void)w;
	(void)g;
	return false;
}
#endif
