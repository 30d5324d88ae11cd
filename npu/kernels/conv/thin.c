/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/thin.h"

#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/simd/simd.h"

/* Kernels of a depthwise are small for what is made of their maps: less than half of them has to stay. */
#define LEAST_DEPTHWISE 5 /* taps along an axis */

/* How the weights of a group lie: a tap's are `pieces` of `bytes` bytes, `step` bytes apart. */
struct layout {
	u32 kh, kw;
	u32 taps;    /* in a set; of convolutions sets have nothing to do with taps */
	bool depthwise;
	size_t element, row, pieces, bytes, step;
};

static size_t row_of(const struct npu_weights_shape *sh, u32 taps, u32 kh, u32 kw)
{
	return kh * (sh->depthwise ? (kw + taps - 1) / taps * taps : (size_t)kw * sh->id);
}

static struct layout layout_of(const struct npu_packed *s, u32 kh, u32 kw)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	const u32 taps = s->key.taps;
	struct layout l = { .kh = kh, .kw = kw, .taps = taps, .depthwise = sh->depthwise, .element = taps == 4 ? sizeof(i8) : sizeof(i16) };

	l.row = row_of(sh, taps, kh, kw);
	l.pieces = sh->depthwise ? NPU_GROUP : 1;
	l.bytes = l.element * (sh->depthwise ? 1 : (size_t)sh->id * NPU_GROUP);
	l.step = sh->depthwise ? taps * l.element : 0;
	return l;
}

static size_t group_bytes(const struct layout *l)
{
	return l->row * NPU_GROUP * l->element;
}

/* Of a tap in its group. */
static size_t offset_of(const struct layout *l, u32 ky, u32 kx)
{
	if (!l->depthwise)
		return ((size_t)ky * l->kw + kx) * l->bytes;
	return (ky * (l->row / l->kh) + kx / l->taps * l->taps) * NPU_GROUP * l->element + kx % l->taps * l->element;
}

static bool is_zero(const struct layout *l, const u8 *tap)
{
	u8 any = 0;

	for (size_t i = 0; i < l->pieces && !any; i++, tap += l->step)
		for (size_t k = 0; k < l->bytes && !any; k++)
			any = tap[k];
	return !any;
}

static u32 groups_of(const struct npu_packed *s)
{
	return (s->key.shape.od + NPU_GROUP - 1) / NPU_GROUP;
}

