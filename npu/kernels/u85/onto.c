/* SPDX-License-Identifier: Apache-2.0 */
/* Single taps of few channels onto accumulators that wait, as Vela cuts kernels whose strides exceed three: what a result takes is hardly more than
 * reading its accumulator and writing it, in one step. */
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/conv/mac.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/job.h"

enum { MOST_CHANNELS = 4 };

struct onto {
	struct npu_mac mac;
	struct npu85_job *job;
	const i32 *weights; /* of each input channel those of all results */
	u32 depth;          /* of these, up to whole groups */
};

static bool fits(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;

	return op->kind == NPU_CONV && op->u85.acc_output_off && j->start && !op->u85.acc48 && !op->u85.weights_ifm2 && op->kernel_h == 1 && op->kernel_w == 1 &&
	       !op->upscale && op->ifm.depth <= MOST_CHANNELS && op->ifm.bytes <= sizeof(i16) && !op->ifm.tiled;
}

static i32 weight_of(const struct npu_mac *m, u32 channel, u32 k)
{
	const size_t at = channel / NPU_GROUP * m->weights->group_step + npu_thin_place(m->weights->key.taps, channel % NPU_GROUP, k);

	return m->weights->key.taps == 4 ? ((const i8 *)m->weights->weights)[at] : ((const i16 *)m->weights->weights)[at];
}

static void fill_weights(struct onto *o, i32 *to)
{
	for (u32 k = 0; k < o->mac.op->ifm.depth; k++)
		for (u32 c = 0; c < o->depth; c++)
			*to++ = c < o->mac.op->ofm.depth ? weight_of(&o->mac, c, k) : 0;
}

static i32 element_of(const struct npu_fm *fm, const u8 *p)
{
	i16 v;

	if (fm->bytes == 1)
		return (fm->is_signed ? (i8)*p : *p) - fm->zero_point;
	memcpy(&v, p, sizeof(v));
	return (fm->is_signed ? v : (u16)v) - fm->zero_point;
}

/* As all may lie at the same place for the compiler, each loop has what it looks at for itself. */
static void add_pixel(const struct onto *o, const u8 *p, const i32 *restrict start, u32 n, i32 *restrict to)
{
	const struct npu_fm *const ifm = &o->mac.op->ifm;
	const i32 *w = o->weights;
	const u32 first = (u32)element_of(ifm, p);

	for (u32 c = 0; c < n; c++)
		to[c] = (i32)((u32)start[c] + first * (u32)w[c]);
	for (u32 k = 1; k < ifm->depth; k++) {
		const u32 x = (u32)element_of(ifm, p += ifm->bytes);
		w += o->depth;
		for (u32 c = 0; c < n; c++)
			to[c] = (i32)((u32)to[c] + x * (u32)w[c]);
	}
}

static bool run(const struct onto *o)
{
	const struct npu_op *op = o->mac.op;
	const struct npu_fm *const ifm = &op->ifm;
	const u32 n = op->ofm.depth;
	const i32 *start = o->job->start;
	i32 *to = (void *)npu85_job_packed(o->job);

	if (!to)
		return false;
	for (u32 oy = 0; oy < op->ofm.height && !npu_given_up(o->mac.view); oy++)
		for (u32 ox = 0; ox < op->ofm.width; ox++, start += n, to += n) {
			const u32 y = oy * op->stride_y - op->pad_top, x = ox * op->stride_x - op->pad_left; /* beyond the map where they are below 0, too */
			if (y < ifm->height && x < ifm->width)
				add_pixel(o, npu_fm_pixel(ifm, o->mac.view->ifm, y, x), start, n, to);
			else
				memcpy(to, start, n * sizeof(*to));
		}
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct onto *o = room;

	return npu_mac_again(&o->mac, k) && run(o);
}

bool npu85_fast_onto(struct npu85_job *j)
{
	struct npu_kernels *const k = j->k;
	struct onto own = { .job = j }, *o = &own;

	if (!fits(j) || !npu_mac_init(&own.mac, k, &j->op, &j->view))
		return false;
	own.depth = round_up_to(j->op.ofm.depth, NPU_GROUP);
	const size_t bytes = j->op.ifm.depth * (size_t)own.depth * sizeof(i32);
	struct onto *const room = npu_again_room(k, sizeof(*o) + bytes);
	i32 *const weights = room ? (i32 *)(void *)(room + 1) : npu_scratch(&k->panel, bytes);
	if (!weights)
		return false;
	if (room)
		*(o = room) = own;
	npu_mac_start(&o->mac, k);
	fill_weights(o, weights);
	o->weights = weights;
	if (!run(o))
		return false;
	if (npu_mac_lasts(&o->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
