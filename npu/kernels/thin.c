/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/thin.h"

#include <string.h>

#include "npu/kernels/simd.h"

static u32 divisor(u32 a, u32 b)
{
	while (b) {
		const u32 rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Bytes of a tap's weights of a group. */
static size_t tap_bytes(const struct npu_packed *s)
{
	return (size_t)s->key.shape.id * NPU_GROUP * (s->key.taps == 4 ? sizeof(i8) : sizeof(i16));
}

static u8 *group_at(const struct npu_packed *s, u32 group, size_t step)
{
	return (u8 *)s->weights + group * step * (s->key.taps == 4 ? sizeof(i8) : sizeof(i16));
}

static bool is_zero(const u8 *p, size_t bytes)
{
	return p[0] == 0 && memcmp(p, p + 1, bytes - 1) == 0;
}

static u32 groups_of(const struct npu_packed *s)
{
	return (s->key.shape.od + NPU_GROUP - 1) / NPU_GROUP;
}

/* The largest distances that reach all taps which are not zero for all channels; 0: no tap but the first of an axis is. Of a kernel without
 * holes the first taps of its first group tell. */
static void find_distances(const struct npu_packed *s, u32 *y, u32 *x)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	const size_t bytes = tap_bytes(s);

	*y = sh->kh > 1 ? 0 : 1;
	*x = sh->kw > 1 ? 0 : 1;
	for (u32 g = 0; g < groups_of(s) && !(*y == 1 && *x == 1); g++) {
		const u8 *tap = group_at(s, g, s->group_step);
		for (u32 ky = 0; ky < sh->kh; ky++)
			for (u32 kx = 0; kx < sh->kw; kx++, tap += bytes) {
				if ((*y == 1 && *x == 1) || is_zero(tap, bytes))
					continue;
				*y = divisor(*y, ky);
				*x = divisor(*x, kx);
			}
	}
}

static u32 kept(u32 taps, u32 apart)
{
	return (taps - 1) / apart + 1;
}

/* What is kept moves to the front of each group, and groups to the front of all. */
static void close_up(struct npu_packed *s)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	const size_t bytes = tap_bytes(s), row = (size_t)kept(sh->kh, s->apart_y) * kept(sh->kw, s->apart_x) * sh->id;

	for (u32 g = 0; g < groups_of(s); g++) {
		const u8 *from = group_at(s, g, s->group_step);
		u8 *to = group_at(s, g, row * NPU_GROUP);
		for (u32 ky = 0; ky < sh->kh; ky += s->apart_y)
			for (u32 kx = 0; kx < sh->kw; kx += s->apart_x, to += bytes)
				memmove(to, from + ((size_t)ky * sh->kw + kx) * bytes, bytes);
	}
	s->row = row;
	s->group_step = row * NPU_GROUP;
}

void npu_thin_weights(struct npu_packed *s)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	u32 y = 1, x = 1;

	s->apart_y = s->apart_x = 1;
	if (sh->depthwise || sh->id % s->key.taps)
		return; /* taps are no whole sets of weights */
	find_distances(s, &y, &x);
	s->apart_y = y ? y : sh->kh;
	s->apart_x = x ? x : sh->kw;
	if (s->apart_y > 1 || s->apart_x > 1)
		close_up(s);
}

void npu_thin_gather(const struct npu_packed *s, struct npu_gather *g)
{
	if (s->apart_y <= 1 && s->apart_x <= 1)
		return;
	g->kernel_h = kept(g->kernel_h, s->apart_y);
	g->kernel_w = kept(g->kernel_w, s->apart_x);
	g->dilation_h = (u8)(g->dilation_h * s->apart_y);
	g->dilation_w = (u8)(g->dilation_w * s->apart_x);
	g->row_runs = g->row_runs && g->kernel_w == 1;
}