static u32 divisor(u32 a, u32 b)
{
	while (b) {
		const u32 rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The largest distances that reach all taps which are not zero for all channels; the whole axis where none but the first one is. Of a kernel
 * without holes the first taps of its first group tell. */
static void find_distances(const struct npu_packed *s, const struct layout *l, u32 *y, u32 *x)
{
	*y = l->kh > 1 ? 0 : 1;
	*x = l->kw > 1 ? 0 : 1;
	for (u32 g = 0; g < groups_of(s); g++)
		for (u32 ky = 0; ky < l->kh; ky++)
			for (u32 kx = 0; kx < l->kw; kx++) {
				if (*y == 1 && *x == 1)
					return;
				if (is_zero(l, (const u8 *)s->weights + g * group_bytes(l) + offset_of(l, ky, kx)))
					continue;
				*y = divisor(*y, ky);
				*x = divisor(*x, kx);
			}
	*y = *y ? *y : l->kh;
	*x = *x ? *x : l->kw;
}

static u32 kept(u32 taps, u32 apart)
{
	return (taps - 1) / apart + 1;
}

/* Taps that are kept. */
struct choice {
	u32 y, x, apart_y, apart_x; /* the first, and from one to the next */
};

/* What is kept moves to the front of each group, and groups to the front of all. False: memory is short, nothing is done. */
static bool close_up(struct npu_packed *s, const struct layout *from, const struct choice *c)
{
	const struct layout to = layout_of(s, kept(from->kh - c->y, c->apart_y), kept(from->kw - c->x, c->apart_x));
	u8 *const group = malloc(group_bytes(from));

	for (u32 g = 0; group && g < groups_of(s); g++) {
		u8 *const at = (u8 *)s->weights + g * group_bytes(&to);
		memcpy(group, (const u8 *)s->weights + g * group_bytes(from), group_bytes(from));
		memset(at, 0, group_bytes(&to));
		for (u32 ky = 0; ky < to.kh; ky++)
			for (u32 kx = 0; kx < to.kw; kx++)
				for (size_t i = 0; i < to.pieces; i++)
					memcpy(at + offset_of(&to, ky, kx) + i * to.step,
					       group + offset_of(from, c->y + ky * c->apart_y, c->x + kx * c->apart_x) + i * to.step, to.bytes);
	}
	free(group);
	if (!group)
		return false;
	s->row = to.row;
	s->group_step = to.row * NPU_GROUP;
	s->kernel_h = to.kh;
	s->kernel_w = to.kw;
	return true;
}

/* The same of convolutions whose taps are no whole sets of weights. */
static bool close_up_parts(struct npu_packed *s, const struct layout *from, const struct choice *c)
{
	const size_t element = from->element, group = s->group_step * element, inputs = s->key.shape.id;
	const u32 kh = kept(from->kh - c->y, c->apart_y), kw = kept(from->kw - c->x, c->apart_x), taps = from->taps;
	const size_t row = round_up_to(kh * kw * inputs, taps);
	u8 *const plain = malloc(group);

	for (u32 g = 0; plain && g < groups_of(s); g++) {
		u8 *const at = (u8 *)s->weights + g * row * NPU_GROUP * element;
		memcpy(plain, (const u8 *)s->weights + g * group, group);
		memset(at, 0, row * NPU_GROUP * element);
		for (size_t k = 0; k < kh * kw * inputs; k++) {
			const size_t tap = k / inputs, y = c->y + tap / kw * c->apart_y, x = c->x + tap % kw * c->apart_x;
			for (u32 lane = 0; lane < NPU_GROUP; lane++)
				memcpy(at + element * npu_thin_place(taps, lane, k),
				       plain + element * npu_thin_place(taps, lane, (y * from->kw + x) * inputs + k % inputs), element);
		}
	}
	free(plain);
	if (!plain)
		return false;
	s->row = row;
	s->group_step = row * NPU_GROUP;
	s->kernel_h = kh;
	s->kernel_w = kw;
	return true;
}

/* Where taps are not whole sets of weights, or too few, a kernel stays as it is. */
static bool may_be_thin(const struct npu_packed *s)
{
	const struct npu_weights_shape *sh = &s->key.shape;

	return sh->depthwise ? sh->od > 1 && (sh->kh >= LEAST_DEPTHWISE || sh->kw >= LEAST_DEPTHWISE)
			     : sh->kh * sh->kw > 1 && sh->id % s->key.taps == 0;
}

/* Every second tap, which meets every element of the map. */
static bool keep_phase(struct npu_packed *s, const struct layout *all)
{
	const struct choice c = { (s->key.phase - 1) / 2, (s->key.phase - 1) % 2, 2, 2 };

	s->apart_y = s->apart_x = 1;
	return (s->key.shape.id % s->key.taps ? close_up_parts : close_up)(s, all, &c);
}

bool npu_thin_weights(struct npu_packed *s)
{
	const struct layout all = layout_of(s, s->key.shape.kh, s->key.shape.kw);
	struct choice c = { 0 };

	if (s->key.phase)
		return keep_phase(s, &all);
	if (!may_be_thin(s))
		return true;
	find_distances(s, &all, &c.apart_y, &c.apart_x);
	const bool pays = all.depthwise ? 2 * kept(all.kh, c.apart_y) * kept(all.kw, c.apart_x) < all.kh * all.kw : c.apart_y > 1 || c.apart_x > 1;
	if (pays && close_up(s, &all, &c)) {
		s->apart_y = c.apart_y;
		s->apart_x = c.apart_x;
	}
	return true;
}

void npu_thin_gather(const struct npu_packed *s, struct npu_gather *g)
{
	if (!s->kernel_h)
		return;
	g->kernel_h = s->kernel_h;
	g->kernel_w = s->kernel_w;
	g->dilation_h = (u8)(g->dilation_h * s->apart_y);
	g->dilation_w = (u8)(g->dilation_w * s->apart_x);
	g->row_runs = g->row_runs && (s->apart_x == 1 || g->kernel_w == 1);
}
