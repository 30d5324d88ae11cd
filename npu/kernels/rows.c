/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of elements; see rows.h. Plain loops with everything decided outside of them. */
#include "npu/kernels/rows.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/rescale.h"

#define LOAD_LOOP(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e; \
		memcpy(&e, p + (i64)i * stride, sizeof(e)); \
		out[i] = e - zero; \
	} } while (0)
#define LOAD_CONTIGUOUS(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e; \
		memcpy(&e, p + i * sizeof(T), sizeof(e)); \
		out[i] = e - zero; \
	} } while (0)

void npu_row_load32(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i32 *out)
{
	i32 zero = fm->zero_point;
	unsigned type = fm->bytes * 2u + fm->is_signed;

	if (stride == fm->bytes) {
		switch (type) {
		case 2: LOAD_CONTIGUOUS(u8); return;
		case 3: LOAD_CONTIGUOUS(i8); return;
		case 4: LOAD_CONTIGUOUS(u16); return;
		default: LOAD_CONTIGUOUS(i16); return;
		}
	}
	switch (type) {
	case 2: LOAD_LOOP(u8); return;
	case 3: LOAD_LOOP(i8); return;
	case 4: LOAD_LOOP(u16); return;
	default: LOAD_LOOP(i16); return;
	}
}

void npu_row_load64(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out)
{
	i64 zero = fm->zero_point;

	switch (fm->bytes * 2u + fm->is_signed) {
	case 2: LOAD_LOOP(u8); return;
	case 3: LOAD_LOOP(i8); return;
	case 4: LOAD_LOOP(u16); return;
	case 5: LOAD_LOOP(i16); return;
	case 8: LOAD_LOOP(u32); return;
	default: LOAD_LOOP(i32); return;
	}
}

static void shift_natural(i64 *v, size_t n, unsigned s)
{
	i64 half = INT64_C(1) << (s - 1);
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] + half) >> s;
}

static void shift_truncate(i64 *v, size_t n, unsigned s)
{
	for (size_t i = 0; i < n; i++)
		v[i] = v[i] < 0 ? -(-v[i] >> s) : v[i] >> s;
}

static void shift_away(i64 *v, size_t n, unsigned s)
{
	i64 half = INT64_C(1) << (s - 1);
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] + half - (v[i] < 0)) >> s;
}

/* Rounded shift of products below 2^62; s <= 62. */
static void shift_row(i64 *v, size_t n, struct npu_scale s)
{
	unsigned shift = s.shift;

	if (shift == 0)
		return;
	if (s.round == NPU_ROUND_NATURAL) {
		shift_natural(v, n, shift);
	} else if (s.round == NPU_ROUND_TRUNCATE) {
		shift_truncate(v, n, shift);
	} else {
		unsigned first = shift < s.first ? shift : s.first;
		if (first)
			shift_natural(v, n, first);
		if (shift > first)
			shift_away(v, n, shift - first);
	}
}

void npu_row_scale64(i64 *v, size_t n, struct npu_scale s)
{
	i64 limit = (INT64_C(1) << 62) / ((i64)s.scale + 1);
	bool small = s.shift <= 62;

	for (size_t i = 0; i < n; i++)
		small &= v[i] < limit && v[i] > -limit;
	if (!small) {
		for (size_t i = 0; i < n; i++)
			v[i] = npu_scale_round(v[i], s);
		return;
	}
	if (s.scale != 1)
		for (size_t i = 0; i < n; i++)
			v[i] *= (i64)s.scale;
	shift_row(v, n, s);
}

bool npu_rescale_all(struct npu_rescale *r, struct npu_scale s)
{
	if (!npu_rescale_set(r, 0, s))
		return false;
	for (unsigned i = 1; i < NPU_GROUP; i++) {
		r->scale[i] = r->scale[0];
		r->shift[i] = r->shift[0];
		r->add[i & 1][i / 2] = r->add[0][0];
		r->factor[i] = r->factor[0];
		r->offset[i] = r->offset[0];
	}
	return true;
}

bool npu_rescale_values(struct npu_rescale *r, struct npu_scale s, u64 reach)
{
	const unsigned up = s.shift < 32 ? 32u - s.shift : 0;
	const bool once = s.round == NPU_ROUND_NATURAL || (s.round == NPU_ROUND_DBL && s.shift <= s.first);

	r->left = 0;
	if (npu_rescale_all(r, s))
		return true;
	/* more than 1: the values take the power of two that the scale has no room for */
	if (!once || s.shift == 0 || s.shift >= 32 || s.scale > INT32_MAX || reach > (u64)INT32_MAX >> up)
		return false;
	r->left = (u8)up;
	return npu_rescale_all(r, (struct npu_scale){ .scale = s.scale, .shift = 32, .round = NPU_ROUND_NATURAL });
}

