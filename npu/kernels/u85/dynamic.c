/* SPDX-License-Identifier: Apache-2.0 */
/* Weights out of IFM2; see dynamic.h. IFM2 is [1, OFM depth, IFM depth]. */
#include "npu/kernels/u85/dynamic.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/kept/side_by_side.h"
#include "npu/kernels/rows/rows.h"

/* Channels c .. c+n-1 of output channel o. */
static void load(const struct npu_op *op, const struct npu_view *view, u32 o, u32 c, u32 n, i32 *v)
{
	const struct npu_fm *fm = &op->ifm2;
	const u8 *p = npu_fm_pixel(fm, view->ifm2, 0, o);

	npu_row_load32(fm, p + c / NPU_GROUP * npu_fm_stride_group(fm), fm->bytes, n, v);
}

static void put(struct npu_packed *s, u32 o, u32 c, u32 n, const i32 *v)
{
	unsigned taps = s->key.taps;
	size_t at = o / NPU_GROUP * s->group_step + o % NPU_GROUP * taps;

	for (u32 i = 0; i < n; i++) {
		size_t to = at + (c + i) / taps * (taps * NPU_GROUP) + (c + i) % taps;
		((i16 *)s->weights)[to] = (i16)v[i];
	}
}

static void pack_channel(struct npu_packed *s, const struct npu_op *op, const struct npu_view *view, u32 o)
{
	i64 sum = 0;
	u64 magnitude = 0;

	for (u32 c = 0; c < op->ifm.depth; c += NPU_GROUP) {
		i32 v[NPU_GROUP];
		u32 n = op->ifm.depth - c < NPU_GROUP ? op->ifm.depth - c : NPU_GROUP;

		load(op, view, o, c, n, v);
		put(s, o, c, n, v);
		for (u32 i = 0; i < n; i++) {
			const i32 m = v[i] < 0 ? -v[i] : v[i], reach = v[i] > INT16_MAX ? INT32_MAX : m;
			s->max_weight = reach > s->max_weight ? reach : s->max_weight;
			magnitude += (u64)m;
			sum += v[i];
		}
	}
	s->sum[o] = (i32)sum;
	s->max_magnitude = magnitude > s->max_magnitude ? magnitude : s->max_magnitude;
}

typedef i8 i8x16 __attribute__((vector_size(16)));
typedef i16 i16x8 __attribute__((vector_size(16)));
typedef i16 i16x16 __attribute__((vector_size(32)));

/* For sums of 64 bits, which multiply in parts that cannot leave 32. `count`: a multiple of 8. */
static void split(struct npu_packed *s, size_t count, i16 *low, i16 *high)
{
	const i16 *w = s->weights;

	s->low = low;
	s->high = high;
	for (size_t i = 0; i < count; i += 8) {
		i16x8 v, parts[2];
		memcpy(&v, w + i, sizeof(v));
		parts[0] = (v << 8) >> 8;
		parts[1] = (v >> 8) + (v >> 7 & 1);
		memcpy(low + i, &parts[0], sizeof(v));
		memcpy(high + i, &parts[1], sizeof(v));
	}
}

/* ---- dwords of a channel, two or four weights, to where a group of channels has them side by side ---- */

/* How weights lie in the map and what becomes of them: int16; bytes less zero point as int16; bytes; bytes less zero point as bytes. */
enum form { WORDS, WIDENED, BYTES, MOVED };

struct lay {
	const struct npu_fm *fm;
	i16x16 beyond; /* MOVED: not 0 where an element exceeds int8 */
};

/* The first n of 16 weights at p, and zeros. */
ALWAYS_INLINE void load_weights(struct lay *l, const enum form form, const u8 *p, u32 n, npu_dwords v[2])
{
	i16 words[NPU_GROUP];
	i16x16 wide;

	if (form == WORDS) {
		memcpy(v, p, 2 * sizeof(*v));
		return;
	}
	if (form == BYTES) {
		memcpy(v, p, sizeof(*v));
		return;
	}
	npu_widen(p, l->fm->is_signed, l->fm->zero_point, n, words);
	if (form == WIDENED) {
		memcpy(v, words, sizeof(words));
		return;
	}
	memcpy(&wide, words, sizeof(wide));
	const i8x16 bytes = __builtin_convertvector(wide, i8x16);
	l->beyond |= wide ^ __builtin_convertvector(bytes, i16x16);
	v[0] = (npu_dwords)bytes;
}

