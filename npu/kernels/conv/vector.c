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

static void multiply(const struct vector *v, const struct npu_layer8 *l, u32 first)
{
	u8 *const to = v->to + first * NPU_GROUP * v->mac.op->ofm.bytes;

	if (v->mac.split)
		v->mac.simd->vector_split(l, v->input, to);
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
	l.weights = (const i8 *)l.weights + first * l.group_step * v->element;
	l.start += first * NPU_GROUP;
	if (l.high)
		l.high += first * NPU_GROUP;
	l.rescale += first;
	l.depth = (end * NPU_GROUP < l.depth ? end * NPU_GROUP : l.depth) - first * NPU_GROUP;
	multiply(v, &l, first);
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
	}
}

static bool run(struct vector *v, struct npu_kernels *k)
{
	v->input = npu_scratch(&k->panel, (v->layer.row + NPU_PANEL_SLACK) * sizeof(i16));
	if (!v->input)
		return false;
	v->to = v->mac.view->ofm[0]; /* U85's buffers move */
	fill_panel(v);
	if (v->parts > 1)
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
	if (m->split)
		return m->simd->vector_split;
	if (!npu_sink_is_layer(&m->sink))
		return false;
	return m->u8 ? m->simd->vector_u8 && (m->simd->vector_input || estimates(m)) : m->simd->vector_i16 != NULL;
}

bool npu_vector_of_bytes(const struct npu_simd *simd, const struct npu_op *op)
{
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return simd->vector_input && op->kind == NPU_CONV && op->kernel_h == 1 && op->kernel_w == 1 && !padded && !op->upscale && op->ofm.bytes == 1 &&
	       !op->abreast.pixels && !op->u85.weights_ifm2 && npu_gather_fits_u8(op) && npu_is_vector(&op->ifm) && npu_is_vector(&op->ofm);
}

bool npu_fast_vector(struct npu_kernels *k, const struct npu_mac *m)
{
	const struct npu_op *op = m->op;

	if (!has_function(m) || !m->gather.pointwise || !npu_is_vector(&op->ifm) || !npu_is_vector(&op->ofm) || m->sink.whole)
		return false;
	struct vector *const room = npu_again_room(k, sizeof(*room)), own, *const v = room ? room : &own;
	v->mac = *m;
	v->mac.sink.channels = &v->mac.channels;
	if (v->mac.sink.narrow.table)
		v->mac.sink.narrow.table = v->mac.sink.table;
	v->layer = npu_mac_layer(&v->mac);
	v->element = m->u8 || m->split ? sizeof(i8) : sizeof(i16);
	const unsigned parts = npu_team_parts(k->team, v->layer.depth * (u64)v->layer.row);
	v->parts = parts < m->channels.groups ? parts : m->channels.groups;
	if (!run(v, k))
		return false;
	if (npu_mac_lasts(&v->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