static size_t vectors_of(size_t n)
{
	return (n + NPU_GROUP - 1) / NPU_GROUP;
}

void npu_row_scale32(const struct npu_simd *simd, const struct npu_rescale *fast, i32 *v, size_t n,
		     struct npu_scale s)
{
	i64 wide[NPU_ROW];

	if (s.shift == 0) {
		for (size_t i = 0; s.scale != 1 && i < n; i++)
			v[i] *= (i32)s.scale;
		return;
	}
	if (fast) {
		for (size_t i = 0; fast->left && i < n; i++)
			v[i] *= 1 << fast->left;
		for (size_t i = n; i < vectors_of(n) * NPU_GROUP; i++)
			v[i] = 0;
		simd->rescale(v, vectors_of(n), fast);
		return;
	}
	for (size_t i = 0; i < n; i++)
		wide[i] = v[i];
	npu_row_scale64(wide, n, s);
	for (size_t i = 0; i < n; i++)
		v[i] = (i32)wide[i];
}

static void put_bytes(const u8 *from, size_t n, u8 *p, i64 stride)
{
	if (stride == 1) {
		memcpy(p, from, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		p[(i64)i * stride] = from[i];
}

static void put_one(const struct npu_sink *s, u8 *p, i64 v)
{
	u32 r = (u32)npu_output_value(s->op, s->lut, v);
	for (unsigned b = 0; b < s->op->ofm.bytes; b++)
		p[b] = (u8)(r >> (8 * b));
}

void npu_row_store32(const struct npu_sink *s, i32 *v, size_t n, u8 *p, i64 stride)
{
	const struct npu_op *op = s->op;
	i32 zero = op->ofm.zero_point, lo = op->lo, hi = op->hi;

	if (s->narrow_valid) {
		u8 bytes[NPU_ROW];
		for (size_t i = n; i < vectors_of(n) * NPU_GROUP; i++)
			v[i] = 0;
		s->simd->narrow8(v, vectors_of(n) * NPU_GROUP, &s->narrow, bytes);
		put_bytes(bytes, n, p, stride);
	} else if (op->output == NPU_OUT_CLAMP && op->ofm.bytes == 2) {
		for (size_t i = 0; i < n; i++) {
			i32 r = v[i] + zero;
			r = r < lo ? lo : r;
			u16 e = (u16)(r > hi ? hi : r);
			memcpy(p + (i64)i * stride, &e, sizeof(e));
		}
	} else {
		for (size_t i = 0; i < n; i++)
			put_one(s, p + (i64)i * stride, v[i]);
	}
}

void npu_row_store64(const struct npu_sink *s, const i64 *v, size_t n, u8 *p, i64 stride)
{
	const struct npu_op *op = s->op;

	if ((op->output == NPU_OUT_RAW32 || op->output == NPU_OUT_CLAMP) && op->ofm.bytes == 4) {
		i64 zero = op->output == NPU_OUT_CLAMP ? op->ofm.zero_point : 0;
		i64 lo = op->lo, hi = op->hi;
		for (size_t i = 0; i < n; i++) {
			i64 r = v[i] + zero;
			r = r < lo ? lo : r;
			u32 e = (u32)(r > hi ? hi : r);
			memcpy(p + (i64)i * stride, &e, sizeof(e));
		}
		return;
	}
	for (size_t i = 0; i < n; i++)
		put_one(s, p + (i64)i * stride, v[i]);
}

void npu_row_add8(const struct npu_simd *simd, const struct npu_add8 *s, const u8 *a, const u8 *b, size_t n,
		  u8 *out)
{
	const size_t whole = n / 64 * 64;

	simd->add8(s, a, b, whole, out);
	if (whole < n) {
		u8 x[64] = { 0 }, y[64] = { 0 };
		memcpy(x, a + whole, n - whole);
		memcpy(y, b + whole, n - whole);
		simd->add8(s, x, y, 64, x);
		memcpy(out + whole, x, n - whole);
	}
}

void npu_row_table(const u8 table[256], const u8 *from, i64 from_stride, u8 *to, i64 to_stride,
		   size_t n)
{
	if (from_stride == 1 && to_stride == 1) {
		for (size_t i = 0; i < n; i++)
			to[i] = table[from[i]];
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[(i64)i * to_stride] = table[from[(i64)i * from_stride]];
}
