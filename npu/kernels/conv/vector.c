/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of one output pixel to as many bytes an element as they come from, which networks of fully connected and recurrent layers consist of:
 * there is nothing to gather, and results lie side by side, so that not much is left beside reading the weights. */
#include "npu/kernels/conv/vector.h"

#include <string.h>

#include "npu/kernels/conv/gather.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"

struct vector {
	struct npu_mac mac;
	struct npu_layer8 layer;
	u8 *input, *to; /* the first in a panel */
	struct npu_target pixel; /* `mixed`: the output's, and whether sums have more than 32 bits, or become int16 without the sink */
	bool wide, words;
	unsigned element; /* bytes of a weight */
	unsigned parts; /* of the channels, that threads share */
};

bool npu_is_vector(const struct npu_fm *fm)
{
	return fm->height == 1 && fm->width == 1 && !fm->tiled && (fm->depth <= NPU_GROUP || npu_fm_stride_group(fm) == NPU_GROUP * fm->bytes);
}

/* All groups' sums become bytes by an estimate of one kind. */
static bool estimates(const struct npu_mac *m)
{
	for (u32 g = 0; g < m->channels.groups; g++)
		if (!npu_estimates(&m->channels.rescale[g], &m->sink.narrow) || m->channels.rescale[g].negative != m->channels.rescale[0].negative)
			return false;
	return true;
}

/* A group's sums of int16 that may not have 32 bits: of their low and of their high bytes. */
static void multiply_wide(const struct vector *v, const i8 *weights, u32 group, const struct npu_target *to)
{
	const i64 *const bias = v->mac.channels.bias + group * NPU_GROUP;
	NPU_LINE i32 sums[2][NPU_GROUP];
	NPU_LINE i64 acc[NPU_GROUP];

	v->mac.simd->vector_mixed((const i16 *)(const void *)v->input, true, v->layer.row, weights, 0, sums[0]);
	for (unsigned c = 0; c < NPU_GROUP; c++)
		acc[c] = bias[c] + sums[0][c] + sums[1][c] * INT64_C(256);
	npu_sink_store_wide(&v->mac.sink, acc, to, group);
}

/* Those of two groups, or of the last one and itself. */
static void multiply_two(const struct vector *v, const i8 *weights, u32 group, u32 groups, const struct npu_target *to)
{
	const i32 *const start = v->mac.channels.start + group * NPU_GROUP;
	NPU_LINE i32 sums[2][NPU_GROUP];

	v->mac.simd->vector_mixed((const i16 *)(const void *)v->input, false, v->layer.row, weights, groups > 1 ? v->layer.group_step : 0, sums[0]);
	for (unsigned g = 0; g < 2 && g < groups; g++) {
		for (unsigned c = 0; c < NPU_GROUP; c++)
			sums[g][c] = (i32)((u32)sums[g][c] + (u32)start[g * NPU_GROUP + c]);
		npu_sink_store(&v->mac.sink, sums[g], to, group + g);
	}
}

static void multiply_mixed(const struct vector *v, u32 first, u32 end)
{
	const i8 *const weights = v->layer.weights;
	const u32 step = v->wide ? 1 : 2;

	for (u32 g = first; g < end; g += step) {
		const i8 *const own = weights + g * v->layer.group_step;
		if (v->wide)
			multiply_wide(v, own, g, &v->pixel);
		else
			multiply_two(v, own, g, end - g, &v->pixel);
	}
}

static void multiply(const struct vector *v, const struct npu_layer8 *l, u32 first)
{
	u8 *const to = v->to + first * NPU_GROUP * v->mac.op->ofm.bytes;

	if (v->mac.split)
		v->mac.simd->vector_split(l, v->input, to);
	else if (v->words)
		v->mac.simd->vector_mixed_words(l, (const i16 *)(const void *)v->input, to);
	else if (v->mac.u8)
		v->mac.simd->vector_u8(l, v->input, to);
	else
		v->mac.simd->vector_i16(l, (const i16 *)(const void *)v->input, to);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct vector *v = ctx;
	const u32 groups = v->mac.channels.groups, first = groups * part / v->parts, end = groups * (part + 1) / v->parts;
	struct npu_layer8 l = v->layer;

	(void)place;
	if (v->mac.mixed && !v->words) {
		multiply_mixed(v, first, end);
		return;
	}
	l.weights = (const i8 *)l.weights + first * l.group_step * v->element;
	l.start += first * NPU_GROUP;
	if (l.high)
		l.high += first * NPU_GROUP;
	l.rescale += first;
	l.depth = (end * NPU_GROUP < l.depth ? end * NPU_GROUP : l.depth) - first * NPU_GROUP;
	multiply(v, &l, first);
}

