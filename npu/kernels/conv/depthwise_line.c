/* SPDX-License-Identifier: Apache-2.0 */
/* Each output pixel is a product of rows of bytes. Lines of groups would take 16 channels for the one. */
#include "npu/kernels/conv/depthwise_line.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/move/copy.h"

enum { LEAST_TAPS = 16, MOST_TAPS = 32768 }; /* along a row: what pays; of a window: sums of int32 hold what bytes give */

struct line {
	const struct npu_mac *mac;
	const u8 *weights; /* [kernel_h][kernel_w] */
	i32 start;         /* of sums without padding */
	struct npu_products8 types;
	i64 step;   /* from the input of an output pixel to that of the next one */
	u32 run;    /* pixels at that step */
	bool words; /* results are int32 that `rescale`, the channel's in all lanes, makes of sums that are shifted left first; or products' low words */
	struct npu_rescale rescale;
};

bool npu_depthwise_is_line(const struct npu_mac *m)
{
	const struct npu_op *op = m->op;
	const struct npu_fm *ifm = &op->ifm;
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;

	return op->ofm.depth == 1 && ifm->bytes == 1 && ifm->stride_x == 1 && !ifm->tiled && !op->upscale && !padded && op->dilation_x == 1 &&
	       op->kernel_w >= LEAST_TAPS && (u32)op->kernel_h * op->kernel_w <= MOST_TAPS && !m->weights->wide && npu_gather_fits_u8(op);
}

/* The channel's weights out of the packed form, which has room for 16. */
static u8 *weights_of(const struct npu_mac *m, struct npu_kernels *k)
{
	const u32 height = m->op->kernel_h, width = m->op->kernel_w, taps = m->u8 ? 4 : 2, sets = (width + taps - 1) / taps, whole = width / taps;
	const size_t set = NPU_GROUP * taps, row = sets * set;
	const i16 *const halves = m->weights->weights;
	const u8 *const bytes = m->weights->weights;
	u8 *const to = npu_scratch(&k->lines, (size_t)height * width);

	for (u32 ky = 0; to && ky < height; ky++) {
		if (m->u8) {
			npu_copy_runs(to + ky * width, taps, bytes + ky * row, (i64)set, whole, taps);
			memcpy(to + ky * width + whole * taps, bytes + ky * row + whole * set, width % taps);
		} else {
			for (u32 x = 0; x < width; x++)
				to[ky * width + x] = (u8)halves[ky * row + x / 2 * set + x % 2];
		}
	}
	return to;
}

/* Sums of n pixels from the one whose window begins at `from`, a row of taps after the other. */
static void sums(const struct line *l, const u8 *from, u32 n, i32 *sum)
{
	const struct npu_op *op = l->mac->op;
	const bool joins = op->dilation_y * op->ifm.stride_y == (i64)op->kernel_w; /* rows are one */
	const u32 height = joins ? 1 : op->kernel_h, width = joins ? op->kernel_h * op->kernel_w : op->kernel_w;
	i32 part[NPU_BATCH];

	for (u32 p = 0; p < n; p++)
		sum[p] = l->start;
	for (u32 ky = 0; ky < height; ky++)
		for (u32 kx = 0, taps; kx < width; kx += taps) {
			taps = width - kx < NPU_DOTS ? width - kx : NPU_DOTS;
			l->mac->simd->dots8(&l->types, from + (i64)ky * op->dilation_y * op->ifm.stride_y + kx, l->step, n, l->weights + ky * width + kx, taps, part);
			for (u32 p = 0; p < n; p++)
				sum[p] = (i32)((u32)sum[p] + (u32)part[p]);
		}
}

/* Whether scaled sums are stored as they are. */
static bool are_words(const struct npu_mac *m)
{
	return !m->sink.raw && (m->sink.whole || (m->channels.fast && npu_sink_keeps32(m->op)));
}

static void fill_lanes(struct npu_rescale *all, const struct npu_rescale *one)
{
	*all = (struct npu_rescale){ .negative = one->negative };
	for (unsigned i = 0; i < NPU_GROUP; i++) {
		all->scale[i] = one->scale[0];
		all->shift[i] = one->shift[0];
		all->add[i % 2][i / 2] = one->add[0][0];
	}
}

/* The sink would look at 16 channels of each pixel. */
static void store_words(const struct line *l, i32 sum[NPU_BATCH], const struct npu_target *t)
{
	const struct npu_channels *c = &l->mac->channels;
	const u32 factor = l->mac->sink.whole ? (u32)c->whole[0] : UINT32_C(1) << c->left;

	for (unsigned i = 0; i < NPU_BATCH; i++)
		sum[i] = (i32)((u32)sum[i] * factor);
	if (!l->mac->sink.whole)
		l->mac->simd->rescale(sum, NPU_BATCH / NPU_GROUP, &l->rescale);
	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned p = 0; p < t->run[r].n; p++)
			memcpy(t->run[r].to + p * t->step, sum++, sizeof(*sum));
}

static void store(const struct line *l, i32 sum[NPU_BATCH], u32 n, const struct npu_target *t)
{
	NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];

	if (l->words) {
		store_words(l, sum, t);
		return;
	}
	memset(acc, 0, n * NPU_GROUP * sizeof(*acc));
	for (u32 p = 0; p < n; p++)
		acc[p * NPU_GROUP] = sum[p];
	npu_sink_store(&l->mac->sink, acc, t, 0);
}

static void run_lines(const struct line *l)
{
	const struct npu_op *op = l->mac->op;
	struct npu_place at = { 0, 0 };
	struct npu_target target;
	NPU_LINE i32 sum[NPU_BATCH] = { 0 };

	for (u64 left = (u64)op->ofm.height * op->ofm.width, n; left && !npu_given_up(l->mac->view); left -= n) {
		const u64 done = (u64)op->ofm.height * op->ofm.width - left;
		n = l->run - done % l->run < NPU_BATCH ? l->run - done % l->run : NPU_BATCH;
		sums(l, npu_fm_pixel(&op->ifm, l->mac->view->ifm, at.y * op->stride_y, at.x * op->stride_x), (u32)n, sum);
		npu_target_next(&target, op, l->mac->view, &at, (unsigned)n);
		store(l, sum, (u32)n, &target);
	}
}

bool npu_depthwise_line(const struct npu_mac *m, struct npu_kernels *k)
{
	const struct npu_op *op = m->op;
	const bool column = op->ofm.width == 1;
	i32 all = 0;
	struct line l = {
		.mac = m,
		.weights = weights_of(m, k),
		.types = { .zero_a = op->ifm.zero_point, .signed_a = op->ifm.is_signed, .signed_b = true },
		.step = column ? op->stride_y * op->ifm.stride_y : op->stride_x,
		.run = column ? op->ofm.height : op->ofm.width,
		.words = are_words(m),
	};

	if (!l.weights)
		return false;
	for (u32 i = 0; i < (u32)op->kernel_h * op->kernel_w; i++)
		all += (i8)l.weights[i];
	l.start = (i32)((u32)m->channels.start[0] + npu_mac_pad(m) * (u32)all);
	if (l.words && !m->sink.whole)
		fill_lanes(&l.rescale, m->channels.rescale);
	run_lines(&l);
	return true;
}
