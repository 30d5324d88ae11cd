/* SPDX-License-Identifier: Apache-2.0 */
/* Products of two maps of int16 to int16, on levels that have word_products: the second map is packed, the first one read where it lies, and nothing is stored in
 * between. */
#include "npu/integer.h"
#include "npu/kernels/conv/sink.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"
#include "npu/kernels/u85/dynamic.h"
#include "npu/kernels/u85/job.h"
#include "npu/kernels/u85/rounding.h"

enum { TILE = 48 }; /* pixels whose elements stay in the first cache, as long as a group of channels is multiplied with them */

struct products {
	struct npu85_job *job;
	struct npu_word_products o;
	const i16 *weights;
	u32 height, width;
	bool by_channels; /* threads share these, not pixels */
	unsigned parts;
};

static bool is_plain(const struct npu_fm *fm)
{
	return fm->bytes == sizeof(i16) && fm->is_signed && !fm->zero_point && !fm->tiled;
}

static bool fits(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return j->k->simd->word_products && op->kind == NPU_CONV && op->u85.weights_ifm2 && op->u85.acc48 && op->kernel_h == 1 && op->kernel_w == 1 &&
	       op->stride_y == 1 && op->stride_x == 1 && !padded && !op->upscale && !op->per_channel && op->u85.acc_input == NPU85_ACC_RESET &&
	       !op->u85.acc_output_off && is_plain(&op->ifm) && is_plain(&op->ifm2) && !op->ofm.tiled && (u64)op->ofm.height * op->ofm.width <= INT32_MAX && npu_sink_narrows16(op) &&
	       op->ifm.depth <= NPU_WORD_DEPTH;
}

/* Upper words of sums times the scale have 30 bits, whatever the sums. */
static bool set_scale(struct npu_word_products *o, struct npu85_scale s)
{
	const unsigned up = s.shift < 32 ? 32 - s.shift : 0;
	const u64 scale = (u64)s.scale << up;

	if (s.shift > NPU85_SHIFT_LIMIT || o->depth * scale > UINT64_C(1) << 32 || scale > INT32_MAX)
		return false;
	const struct npu85_rounding r = npu85_rounding_of(s);
	o->scale = (i32)scale;
	o->add = r.plus << up;
	o->shift = up ? 0 : (u8)(s.shift - 32);
	return r.plus == r.minus;
}

static void set_maps(struct products *d)
{
	const struct npu_op *op = &d->job->op;
	const struct npu_fm *const ifm = &op->ifm, *const ofm = &op->ofm;
	const bool rows = ofm->height == 1 || (ifm->stride_y == ifm->stride_x * ofm->width && ofm->stride_y == ofm->stride_x * ofm->width);

	d->height = rows ? 1 : ofm->height;
	d->width = rows ? ofm->height * ofm->width : ofm->width;
	d->o.step = ifm->stride_x;
	d->o.group = npu_fm_stride_group(ifm);
	d->o.step_to = ofm->stride_x;
	d->o.group_to = npu_fm_stride_group(ofm);
	d->o.channels = ofm->depth;
	d->o.narrow = (struct npu_narrow16){ ofm->zero_point, op->lo, op->hi };
}

/* Pixels from `at` to `end`, counted along rows, by the channels of `o`; the first one's results go `offset` bytes behind a pixel's. */
static void multiply(const struct products *d, const struct npu_word_products *o, const i16 *weights, i64 offset, u32 at, u32 end)
{
	const struct npu_op *op = &d->job->op;
	const struct npu_view *view = &d->job->view;

	for (u32 n; at < end && !npu_given_up(view); at += n) {
		const u32 y = at / d->width, x = at % d->width;
		n = min_u32(min_u32(end - at, d->width - x), TILE);
		d->job->k->simd->word_products(o, view->ifm[0] + y * op->ifm.stride_y + x * o->step, n, weights, view->ofm[0] + y * op->ofm.stride_y + x * o->step_to + offset);
	}
}

static u32 share(u32 all, unsigned part, unsigned parts)
{
	return (u32)((u64)all * part / parts);
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct products *d = ctx;
	const u32 pixels = d->height * d->width, groups = (d->o.channels + NPU_GROUP - 1) / NPU_GROUP;
	struct npu_word_products o = d->o;

	(void)place;
	if (!d->by_channels) {
		multiply(d, &o, d->weights, 0, share(pixels, part, d->parts), share(pixels, part + 1, d->parts));
		return;
	}
	const u32 first = share(groups, part, d->parts), end = share(groups, part + 1, d->parts);
	o.channels = min_u32(end * NPU_GROUP, o.channels) - first * NPU_GROUP;
	multiply(d, &o, d->weights + first * npu_word_weights(o.depth), first * o.group_to, 0, pixels);
}

/* False: memory is short, or the second map has two of the lowest number side by side, whose products may have 33 bits. */
static bool run(struct products *d)
{
	struct npu_kernels *const k = d->job->k;
	const size_t groups = (d->o.channels + NPU_GROUP - 1) / NPU_GROUP;
	i16 *const weights = npu_scratch(&k->dynamic, groups * npu_word_weights(d->o.depth) * sizeof(i16));
	struct npu_word_rows rows;

	if (!weights || !npu85_word_rows(&rows, &d->job->op, &d->job->view) || !k->simd->pack_words(&rows, weights))
		return false;
	d->weights = weights;
	npu_team_run(k->team, d->parts, run_part, d);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	(void)k;
	return run(room);
}

static void choose_parts(struct products *d)
{
	const u64 pixels = (u64)d->height * d->width, products = pixels * d->o.depth * d->o.channels;
	const u32 groups = (d->o.channels + NPU_GROUP - 1) / NPU_GROUP;
	const unsigned parts = npu_team_parts(d->job->k->team, 2 * products); /* each takes as long as two of bytes */

	d->by_channels = pixels < d->o.channels;
	d->parts = min_u32(parts, d->by_channels ? groups : (u32)pixels);
}

bool npu85_fast_products(struct npu85_job *j)
{
	struct npu_word_products o = { .depth = j->op.ifm.depth };

	if (!fits(j) || !set_scale(&o, j->op.u85.ofm_scale))
		return false;
	struct products *const room = npu_again_room(j->k, sizeof(*room)), own, *const d = room ? room : &own;
	d->job = j;
	d->o = o;
	set_maps(d);
	choose_parts(d);
	if (!run(d))
		return false;
	npu_again_keep(j->k, room, run_again);
	return true;
}
