/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bit lanes: sums and scaling of int32. Part of simd.c. */

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

typedef i32 i32x4 __attribute__((vector_size(16)));
typedef i32 i32x8 __attribute__((vector_size(32)));

/* Values whose sum has 32 bits. */
ALWAYS_INLINE i32 lanes_sum(const i32x16 *v)
{
	i32x8 a[2];
	i32x4 b[2];

	memcpy(a, v, sizeof(a));
	a[0] += a[1];
	memcpy(b, a, sizeof(b));
	b[0] += b[1];
	return b[0][0] + b[0][1] + (b[0][2] + b[0][3]);
}

/* The magnitudes' bits of all rows together. */
static u32 rows_bits(const u8 *p, i64 step, size_t rows, size_t n)
{
	i32x16 bits = { 0 };
	u32 all = 0;

	for (size_t r = 0; r < rows; r++, p += step)
		for (size_t i = 0; i < n; i += NPU_GROUP) {
			i32x16 v;
			memcpy(&v, p + i * sizeof(i32), sizeof(v));
			bits |= v ^ (v >> 31);
		}
	for (unsigned i = 0; i < NPU_GROUP; i++)
		all |= (u32)bits[i];
	return all;
}

static void sum_rows32(const u8 *p, i64 step, size_t rows, size_t n, i64 *sum)
{
	/* whether 32 bits are enough is asked for all rows at once: that costs less than wider lanes */
	if (n % NPU_GROUP || rows_bits(p, step, rows, n) >= (UINT32_C(1) << 31) / n) {
		for (size_t r = 0; r < rows; r++, p += step)
			sum[r] += sum32(p, n);
		return;
	}
	for (size_t r = 0; r < rows; r++, p += step) {
		i32x16 lanes = { 0 };
		for (size_t i = 0; i < n; i += NPU_GROUP) {
			i32x16 v;
			memcpy(&v, p + i * sizeof(i32), sizeof(v));
			lanes += v;
		}
		sum[r] += lanes_sum(&lanes);
	}
}

/* Words without alignment. */
#define WORD(p, i) ({ i32 w_; memcpy(&w_, (p) + (i) * sizeof(w_), sizeof(w_)); w_; })

static void widen32(const u8 *p, size_t n, i64 *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = WORD(p, i);
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
