/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of U85 values; see rows.h. Everything is decided outside of the loops. */
#include "npu/kernels/u85/rows.h"

#include <string.h>

#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/u85/tabled.h"

/* ---- loads ---- */

void npu85_row_load(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out)
{
	u64 zero = (u64)(i64)fm->zero_point;

	if (fm->bytes < 8) {
		npu_row_load64(fm, p, stride, n, out);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		u64 e;
		memcpy(&e, p + (i64)i * stride, sizeof(e));
		out[i] = (i64)(e - zero);
	}
}

/* ---- output stage ---- */

void npu85_out_init(struct npu85_out *o, const struct npu_simd *simd, const struct npu_op *op,
		    const struct npu_view *view)
{
	u8 table = op->u85.table;

	o->op = op;
	o->simd = simd;
	o->table = view->lut + op->u85.table_offset;
	o->raw = op->u85.acc_output_off;
	o->halves = !o->raw && npu_sink_narrows16(op) && op->ofm.zero_point > -NPU_ROW_LIMIT && op->ofm.zero_point < NPU_ROW_LIMIT;
	o->words = !o->raw && !table && op->ofm.bytes == 4 && op->ofm.zero_point > -NPU_ROW_LIMIT && op->ofm.zero_point < NPU_ROW_LIMIT;
	o->longs = !o->raw && !table && op->ofm.bytes == sizeof(i64) && op->u85.clip_off && !op->ofm.zero_point;
	o->curves = !o->raw && npu85_row_curves(op) && op->ofm.bytes == 2 && op->ofm.zero_point > -NPU_ROW_LIMIT && op->ofm.zero_point < NPU_ROW_LIMIT;
	o->narrow_valid = npu_narrow_init(&o->narrow, op) && op->ofm.bytes == 1 && !op->u85.clip_off && !o->raw &&
			  (table == NPU85_TABLE_NONE || table == NPU85_TABLE_U8_U8 || table == NPU85_TABLE_S8_S8);
	if (!o->narrow_valid || table == NPU85_TABLE_NONE)
		return;
	npu_table_by_byte(o->bytes, o->table, table == NPU85_TABLE_S8_S8);
	o->narrow.table = o->bytes;
}

bool npu85_out_again(struct npu85_out *o)
{
	return !o->narrow_valid || !o->narrow.table || npu_table_follow(o->bytes, o->table, o->op->u85.table == NPU85_TABLE_S8_S8);
}

#define PUT_LOOP(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_ = (T)v[i]; \
		memcpy(p + (i64)i * stride, &e_, sizeof(e_)); \
	} } while (0)
#define PUT_CONTIGUOUS(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_ = (T)v[i]; \
		memcpy(p + i * sizeof(e_), &e_, sizeof(e_)); \
	} } while (0)

void npu_row_put(const i64 *v, size_t n, unsigned bytes, u8 *p, i64 stride)
{
	if (stride == bytes) {
		switch (bytes) {
		case 1: PUT_CONTIGUOUS(u8); return;
		case 2: PUT_CONTIGUOUS(u16); return;
		case 4: PUT_CONTIGUOUS(u32); return;
		default: PUT_CONTIGUOUS(u64); return;
		}
	}
	switch (bytes) {
	case 1: PUT_LOOP(u8); return;
	case 2: PUT_LOOP(u16); return;
	case 4: PUT_LOOP(u32); return;
	default: PUT_LOOP(u64); return;
	}
}

void npu85_row_store(const struct npu85_out *o, i64 *v, size_t n, u8 *p, i64 stride)
{
	const struct npu_op *op = o->op;
	u64 zero = (u64)(i64)op->ofm.zero_point;
	i64 lo = op->lo, hi = op->hi;
	const bool late = op->u85.table == NPU85_TABLE_TANH || op->u85.table == NPU85_TABLE_SIGMOID;
	const bool clips = !o->raw && !op->u85.clip_off && !late;

	/* stores may change anything the compiler reads: conditions stay outside of the loops */
	if (!o->raw && zero)
		for (size_t i = 0; i < n; i++)
			v[i] = (i64)((u64)v[i] + zero);
	if (clips)
		for (size_t i = 0; i < n; i++) {
			i64 e = v[i] < lo ? lo : v[i];
			v[i] = e > hi ? hi : e;
		}
	if (!o->raw && op->u85.table)
		npu85_row_tabled(op, o->table, v, n);
	npu_row_put(v, n, op->ofm.bytes, p, stride);
}

/* Words by bytes: what softmax begins with. */
static void put_words_of_bytes(const struct npu85_out *o, i32 *v, size_t n, u8 *p, i64 stride)
{
	const i32 zero = o->op->ofm.zero_point, lo = o->op->lo, hi = o->op->hi;

	for (size_t i = 0; i < n; i++) {
		const i32 r = v[i] + zero < lo ? lo : v[i] + zero;
		v[i] = (u8)((r > hi ? hi : r) ^ 128);
	}
	npu_row_words(o->table, v, n);
	if (stride == sizeof(*v))
		memcpy(p, v, n * sizeof(*v));
	else
		for (size_t i = 0; i < n; i++)
			memcpy(p + (i64)i * stride, &v[i], sizeof(*v));
}