/* The first n of 16 weights of each of four channels, and zeros. */
ALWAYS_INLINE void lay_block(struct lay *l, const enum form form, const u8 *const p[4], const u32 n[4], u8 *to)
{
	npu_dwords a[2], b[2], c[2], d[2];

	load_weights(l, form, p[0], n[0], a);
	load_weights(l, form, p[1], n[1], b);
	load_weights(l, form, p[2], n[2], c);
	load_weights(l, form, p[3], n[3], d);
	npu_put_four(a[0], b[0], c[0], d[0], to);
	if (form == WORDS || form == WIDENED)
		npu_put_four(a[1], b[1], c[1], d[1], to + 4 * NPU_PUT_ROW);
}

/* n of them, of channels of which some may be missing (NULL). */
ALWAYS_INLINE void lay_part(struct lay *l, const enum form form, const u8 *const p[4], u32 n, u8 *to)
{
	const u32 each = form == WORDS || form == WIDENED ? 2 : 4;
	u8 part[4][2 * NPU_GROUP] = { { 0 } }, all[NPU_GROUP / 2 * NPU_PUT_ROW];
	const u8 *const from[4] = { part[0], part[1], part[2], part[3] };
	u32 have[4];

	for (u32 i = 0; i < 4; i++) {
		have[i] = p[i] ? n : 0;
		if (p[i])
			memcpy(part[i], p[i], n * (form == WORDS ? sizeof(i16) : sizeof(i8)));
	}
	lay_block(l, form, from, have, all);
	for (u32 k = 0; k < (n + each - 1) / each; k++)
		memcpy(to + k * NPU_PUT_ROW, all + k * NPU_PUT_ROW, 4 * sizeof(i32));
}

/* Four channels from o on. */
ALWAYS_INLINE void lay_four(struct lay *l, const enum form form, const struct npu_op *op, const struct npu_view *view, u32 o, u8 *to)
{
	const u32 each = form == WORDS || form == WIDENED ? 2 : 4, depth = op->ifm.depth, whole = o + 4 <= op->ofm.depth ? depth / NPU_GROUP * NPU_GROUP : 0;
	const i64 group = npu_fm_stride_group(l->fm);
	const u8 *p[4];
	u32 c = 0;

	for (u32 i = 0; i < 4; i++)
		p[i] = o + i < op->ofm.depth ? npu_fm_pixel(l->fm, view->ifm2, 0, o + i) : NULL;
	for (; c < depth; c += NPU_GROUP, to += NPU_GROUP / each * NPU_PUT_ROW) {
		if (c < whole)
			lay_block(l, form, p, (const u32[]){ NPU_GROUP, NPU_GROUP, NPU_GROUP, NPU_GROUP }, to);
		else
			lay_part(l, form, p, depth - c < NPU_GROUP ? depth - c : NPU_GROUP, to);
		for (u32 i = 0; i < 4; i++)
			p[i] = p[i] ? p[i] + group : NULL;
	}
}

/* All of them; false: MOVED, and one exceeds int8. */
ALWAYS_INLINE bool lay_all(const enum form form, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const size_t step = s->group_step * (form == WORDS || form == WIDENED ? sizeof(i16) : sizeof(i8));
	struct lay l = { .fm = &op->ifm2 };
	u64 any[4];

	for (u32 o = 0; o < op->ofm.depth; o += 4)
		lay_four(&l, form, op, view, o, (u8 *)s->weights + o / NPU_GROUP * step + o % NPU_GROUP * sizeof(i32));
	memcpy(any, &l.beyond, sizeof(any));
	return !(any[0] | any[1] | any[2] | any[3]);
}

/* ---- int16 without zero point, and bytes: two taps of a channel at a time ---- */

#define PAIRS_MOST (1 << 16) /* of their channels: sums of magnitudes have 32 bits */

static bool is_pairs(const struct npu_packed *s, const struct npu_op *op)
{
	const struct npu_fm *fm = &op->ifm2;

	return s->key.taps == 2 && (fm->bytes == 1 ? npu_fm_magnitude(fm) < INT16_MAX : fm->is_signed && !fm->zero_point) && op->ifm.depth <= PAIRS_MOST;
}

