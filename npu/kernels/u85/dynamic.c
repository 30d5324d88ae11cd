/* SPDX-License-Identifier: Apache-2.0 */
/* Weights out of IFM2; see dynamic.h. IFM2 is [1, OFM depth, IFM depth]. */
#include "npu/kernels/u85/dynamic.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/rows.h"

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

typedef i16 i16x8 __attribute__((vector_size(16)));
typedef i32 i32x4 __attribute__((vector_size(16)));
typedef u32 u32x4 __attribute__((vector_size(16)));

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

/* ---- int16 without zero point, and bytes: two taps of a channel at a time ---- */

#define PAIRS_MOST (1 << 16) /* of their channels: sums of magnitudes have 32 bits */

static bool is_pairs(const struct npu_packed *s, const struct npu_op *op)
{
	const struct npu_fm *fm = &op->ifm2;

	return s->key.taps == 2 && (fm->bytes == 1 ? npu_fm_magnitude(fm) < INT16_MAX : fm->is_signed && !fm->zero_point) && op->ifm.depth <= PAIRS_MOST;
}

/* Up to 16 channels from `p` on, to every second word of a group. */
static void put_pairs(const u8 *p, u32 n, i16 *to)
{
	for (u32 i = 0; i + 1 < n; i += 2)
		memcpy(to + i * NPU_GROUP, p + i * sizeof(*to), 2 * sizeof(*to));
	if (n % 2)
		memcpy(to + (n - 1) * NPU_GROUP, p + (n - 1) * sizeof(*to), sizeof(*to));
}

typedef i8 i8x16 __attribute__((vector_size(16)));
typedef u8 u8x16 __attribute__((vector_size(16)));
typedef i16 i16x16 __attribute__((vector_size(32)));

/* Bytes minus zero point. */
static inline void widen(const struct npu_fm *fm, const void *p, i16x16 *wide)
{
	i8x16 v;
	u8x16 u;

	memcpy(&v, p, sizeof(v));
	memcpy(&u, p, sizeof(u));
	*wide = fm->is_signed ? __builtin_convertvector(v, i16x16) : __builtin_convertvector(u, i16x16);
	*wide -= (i16)fm->zero_point;
}

/* The same of bytes. */
static void put_wide(const struct npu_fm *fm, const u8 *p, u32 n, i16 *to)
{
	u8 part[NPU_GROUP] = { 0 };
	i16x16 wide;

	if (n < NPU_GROUP)
		p = memcpy(part, p, n);
	widen(fm, p, &wide);
	put_pairs((const u8 *)&wide, n, to);
}

static u32x4 magnitudes(i32x4 v)
{
	return (u32x4)((v ^ v >> 31) - (v >> 31));
}

/* Sums of a group's channels and of their magnitudes, four channels at a time. */
static void measure_pairs(struct npu_packed *s, const i16 *w, i32 *sum)
{
	i32x4 sums[NPU_GROUP / 4] = { { 0 } };
	u32x4 all[NPU_GROUP / 4] = { { 0 } };
	u32 magnitude[NPU_GROUP];

	for (size_t k = 0; k < s->row; k += 2)
		for (unsigned v = 0; v < NPU_GROUP / 4; v++, w += 8) {
			i32x4 both;
			memcpy(&both, w, sizeof(both));
			const i32x4 a = (both << 16) >> 16, b = both >> 16;
			sums[v] += a + b;
			all[v] += magnitudes(a) + magnitudes(b);
		}
	memcpy(sum, sums, sizeof(sums));
	memcpy(magnitude, all, sizeof(all));
	for (unsigned c = 0; c < NPU_GROUP; c++)
		s->max_magnitude = magnitude[c] > s->max_magnitude ? magnitude[c] : s->max_magnitude;
}