/* Tables that interpolate, to int16. The units' results are clipped, what comes to the others is. */
static void put_curves(const struct npu85_out *o, i32 *v, size_t n, u8 *p)
{
	const struct npu_op *op = o->op;
	const bool clips = op->u85.table == NPU85_TABLE_S16_S16 && !op->u85.clip_off;
	const i32 zero = op->ofm.zero_point, lo = clips ? op->lo : INT32_MIN, hi = clips ? op->hi : INT32_MAX;

	for (size_t i = 0; i < n; i++) {
		const i32 r = v[i] + zero < lo ? lo : v[i] + zero;
		v[i] = r > hi ? hi : r;
	}
	npu85_row_tabled32(op, o->table, v, n);
	for (size_t i = 0; i < n; i++) {
		const i16 half = (i16)v[i];
		memcpy(p + i * sizeof(half), &half, sizeof(half));
	}
}

static void put_words(const struct npu85_out *o, i32 *v, size_t n, u8 *p)
{
	const bool clips = !o->op->u85.clip_off;
	const i32 zero = o->op->ofm.zero_point, lo = clips ? o->op->lo : INT32_MIN, hi = clips ? o->op->hi : INT32_MAX;

	for (size_t i = 0; i < n; i++) {
		const i32 r = v[i] + zero < lo ? lo : v[i] + zero;
		v[i] = r > hi ? hi : r;
	}
	memcpy(p, v, n * sizeof(*v));
}

static void put_halves(const struct npu85_out *o, const i32 *v, size_t n, u8 *p)
{
	const i32 zero = o->op->ofm.zero_point, lo = o->op->lo, hi = o->op->hi;

	for (size_t i = 0; i < n; i++) {
		const i32 r = v[i] + zero < lo ? lo : v[i] + zero;
		const i16 half = (i16)(r > hi ? hi : r);
		memcpy(p + i * sizeof(half), &half, sizeof(half));
	}
}

void npu85_row_store32(const struct npu85_out *o, i32 *v, size_t n, u8 *p, i64 stride)
{
	u8 bytes[NPU_ROW];
	i64 wide[NPU_ROW];

	if (o->op->u85.table == NPU85_TABLE_S8_S32 && o->op->ofm.bytes == 4 && !o->raw && !o->op->u85.clip_off) {
		put_words_of_bytes(o, v, n, p, stride);
		return;
	}
	if (o->curves && stride == sizeof(i16)) {
		put_curves(o, v, n, p);
		return;
	}
	if (o->halves && stride == sizeof(i16)) {
		put_halves(o, v, n, p);
		return;
	}
	if (o->words && stride == sizeof(i32)) {
		put_words(o, v, n, p);
		return;
	}
	if (o->longs && stride == sizeof(i64)) {
		o->simd->widen32((const u8 *)v, n, wide);
		memcpy(p, wide, n * sizeof(*wide));
		return;
	}
	if (!o->narrow_valid) {
		for (size_t i = 0; i < n; i++)
			wide[i] = v[i];
		npu85_row_store(o, wide, n, p, stride);
		return;
	}
	for (size_t i = n; i < npu85_vectors(n) * NPU_GROUP; i++)
		v[i] = 0;
	o->simd->narrow8(v, npu85_vectors(n) * NPU_GROUP, &o->narrow, bytes);
	npu_row_copy(1, bytes, 1, p, stride, n);
}

/* ---- elements as they are ---- */

#define COPY_LOOP(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_; \
		memcpy(&e_, from + (i64)i * from_stride, sizeof(e_)); \
		memcpy(to + (i64)i * to_stride, &e_, sizeof(e_)); \
	} } while (0)

void npu_row_copy(unsigned bytes, const u8 *from, i64 from_stride, u8 *to, i64 to_stride, size_t n)
{
	if (from_stride == bytes && to_stride == bytes) {
		memmove(to, from, n * bytes);
		return;
	}
	switch (bytes) {
	case 1: COPY_LOOP(u8); return;
	case 2: COPY_LOOP(u16); return;
	case 4: COPY_LOOP(u32); return;
	default: COPY_LOOP(u64); return;
	}
}

#define LOOK_UP_LOOP(T) do { \
	for (size_t i = 0; i < n; i++) { \
		T e_; \
		memcpy(&e_, table + sizeof(e_) * from[(i64)i * from_stride], sizeof(e_)); \
		memcpy(to + (i64)i * to_stride, &e_, sizeof(e_)); \
	} } while (0)

void npu_row_look_up(const struct npu_simd *simd, const u8 *table, unsigned bytes, const u8 *from, i64 from_stride, u8 *to, i64 to_stride,
		     size_t n)
{
	if (bytes == sizeof(i32) && from_stride == 1 && to_stride == sizeof(i32)) {
		npu_row_byte_words(table, from, n, to);
		return;
	}
	switch (bytes) {
	case 1: npu_row_table(simd, table, from, from_stride, to, to_stride, n); return;
	case 2: LOOK_UP_LOOP(u16); return;
	case 4: LOOK_UP_LOOP(u32); return;
	default: LOOK_UP_LOOP(u64); return;
	}
}