bool npu85_word_rows(struct npu_word_rows *r, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *fm = &op->ifm2;
	struct npu_fm_box box;

	if (fm->tiled || !npu_fm_box(fm, view->ifm2, 0, &box))
		return false;
	*r = (struct npu_word_rows){ .from = view->ifm2[0], .end = (const u8 *)box.end, .step = fm->stride_x, .group = npu_fm_stride_group(fm), .rows = op->ofm.depth,
				     .depth = op->ifm.depth, .bytes = fm->bytes, .is_signed = fm->is_signed, .zero_point = fm->zero_point };
	return true;
}

static void lay_pairs(const struct npu_kernels *k, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_word_rows rows;

	if (k->simd->pack_words && npu85_word_rows(&rows, op, view)) {
		k->simd->pack_words(&rows, s->weights);
		return;
	}
	memset(s->weights, 0, (op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP * s->group_step * sizeof(i16));
	if (op->ifm2.bytes == 1)
		lay_all(WIDENED, s, op, view);
	else
		lay_all(WORDS, s, op, view);
}

bool npu85_type_bounds(const struct npu_op *op)
{
	return op->ifm2.bytes == 1 && op->ifm.depth * npu_fm_magnitude(&op->ifm2) * npu_fm_magnitude(&op->ifm) < UINT64_C(1) << 30;
}

static void pack_pairs(const struct npu_kernels *k, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *fm = &op->ifm2;
	const i16 *const weights = s->weights;

	lay_pairs(k, s, op, view);
	s->max_weight = fm->bytes == 1 ? (i32)npu_fm_magnitude(fm) : -INT16_MIN;
	if (npu85_type_bounds(op)) {
		s->max_magnitude = op->ifm.depth * npu_fm_magnitude(fm);
		return;
	}
	for (u32 o = 0; o < op->ofm.depth; o += NPU_GROUP) {
		const u32 magnitude = k->simd->sums_i16(weights + o / NPU_GROUP * s->group_step, s->row, s->sum + o);
		s->max_magnitude = magnitude > s->max_magnitude ? magnitude : s->max_magnitude;
	}
}

/* ---- bytes, for products of bytes ---- */

/* False: `wide`. */
static bool lay_bytes(struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *fm = &op->ifm2;

	if (fm->bytes != 1 || fm->zero_point < -256 || fm->zero_point > 384)
		return false;
	return fm->is_signed && !fm->zero_point ? lay_all(BYTES, s, op, view) : lay_all(MOVED, s, op, view);
}

static struct npu_packed *pack_bytes(const struct npu_kernels *k, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	s->wide = !lay_bytes(s, op, view);
	for (u32 o = 0; !s->wide && o < op->ofm.depth; o += NPU_GROUP) {
		const u64 magnitude = k->simd->sums_i8((const i8 *)s->weights + o / NPU_GROUP * s->group_step, s->row, s->sum + o);
		s->max_magnitude = magnitude > s->max_magnitude ? magnitude : s->max_magnitude;
	}
	s->max_weight = s->wide ? 0 : -INT8_MIN;
	return s;
}

/* ---- */

struct npu_packed *npu85_pack_ifm2(struct npu_kernels *k, const struct npu_op *op,
				   const struct npu_view *view, unsigned taps)
{
	struct npu_packed *s = &k->dynamic_weights;
	u32 groups = (op->ofm.depth + NPU_GROUP - 1) / NPU_GROUP;

	*s = (struct npu_packed){ .key.taps = taps };
	s->row = ((size_t)op->ifm.depth + taps - 1) / taps * taps;
	s->group_step = s->row * NPU_GROUP;
	size_t sums = groups * NPU_GROUP * sizeof(*s->sum);
	const size_t count = groups * s->group_step, weights = count * (taps == 4 ? 1 : sizeof(i16));
	const bool splits = taps == 2 && op->ifm2.bytes == 2;
	s->sum = npu_scratch(&k->dynamic, sums + (splits ? 3 : 1) * weights);
	if (!s->sum)
		return NULL;
	s->weights = (u8 *)s->sum + sums;
	memset(s->sum, 0, sums);
	if (is_pairs(s, op)) {
		pack_pairs(k, s, op, view);
	} else {
		memset(s->weights, 0, weights);
		if (taps == 4)
			return pack_bytes(k, s, op, view);
		for (u32 o = 0; o < op->ofm.depth; o++)
			pack_channel(s, op, view, o);
	}
	if (splits)
		split(s, count, (i16 *)s->weights + count, (i16 *)s->weights + 2 * count);
	return s->max_weight <= -INT16_MIN ? s : NULL; /* what an int16 holds */
}
