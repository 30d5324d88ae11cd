/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of elements; see rows.h. Plain loops with everything decided outside of them. */
#include "npu/kernels/rows/rows.h"

#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/rows/words.h"

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

/* One element for all. */
static void repeat32(const struct npu_fm *fm, const u8 *p, size_t n, i32 *out)
{
	npu_row_load32(fm, p, fm->bytes, 1, out);
	const i32 all = out[0];
	for (size_t i = 1; i < n; i++)
		out[i] = all;
}

void npu_row_load32(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i32 *out)
{
	i32 zero = fm->zero_point;
	unsigned type = fm->bytes * 2u + fm->is_signed;

	if (stride == 0) {
		repeat32(fm, p, n, out);
		return;
	}
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

bool npu_row_plain32(const struct npu_fm *fm, i64 stride)
{
	return fm->bytes == 4 && fm->is_signed && !fm->zero_point && stride == 4;
}

static void repeat64(const struct npu_fm *fm, const u8 *p, size_t n, i64 *out)
{
	npu_row_load64(fm, p, fm->bytes, 1, out);
	for (size_t i = 1; i < n; i++)
		out[i] = out[0];
}

void npu_row_load64(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out)
{
	i64 zero = fm->zero_point;

	if (stride == 0) {
		repeat64(fm, p, n, out);
		return;
	}
	if (stride == fm->bytes) {
		switch (fm->bytes * 2u + fm->is_signed) {
		case 2: LOAD_CONTIGUOUS(u8); return;
		case 3: LOAD_CONTIGUOUS(i8); return;
		case 4: LOAD_CONTIGUOUS(u16); return;
		case 5: LOAD_CONTIGUOUS(i16); return;
		case 8: LOAD_CONTIGUOUS(u32); return;
		default: LOAD_CONTIGUOUS(i32); return;
		}
	}
	switch (fm->bytes * 2u + fm->is_signed) {
	case 2: LOAD_LOOP(u8); return;
	case 3: LOAD_LOOP(i8); return;
	case 4: LOAD_LOOP(u16); return;
	case 5: LOAD_LOOP(i16); return;
	case 8: LOAD_LOOP(u32); return;
	default: LOAD_LOOP(i32); return;
	}
}

void npu_rounding_of(struct npu_scale s, i64 *plus, i64 *minus)
{
	const i64 half = INT64_C(1) << (s.shift - 1);

	if (s.round == NPU_ROUND_TRUNCATE) {
		*plus = 0;
		*minus = 2 * half - 1;
	} else if (s.round == NPU_ROUND_NATURAL || s.shift <= s.first) {
		*plus = *minus = half;
	} else if (s.first == 0) { /* ties away from zero */
		*plus = half;
		*minus = half - 1;
	} else {
		*plus = half + (INT64_C(1) << (s.first - 1));
		*minus = half - (INT64_C(1) << (s.first - 1));
	}
}

void npu_row_scale64(const struct npu_simd *simd, i64 *v, size_t n, struct npu_scale s)
{
	const i64 limit = (INT64_C(1) << 61) / ((i64)s.scale + 1);
	i64 most = 0, least = 0, plus = 0, minus = 0;

	for (size_t i = 0; i < n; i++) {
		most = v[i] > most ? v[i] : most;
		least = v[i] < least ? v[i] : least;
	}
	if (s.shift > 61 || most >= limit || least <= -limit) {
		for (size_t i = 0; i < n; i++)
			v[i] = npu_scale_round(v[i], s);
		return;
	}
	if (s.shift)
		npu_rounding_of(s, &plus, &minus);
	else if (s.scale == 1)
		return;
	simd->scale64(v, n, s.scale, plus, minus, s.shift);
}

/* sum[r] += the n <= 65536 elements at p + r * step */
#define SUM_ROWS(T) do { \
	for (size_t r = 0; r < rows; r++, p += step) { \
		i32 all = 0; \
		for (u32 i = 0; i < n; i++) { \
			T e_; \
			memcpy(&e_, p + i * sizeof(e_), sizeof(e_)); \
			all += e_; \
		} \
		sum[r] += all; \
	} } while (0)

