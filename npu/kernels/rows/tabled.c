/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through tables; see tabled.h. Each step is a loop of its own, which compilers vectorise. */
#include "npu/kernels/rows/tabled.h"

#include <string.h>

#include "npu/kernels/rows/walk.h"
#include "npu/sigmoid.h"

enum { BYTES = 256 };

static void by_byte(const struct npu_op *op, const u8 *table, i32 *v, size_t n)
{
	const i32 first = op->ofm.is_signed ? 128 : 0;

	for (size_t i = 0; i < n; i++)
		v[i] = table[(u8)(v[i] + first)];
}

static inline i32 within(i32 v, i32 lo, i32 hi)
{
	v = v < lo ? lo : v;
	return v > hi ? hi : v;
}

#ifndef ROW_LEVEL /* else it is in simd/row_table.h */
void npu_row_words(const void *table, i32 *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		memcpy(&at[i], (const u8 *)table + (size_t)at[i] * sizeof(*at), sizeof(*at));
}

void npu_row_byte_words(const u8 *table, const u8 *at, size_t n, u8 *to)
{
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * sizeof(i32), table + at[i] * sizeof(i32), sizeof(i32));
}
#endif

static void words_by_byte(const u8 *table, i32 *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (v[i] + 128) & (BYTES - 1);
	npu_row_words(table, v, n);
}

/* A base in the low half, a slope in the high half; 7 bits of fraction. */
static void by_segment(const u8 *table, i32 *v, size_t n)
{
	i32 at[NPU_ROW];

	for (size_t i = 0; i < n; i++)
		at[i] = ((i16)v[i] + 32768) >> 7;
	npu_row_words(table, at, n);
	for (size_t i = 0; i < n; i++)
		v[i] = within((i16)at[i] + (((at[i] >> 16) * (v[i] & 127) + 64) >> 7), INT16_MIN, INT16_MAX);
}

/* Values of the curve in the low half, distances to the next one in the high half. */
static void curve_words(i32 word[BYTES])
{
	for (unsigned i = 0; i < BYTES - 1; i++)
		word[i] = (i32)(npu_sigmoid_table[i] | (u32)(npu_sigmoid_table[i + 1] - npu_sigmoid_table[i]) << 16);
	word[BYTES - 1] = npu_sigmoid_table[BYTES - 1];
}

/* Half of a curve, for magnitudes, with 2^bits values between those of the table; `most` from the last one on. */
static void on_curve(const i32 *v, size_t n, unsigned bits, i32 most, i32 *r)
{
	i32 word[BYTES];

	curve_words(word);
	for (size_t i = 0; i < n; i++) {
		const i32 u = (v[i] < 0 ? -v[i] : v[i]) >> bits;
		r[i] = u < BYTES ? u : BYTES - 1;
	}
	npu_row_words(word, r, n);
	for (size_t i = 0; i < n; i++) {
		const i32 a = v[i] < 0 ? -v[i] : v[i], between = (a & ((1 << bits) - 1)) * (r[i] >> 16);
		r[i] = a >> bits >= BYTES - 1 ? most : ((r[i] & 0xffff) << bits) + between;
	}
}

static void by_sigmoid(i32 *v, size_t n, i32 lo, i32 hi)
{
	i32 r[NPU_ROW];

	on_curve(v, n, 9, 0x7fff << 10, r);
	for (size_t i = 0; i < n; i++)
		v[i] = within((v[i] >= 0 ? r[i] + 512 : (1 << 25) - r[i] + 511) >> 10, lo, hi);
}

static void by_tanh(i32 *v, size_t n, i32 lo, i32 hi)
{
	i32 r[NPU_ROW];

	on_curve(v, n, 8, 0xffff << 8, r);
	for (size_t i = 0; i < n; i++)
		v[i] = within((v[i] >= 0 ? r[i] - (1 << 23) + 128 : (1 << 23) - r[i] + 127) >> 8, lo, hi);
}

void npu_row_tabled(const struct npu_sink *s, i32 *v, size_t n)
{
	const struct npu_op *op = s->op;
	const u8 *table = s->lut + op->lut_offset;

	switch (op->output) {
	case NPU_OUT_LUT8: by_byte(op, table, v, n); return;
	case NPU_OUT_LUT16: by_segment(table, v, n); return;
	case NPU_OUT_LUT32: words_by_byte(table, v, n); return;
	case NPU_OUT_TANH: by_tanh(v, n, op->lo, op->hi); return;
	default: by_sigmoid(v, n, op->lo, op->hi); return;
	}
}
