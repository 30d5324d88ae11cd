/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwises of whole groups of channels whose weights are all the same, over whole rows; see even.h. */
#include "npu/kernels/conv/even.h"

#include <string.h>

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/fm.h"

enum {
	LEAST_TAPS = 4,
	MOST_TAPS = 1 << 23, /* sums of bytes have 32 bits */
	SET = NPU_GROUP * 4, /* bytes of a group's weights for one set of taps */
};

struct means {
	struct npu_mac mac;
	unsigned parts;
};

/* Results of up to two groups that are waiting to be stored. */
struct pending {
	struct npu_place at;
	u32 n;
	NPU_LINE i32 acc[2][NPU_BATCH * NPU_GROUP];
};

/* A group's constants: of sums of elements as they are stored. */
struct group {
	i32 start[NPU_GROUP], weight[NPU_GROUP];
};

/* One window for a row of results, and as many as there are without overlap. */
static bool may_be_means(const struct npu_kernels *k, const struct npu_op *op)
{
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;
	const u64 taps = (u64)op->kernel_h * op->kernel_w;

	return k->simd->pixel_sums && op->ifm.bytes == 1 && op->ifm.depth >= NPU_GROUP && op->ifm.depth == op->ofm.depth &&
	       (op->ifm.depth % NPU_GROUP == 0 || op->ifm.format == NPU_NHWC) && !op->upscale && !padded && !op->phase && !op->abreast.pixels &&
	       op->dilation_x == 1 && op->dilation_y == 1 && !npu_fm_splits_rows(&op->ifm) && !op->ifm.tiled && op->ofm.width == 1 && op->ofm.height &&
	       taps >= LEAST_TAPS && taps <= MOST_TAPS && op->kernel_w <= op->ifm.width && (op->ofm.height == 1 || op->stride_y == op->kernel_h) &&
	       (u64)op->ofm.height * op->kernel_h <= op->ifm.height;
}

static const u8 *weights_of(const struct npu_packed *w, u32 group)
{
	return (const u8 *)w->weights + (size_t)group * w->group_step * (4 / w->key.taps);
}

/* `n` taps of a group that are all as the first. */
static void even_set(u8 to[SET], const u8 *first, u32 taps, u32 n)
{
	const size_t bytes = 4 / taps;

	memset(to, 0, SET);
	for (unsigned c = 0; c < NPU_GROUP; c++)
		for (u32 i = 0; i < n; i++)
			memcpy(to + (c * taps + i) * bytes, first + (size_t)c * 4, bytes);
}

/* Lines of a kernel are whole sets of taps, the last ones zero. */
static bool group_is_even(const struct npu_packed *w, u32 group)
{
	const u32 taps = w->key.taps, rest = w->key.shape.kw % taps;
	const u8 *at = weights_of(w, group);
	u8 whole[SET], last[SET];

	even_set(whole, at, taps, taps);
	even_set(last, at, taps, rest);
	for (u32 y = 0; y < w->key.shape.kh; y++) {
		for (u32 x = 0; x < w->key.shape.kw / taps; x++, at += SET)
			if (memcmp(at, whole, SET) != 0)
				return false;
		if (rest && memcmp(at, last, SET) != 0)
			return false;
		at += rest ? SET : 0;
	}
	return true;
}

static bool are_even(const struct npu_mac *m)
{
	bool even = !m->weights->kernel_h; /* nothing has been left out of the kernel */

	for (u32 g = 0; even && g < m->channels.groups; g++)
		even = group_is_even(m->weights, g);
	return even;
}

static void take_constants(const struct npu_mac *m, u32 group, struct group *c)
{
	const struct npu_op *op = m->op;
	const u32 less = op->kernel_h * op->kernel_w * (npu_mac_pad(m) - (u32)op->ifm.zero_point);
	const u8 *const weights = weights_of(m->weights, group);

	for (unsigned i = 0; i < NPU_GROUP; i++) {
		i16 half;
		memcpy(&half, weights + 4 * i, sizeof(half));
		c->weight[i] = m->weights->key.taps == 4 ? ((const i8 *)weights)[4 * i] : half;
		c->start[i] = (i32)((u32)m->channels.start[group * NPU_GROUP + i] + less * (u32)c->weight[i]);
	}
}