/* Low bytes of n elements in their places, high ones behind all. */
static void take_bytes(i16 *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		x[n + i] = x[i] >> 8;
		x[i] &= 255;
	}
}

/* The pixel's channels as the level multiplies them. */
static void fill_panel(const struct vector *v)
{
	const struct npu_gather *g = &v->mac.gather;

	if (v->mac.split) {
		memcpy(v->input, g->tile[0], g->depth * sizeof(i16));
		v->mac.simd->split_words(v->input, v->layer.row * sizeof(i16));
	} else if (v->mac.u8 && v->mac.simd->vector_input) {
		v->mac.simd->vector_input(v->input, g->tile[0], g->depth, v->layer.row, g->flip);
	} else if (v->mac.u8) {
		v->mac.simd->flip_bytes(v->input, g->tile[0], g->depth, g->flip);
	} else {
		struct npu_gather near = *g;
		near.pointwise = false; /* side by side, not in bricks */
		v->mac.simd->gather_i16(&near, (struct npu_place){ 0, 0 }, 1, (i16 *)(void *)v->input);
		if (v->wide)
			take_bytes((i16 *)(void *)v->input, v->layer.row);
	}
}

static bool run(struct vector *v, struct npu_kernels *k)
{
	struct npu_place at = { 0, 0 };

	v->input = npu_scratch(&k->panel, (2 * v->layer.row + NPU_PANEL_SLACK) * sizeof(i16));
	if (!v->input)
		return false;
	if (v->mac.mixed && !v->words)
		npu_target_next(&v->pixel, v->mac.op, v->mac.view, &at, 1);
	v->to = v->mac.view->ofm[0]; /* U85's buffers move */
	fill_panel(v);
	if (v->parts > 1 || (v->mac.mixed && !v->words))
		npu_team_run(k->team, v->parts, run_part, v);
	else
		multiply(v, &v->layer, 0);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct vector *v = room;

	return npu_mac_again(&v->mac, k) && run(v, k);
}

/* Whether the level has a function for it. */
static bool has_function(const struct npu_mac *m)
{
	if (m->mixed)
		return npu_mac_fits_32(m) || npu_mac_is_wide(m);
	if (m->split)
		return m->simd->vector_split;
	if (!npu_sink_is_layer(&m->sink))
		return false;
	return m->u8 ? m->simd->vector_u8 && (m->simd->vector_input || estimates(m)) : m->simd->vector_i16 != NULL;
}

/* Weights times one pixel, as far as the types are not asked. */
static bool is_matrix(const struct npu_op *op)
{
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return op->kind == NPU_CONV && op->kernel_h == 1 && op->kernel_w == 1 && !padded && !op->upscale && !op->abreast.pixels && !op->u85.weights_ifm2 &&
	       npu_is_vector(&op->ifm) && npu_is_vector(&op->ofm);
}

bool npu_vector_of_bytes(const struct npu_simd *simd, const struct npu_op *op)
{
	return simd->vector_input && is_matrix(op) && op->ofm.bytes == 1 && npu_gather_fits_u8(op);
}

bool npu_vector_is_mixed(const struct npu_simd *simd, const struct npu_op *op)
{
	return simd->vector_mixed && is_matrix(op) && op->ifm.bytes == 2 && npu_gather_fits_i16(op);
}

/* Nothing but scaling and narrowing to int16 is left to do with sums. */
static bool becomes_words(const struct npu_sink *s)
{
	return s->narrow16_valid && !s->raw && !s->unscaled && !s->whole && !s->pieces && s->channels->fast && !s->channels->left;
}

bool npu_fast_vector(struct npu_kernels *k, const struct npu_mac *m)
{
	const struct npu_op *op = m->op;

	if (!has_function(m) || !m->gather.pointwise || !npu_is_vector(&op->ifm) || !npu_is_vector(&op->ofm) || (m->sink.whole && !m->mixed))
		return false;
	struct vector *const room = npu_again_room(k, sizeof(*room)), own, *const v = room ? room : &own;
	v->mac = *m;
	v->mac.sink.channels = &v->mac.channels;
	if (v->mac.sink.narrow.table)
		v->mac.sink.narrow.table = v->mac.sink.table;
	v->layer = npu_mac_layer(&v->mac);
	v->element = m->weights->key.taps == 4 ? sizeof(i8) : sizeof(i16);
	v->wide = m->mixed && !npu_mac_fits_32(m);
	v->words = m->mixed && !v->wide && becomes_words(&v->mac.sink);
	const unsigned parts = npu_team_parts(k->team, v->layer.depth * (u64)v->layer.row);
	v->parts = parts < m->channels.groups ? parts : m->channels.groups;
	if (!run(v, k))
		return false;
	if (npu_mac_lasts(&v->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
