/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit lanes: sums, products and scaling of int32. Part of simd.c. */

static void scale64(i64 *v, size_t n, i64 scale, i64 plus, i64 minus, unsigned shift)
{
	if (plus == minus) {
		for (size_t i = 0; i < n; i++)
			v[i] = (v[i] * scale + plus) >> shift;
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] * scale + (v[i] < 0 ? minus : plus)) >> shift;
}

static i64 sum32(const u8 *p, size_t n)
{
	i64 sum = 0;

	for (size_t i = 0; i < n; i++) {
		i32 e;
		memcpy(&e, p + i * sizeof(e), sizeof(e));
		sum += e;
	}
	return sum;
}

/* Words without alignment. */
#define WORD(p, i) ({ i32 w_; memcpy(&w_, (p) + (i) * sizeof(w_), sizeof(w_)); w_; })

static void widen32(const u8 *p, size_t n, i64 *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = WORD(p, i);
}

static void product32(const u8 *a, const u8 *b, size_t n, i64 *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (i64)WORD(a, i) * WORD(b, i);
}

static void product32_by(const u8 *a, i32 b, size_t n, i64 *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (i64)WORD(a, i) * b;
}

static void clamp64(const i64 *v, size_t n, i64 zero, i64 lo, i64 hi, i32 *out)
{
	for (size_t i = 0; i < n; i++) {
		i64 r = v[i] + zero;
		r = r < lo ? lo : r;
		out[i] = (i32)(r > hi ? hi : r);
	}
}
#undef WORD