static void flush(const struct npu_mac *m, u32 group, u32 groups, struct pending *p)
{
	struct npu_target target;

	npu_target_next(&target, m->op, m->view, &p->at, p->n);
	for (u32 i = 0; i < groups; i++)
		npu_sink_store(&m->sink, p->acc[i], &target, group + i);
	p->n = 0;
}

static void put(const struct group *c, const i32 *sum, u32 channels, i32 acc[NPU_GROUP])
{
	for (u32 i = 0; i < NPU_GROUP; i++)
		acc[i] = i < channels ? (i32)((u32)c->start[i] + (u32)c->weight[i] * (u32)sum[i]) : 0;
}

/* One group, or two whose channels lie side by side. The last channels are read with those before them. */
static void run_groups(const struct npu_mac *m, u32 group, u32 groups)
{
	const struct npu_op *op = m->op;
	const struct npu_fm *ifm = &op->ifm;
	const u32 left = ifm->depth - group * NPU_GROUP, more = left < NPU_GROUP ? NPU_GROUP - left : 0;
	const i64 offset = group * npu_fm_stride_group(ifm) - (i64)more;
	struct npu_pixel_sums s = { .wide = groups == 2, .is_signed = ifm->is_signed, .down = ifm->stride_y, .along = ifm->stride_x, .rows = op->kernel_h,
				    .pixels = op->kernel_w };
	NPU_LINE i32 sum[3 * NPU_GROUP] = { 0 }; /* the third for those that are not there */
	struct pending p = { .n = 0 };
	struct group constants[2];

	for (u32 i = 0; i < groups; i++)
		take_constants(m, group + i, &constants[i]);
	for (u32 y = 0; y < op->ofm.height && !npu_given_up(m->view); y++) {
		s.from = npu_fm_pixel(ifm, m->view->ifm, y * op->stride_y, 0) + offset;
		m->simd->pixel_sums(&s, sum);
		for (u32 i = 0; i < groups; i++)
			put(&constants[i], sum + i * NPU_GROUP + more, left, p.acc[i] + p.n * NPU_GROUP);
		if (++p.n == NPU_BATCH)
			flush(m, group, groups, &p);
	}
	if (p.n)
		flush(m, group, groups, &p);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct means *const e = ctx;
	const struct npu_fm *ifm = &e->mac.op->ifm;
	const bool beside = npu_fm_stride_group(ifm) == NPU_GROUP;
	const u32 groups = e->mac.channels.groups, whole = ifm->depth / NPU_GROUP, end = groups * (part + 1) / e->parts;

	(void)place;
	for (u32 g = groups * part / e->parts, n; g < end; g += n) {
		n = beside && g + 2 <= end && g + 2 <= whole ? 2 : 1;
		run_groups(&e->mac, g, n);
	}
}

static void run(struct means *e, struct npu_kernels *k)
{
	const struct npu_op *op = e->mac.op;
	const unsigned parts = npu_team_parts(k->team, (u64)op->ofm.height * op->kernel_h * op->kernel_w * op->ofm.depth);

	e->parts = parts < e->mac.channels.groups ? parts : e->mac.channels.groups;
	npu_team_run(k->team, e->parts, run_part, e);
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct means *e = room;
	const bool same = npu_mac_again(&e->mac, k);

	if (same)
		run(e, k);
	return same;
}

bool npu_fast_means(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct means own;

	if (!may_be_means(k, op) || !npu_mac_init(&own.mac, k, op, view) || !npu_mac_fits_32(&own.mac) || !are_even(&own.mac))
		return false;
	struct means *const room = npu_again_room(k, sizeof(*room)), *const e = room ? room : &own;
	e->mac = own.mac;
	npu_mac_start(&e->mac, k);
	run(e, k);
	if (npu_mac_lasts(&e->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