static void pack_pairs(struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *fm = &op->ifm2;
	const i64 group = npu_fm_stride_group(fm);
	i16 *const weights = s->weights;

	for (u32 o = 0; o < op->ofm.depth; o++) {
		const u8 *p = npu_fm_pixel(fm, view->ifm2, 0, o);
		i16 *to = weights + o / NPU_GROUP * s->group_step + o % NPU_GROUP * 2;
		for (u32 c = 0; c < op->ifm.depth; c += NPU_GROUP, p += group, to += NPU_GROUP * NPU_GROUP) {
			const u32 n = op->ifm.depth - c < NPU_GROUP ? op->ifm.depth - c : NPU_GROUP;
			if (fm->bytes == 1)
				put_wide(fm, p, n, to);
			else
				put_pairs(p, n, to);
		}
	}
	for (u32 o = 0; o < op->ofm.depth; o += NPU_GROUP)
		measure_pairs(s, weights + o / NPU_GROUP * s->group_step, s->sum + o);
	s->max_weight = fm->bytes == 1 ? (i32)npu_fm_magnitude(fm) : -INT16_MIN;
}

/* ---- bytes, for products of bytes ---- */

/* n <= 16 channels from `p` on minus zero point, to every fourth lane of a group; false: one exceeds int8. */
static bool put_bytes(const struct npu_fm *fm, const u8 *p, u32 n, i8 *to)
{
	i8x16 v = { 0 };

	if (n == NPU_GROUP)
		memcpy(&v, p, sizeof(v)); /* in one piece */
	else
		memcpy(&v, p, n);
	if (!fm->is_signed || fm->zero_point) {
		i16x16 wide;
		widen(fm, &v, &wide);
		for (u32 i = n; i < NPU_GROUP; i++)
			wide[i] = 0;
		v = __builtin_convertvector(wide, i8x16);
		const i16x16 beyond = wide ^ __builtin_convertvector(v, i16x16);
		u64 any[4];
		memcpy(any, &beyond, sizeof(any));
		if (any[0] | any[1] | any[2] | any[3])
			return false;
	}
	const i32x4 quads = (i32x4)v;
	for (u32 i = 0; i < 4 && 4 * i < n; i++) {
		const i32 quad = quads[i];
		memcpy(to + 4 * i * NPU_GROUP, &quad, sizeof(quad));
	}
	return true;
}

/* False: `wide`. */
static bool pack_bytes(struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *fm = &op->ifm2;
	const i64 group = npu_fm_stride_group(fm);

	if (fm->bytes != 1 || fm->zero_point < -256 || fm->zero_point > 384)
		return false;
	for (u32 o = 0; o < op->ofm.depth; o++) {
		const u8 *p = npu_fm_pixel(fm, view->ifm2, 0, o);
		i8 *to = (i8 *)s->weights + o / NPU_GROUP * s->group_step + o % NPU_GROUP * 4;
		for (u32 c = 0; c < op->ifm.depth; c += NPU_GROUP, p += group, to += NPU_GROUP * NPU_GROUP)
			if (!put_bytes(fm, p, op->ifm.depth - c < NPU_GROUP ? op->ifm.depth - c : NPU_GROUP, to))
				return false;
	}
	return true;
}

static void measure_bytes(const struct npu_kernels *k, struct npu_packed *s, u32 groups)
{
	for (u32 g = 0; g < groups; g++) {
		const u64 magnitude = k->simd->sums_i8((const i8 *)s->weights + g * s->group_step, s->row, s->sum + g * NPU_GROUP);
		s->max_magnitude = magnitude > s->max_magnitude ? magnitude : s->max_magnitude;
	}
	s->max_weight = -INT8_MIN;
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
	memset(s->sum, 0, sums + weights);
	if (taps == 4) {
		s->wide = !pack_bytes(s, op, view);
		if (!s->wide)
			measure_bytes(k, s, groups);
		return s;
	}
	if (is_pairs(s, op))
		pack_pairs(s, op, view);
	else
		for (u32 o = 0; o < op->ofm.depth; o++)
			pack_channel(s, op, view, o);
	if (splits)
		split(s, count, (i16 *)s->weights + count, (i16 *)s->weights + 2 * count);
	return s->max_weight <= -INT16_MIN ? s : NULL; /* what an int16 holds */
}