/* The same of others, minus zero point. */
static void sum_others(const struct npu_fm *fm, const u8 *p, i64 step, size_t rows, u32 n, i64 *sum)
{
	i64 v[NPU_ROW];

	for (size_t r = 0; r < rows; r++, p += step)
		for (u32 i = 0, part; i < n; i += part) {
			part = n - i < NPU_ROW ? n - i : NPU_ROW;
			npu_row_load64(fm, p + (size_t)i * fm->bytes, fm->bytes, part, v);
			for (u32 k = 0; k < part; k++)
				sum[r] += v[k];
		}
}

/* True where the zero point is still to be taken off. */
static bool add_channels(const struct npu_simd *simd, const struct npu_fm *fm, const u8 *p, i64 step, size_t rows, u32 n, i64 *sum)
{
	switch (fm->bytes * 2u + fm->is_signed) {
	case 2: SUM_ROWS(u8); return true;
	case 3: SUM_ROWS(i8); return true;
	case 5: SUM_ROWS(i16); return true;
	case 9: simd->sum_rows32(p, step, rows, n, sum); return true;
	default: sum_others(fm, p, step, rows, n, sum); return false;
	}
}

void npu_row_sums(const struct npu_simd *simd, const struct npu_fm *fm, const u8 *p, i64 step, size_t rows, i64 *sum)
{
	const i64 group = npu_fm_stride_group(fm);
	const u32 most = group == (i64)NPU_GROUP * fm->bytes ? fm->depth : NPU_GROUP;
	bool with_zero = false;

	memset(sum, 0, rows * sizeof(*sum));
	for (u32 c = 0, n; c < fm->depth; c += n, p += group) {
		n = fm->depth - c < most ? fm->depth - c : most;
		with_zero = add_channels(simd, fm, p, step, rows, n, sum);
	}
	for (size_t r = 0; r < rows && with_zero && fm->zero_point; r++)
		sum[r] -= (i64)fm->depth * fm->zero_point;
}

bool npu_rescale_all(struct npu_rescale *r, struct npu_scale s)
{
	if (!npu_rescale_set(r, 0, s))
		return false;
	npu_rescale_spread(r);
	return true;
}

bool npu_rescale_above(struct npu_rescale *r, struct npu_scale s)
{
	const u32 scale = s.scale;

	s.scale = 1; /* rounding and shift have nothing to do with it */
	if (scale <= INT32_MAX || s.shift < 32 || !npu_rescale_all(r, s))
		return false;
	for (unsigned i = 0; i < NPU_GROUP; i++)
		r->scale[i] = (i32)scale;
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
		const i32 factor = 1 << fast->left;
		for (size_t i = 0; factor > 1 && i < n; i++)
			v[i] *= factor;
		for (size_t i = n; i < vectors_of(n) * NPU_GROUP; i++)
			v[i] = 0;
		simd->rescale(v, vectors_of(n), fast);
		return;
	}
	for (size_t i = 0; i < n; i++)
		wide[i] = v[i];
	npu_row_scale64(simd, wide, n, s);
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

static void put_words(const i32 *v, size_t n, u8 *p, i64 stride)
{
	for (size_t i = 0; i < n; i++)
		memcpy(p + (i64)i * stride, &v[i], sizeof(v[i]));
}

static void put_halves(const i32 *v, size_t n, u8 *p, i64 stride)
{
	for (size_t i = 0; i < n; i++) {
		const u16 e = (u16)v[i];
		memcpy(p + (i64)i * stride, &e, sizeof(e));
	}
}

static void put_low_bytes(const i32 *v, size_t n, u8 *p, i64 stride)
{
	for (size_t i = 0; i < n; i++)
		p[(i64)i * stride] = (u8)v[i];
}

static void put(const i32 *v, size_t n, unsigned bytes, u8 *p, i64 stride)
{
	if (bytes == 1)
		put_low_bytes(v, n, p, stride);
	else if (bytes == 2 && stride == 2)
		put_halves(v, n, p, 2);
	else if (bytes == 2)
		put_halves(v, n, p, stride);
	else if (stride == 4)
		memcpy(p, v, n * 4);
	else
		put_words(v, n, p, stride);
}

