/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and results of chains; see chain.h. */
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/u85/chain.h"

static void widen(const struct npu_fm *ifm, const u8 *from, u32 n, i16 *to)
{
	const i32 zero = ifm->zero_point;

	if (ifm->is_signed)
		for (u32 i = 0; i < n; i++)
			to[i] = (i16)((i8)from[i] - zero);
	else
		for (u32 i = 0; i < n; i++)
			to[i] = (i16)(from[i] - zero);
}

static const u8 *element_of(const struct npu85_chain_tap *t, u32 y, u32 x)
{
	return t->from + ((i64)y - t->top) * t->down + ((i64)x - t->left) * t->across;
}

/* One by one, where some have padding. */
static void gather_taps(const struct npu85_chain_tap *t, u32 taps, const struct npu_fm *ifm, struct npu_place at, i16 *to)
{
	for (u32 i = 0; i < taps; i++, t++, to += ifm->depth) {
		if (at.y >= t->top && at.y < t->bottom && at.x >= t->left && at.x < t->right)
			widen(ifm, element_of(t, at.y, at.x), ifm->depth, to);
		else
			memset(to, 0, ifm->depth * sizeof(*to));
	}
}

/* What a result is made of. */
static void gather(const struct npu85_chain_taps *all, const struct npu_fm *ifm, struct npu_place at, i16 *to)
{
	for (u32 i = 0; i < all->runs; i++) {
		const struct npu85_chain_run *const r = &all->run[i];
		if (at.y >= r->top && at.y < r->bottom && at.x >= r->left && at.x < r->right)
			widen(ifm, element_of(&all->tap[r->first], at.y, at.x), r->taps * ifm->depth, to);
		else
			gather_taps(&all->tap[r->first], r->taps, ifm, at, to);
		to += r->taps * ifm->depth;
	}
}

static struct npu_place next(struct npu_place at, u32 width)
{
	return at.x + 1 == width ? (struct npu_place){ at.y + 1, 0 } : (struct npu_place){ at.y, at.x + 1 };
}

/* Sums of a tile of results, one or two groups of channels from `group` on: acc[group][NPU_TILE][16]. */
static void multiply(const struct npu_simd *simd, const struct npu85_chain_taps *all, const i16 *panel, u32 pixels, u32 group, u32 groups, const i32 *bias, i32 *acc)
{
	const size_t step = all->row * NPU_GROUP;

	simd->gemm_i16(panel, all->row, false, pixels, all->weights + group * step, groups, step, bias, acc);
}

/* Sums of `channels` channels that go on from `start`, to where accumulators are kept. */
static void keep(const i32 *start, u32 pixels, u32 channels, u32 depth, i32 *restrict acc, i32 *restrict to)
{
	for (u32 p = 0; p < pixels; p++, acc += NPU_GROUP, to += depth) {
		for (u32 c = 0; start && c < channels; c++)
			acc[c] = (i32)((u32)acc[c] + (u32)start[c]);
		start += start ? depth : 0;
		memcpy(to, acc, channels * sizeof(*to));
	}
}

static void add(const i32 *restrict sums, u32 n, i32 *restrict to)
{
	for (u32 i = 0; i < n; i++)
		to[i] = (i32)((u32)to[i] + (u32)sums[i]);
}

struct tile {
	const struct npu_simd *simd;
	const struct npu85_chain *c;
	i16 *panel, *last;
	struct npu_target target;
	u32 pixels;
};

static void gather_tile(const struct tile *t, struct npu_place at)
{
	const struct npu85_chain *const c = t->c;

	for (u32 p = 0; p < t->pixels; p++, at = next(at, c->kept.width)) {
		gather(&c->sums, &c->op.ifm, at, t->panel + p * c->sums.row);
		if (c->stores)
			gather(&c->last, &c->op.ifm, at, t->last + p * c->last.row);
	}
}

static void sum_groups(const struct tile *t, u32 group, u32 groups, const i32 *start, i32 *to)
{
	static const i32 nothing[2 * NPU_GROUP];
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP];
	NPU_LINE i32 results[2 * NPU_TILE * NPU_GROUP];
	const struct npu85_chain *const c = t->c;
	const u32 depth = c->kept.depth;

	multiply(t->simd, &c->sums, t->panel, t->pixels, group, groups, nothing, acc);
	for (u32 i = 0, first = group * NPU_GROUP; i < groups; i++, first += NPU_GROUP)
		keep(start ? start + first : NULL, t->pixels, min_u32(NPU_GROUP, depth - first), depth, acc + i * NPU_TILE * NPU_GROUP, to + first);
	if (!c->stores)
		return;
	multiply(t->simd, &c->last, t->last, t->pixels, group, groups, c->mac.channels.start + group * NPU_GROUP, results);
	for (u32 i = 0, at = 0; i < groups; i++, at += NPU_TILE * NPU_GROUP) {
		add(acc + at, t->pixels * NPU_GROUP, results + at);
		npu_sink_store(&c->mac.sink, results + at, &t->target, group + i);
	}
}

void npu85_chain_pixels(struct npu_kernels *k, const struct npu85_chain *c, const i32 *start, i32 *to)
{
	const u32 depth = c->kept.depth, pixels = c->kept.height * c->kept.width, groups = (u32)div_up(depth, NPU_GROUP);
	struct tile t = { .simd = k->simd, .c = c, .panel = k->panel.data, .last = (i16 *)k->panel.data + c->sums.row * NPU_TILE + NPU_PANEL_SLACK };
	struct npu_place at = { 0, 0 }, place = at;

	for (u32 done = 0; done < pixels && !npu_given_up(&c->view); done += t.pixels) {
		t.pixels = min_u32(pixels - done, NPU_TILE);
		gather_tile(&t, at);
		if (c->stores)
			npu_target_next(&t.target, &c->op, &c->view, &place, t.pixels);
		at = (struct npu_place){ (done + t.pixels) / c->kept.width, (done + t.pixels) % c->kept.width };
		for (u32 g = 0; g < groups; g += 2)
			sum_groups(&t, g, min_u32(2, groups - g), start ? start + (size_t)done * depth : NULL, to + (size_t)done * depth);
	}
}