void npu_row_store32(const struct npu_sink *s, i32 *v, size_t n, u8 *p, i64 stride)
{
	const struct npu_op *op = s->op;
	const i32 zero = op->output == NPU_OUT_RAW32 ? 0 : op->ofm.zero_point, lo = op->lo, hi = op->hi;

	if (s->narrow_valid) {
		u8 bytes[NPU_ROW];
		for (size_t i = n; i < vectors_of(n) * NPU_GROUP; i++)
			v[i] = 0;
		s->simd->narrow8(v, vectors_of(n) * NPU_GROUP, &s->narrow, bytes);
		put_bytes(bytes, n, p, stride);
		return;
	}
	if (!npu_is_unit(op))
		for (size_t i = 0; i < n; i++) {
			const i32 r = v[i] + zero < lo ? lo : v[i] + zero;
			v[i] = r > hi ? hi : r;
		}
	if (npu_is_tabled(op))
		npu_row_tabled(s, v, n);
	put(v, n, op->ofm.bytes, p, stride);
}

void npu_row_store64(const struct npu_sink *s, const i64 *v, size_t n, u8 *p, i64 stride)
{
	const struct npu_op *op = s->op;
	const bool unit = npu_is_unit(op);
	const i64 zero = unit || op->output == NPU_OUT_RAW32 ? 0 : op->ofm.zero_point;
	const i64 lo = unit ? -NPU_UNIT_LIMIT : op->lo, hi = unit ? NPU_UNIT_LIMIT : op->hi;
	i32 r[NPU_ROW];

	for (size_t at = 0, part; at < n; at += part, v += part, p += (i64)part * stride) {
		part = n - at < NPU_ROW ? n - at : NPU_ROW;
		s->simd->clamp64(v, part, zero, lo, hi, r);
		if (npu_is_tabled(op))
			npu_row_tabled(s, r, part);
		put(r, part, op->ofm.bytes, p, stride);
	}
}

void npu_row_add16(const struct npu_simd *simd, const struct npu_add16 *s, const u8 *a, const u8 *b, size_t n,
		   u8 *out)
{
	struct npu_words_grid row = { .a = a, .b = b, .to = out, .step_b = sizeof(i16), .rows = 1, .n = n };
	u8 x[NPU_GROUP * sizeof(i16)] = { 0 }, y[NPU_GROUP * sizeof(i16)] = { 0 };

	if (n >= NPU_GROUP) {
		simd->add16(s, &row);
		return;
	}
	memcpy(x, a, n * sizeof(i16));
	if (b)
		memcpy(y, b, n * sizeof(i16));
	row.a = row.to = x;
	row.b = b ? y : NULL;
	row.n = NPU_GROUP;
	simd->add16(s, &row);
	memcpy(out, x, n * sizeof(i16));
}

const u8 *npu_row_beside(const u8 *p, i64 stride, unsigned bytes, size_t n, u8 room[NPU_ROW * 2])
{
	u16 half;

	if (stride)
		return stride == bytes ? p : NULL;
	if (bytes == 1) {
		memset(room, *p, n);
		return room;
	}
	memcpy(&half, p, sizeof(half));
	for (size_t i = 0; i < n; i++)
		memcpy(room + i * sizeof(half), &half, sizeof(half));
	return room;
}

bool npu_row_of_bytes(npu_walk_row *row, void *ctx, u8 *table, unsigned bytes)
{
	const i64 stride[NPU_WALK_MAPS] = { bytes, 1 };
	u8 all[256];

	for (unsigned b = 0; b < 256; b++)
		all[b] = (u8)b;
	row(ctx, (u8 *const[NPU_WALK_MAPS]){ table, all }, stride, 256);
	return bytes == 1 && memcmp(table, all, 256) == 0;
}

void npu_row_table(const struct npu_simd *simd, const u8 table[256], const u8 *from, i64 from_stride, u8 *to, i64 to_stride,
		   size_t n)
{
	if (from_stride == 1 && to_stride == 1) {
		simd->look_up(table, from, n, to);
		return;
	}
	for (size_t i = 0; i < n; i++)
		to[(i64)i * to_stride] = table[from[(i64)i * from_stride]];
}
