/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/shifted.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/conv/shifted_lines.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/team.h"

enum {
	LEAST_RESULTS = 64,
	MOST_INPUTS = 16, LEAST_ROW = 16,
	MOST_WEIGHTS = 128 << 10, /* bytes, of convolutions */
};

/* ---- results ---- */

static u8 *row_to(const struct shifted_lines *l, u32 y, u32 row)
{
	const struct shifted *const f = l->f;

	return f->direct ? (u8 *)npu_fm_pixel(&f->mac.op->ofm, (const u8 *const *)f->mac.view->ofm, y + row, 0) : l->results + row * npu_shifted_result_bytes(f);
}

/* Sums of n groups of a line, of each output; its pixels' lie side by side. */
static void multiply(const struct shifted *f, const u8 *const *term, u32 n, i32 *acc)
{
	NPU_LINE i32 plane[NPU_BATCH * NPU_GROUP];
	const u32 step = f->spread;

	for (u32 o = 0; o < f->outputs; o++) {
		f->mac.simd->depthwise_i16(term, f->terms, 1, 0, n, f->weights + (size_t)o * f->terms * 2 * NPU_GROUP, f->start[o], step > 1 ? plane : acc);
		for (u32 i = 0; step > 1 && i < n * NPU_GROUP; i++)
			acc[i * step + o] = plane[i];
	}
}

/* Rows whose terms are there; these move on. */
static void run_rows(const struct shifted_lines *l, const u8 **term, u32 y, u32 rows)
{
	const struct shifted *const f = l->f;
	const u32 most = NPU_BATCH / f->spread;
	NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
	struct npu_target t;

	if (f->outputs < f->spread)
		memset(acc, 0, sizeof(acc));
	t.step = f->wide.ofm.stride_x;
	t.runs = rows;
	for (u32 x = 0, n; x < f->groups; x += n) {
		for (u32 i = 0; x && i < rows * f->terms; i++)
			term[i] += most * NPU_GROUP * NPU_PAIR;
		n = f->groups - x < most ? f->groups - x : most;
		for (u32 r = 0; r < rows; r++) {
			multiply(f, term + r * f->terms, n, acc + r * n * f->spread * NPU_GROUP);
			t.run[r] = (struct npu_run){ row_to(l, y, r) + x * f->spread * t.step, n * f->spread };
		}
		npu_sink_store(&f->sink, acc, &t, 0);
	}
}

static void put_row(const struct shifted_lines *l, u32 y, u32 row)
{
	const struct npu_fm *const ofm = &l->f->mac.op->ofm;
	const size_t pixel = (size_t)ofm->depth * ofm->bytes, filled = (size_t)l->f->pixel * ofm->bytes;
	u8 *const to = (u8 *)npu_fm_pixel(ofm, (const u8 *const *)l->f->mac.view->ofm, y + row, 0);

	if (ofm->stride_x == (i64)filled && pixel == filled)
		memcpy(to, row_to(l, y, row), ofm->width * pixel);
	else
		npu_copy_runs(to, ofm->stride_x, row_to(l, y, row), (i64)filled, ofm->width, pixel);
}

static void run_part(void *ctx, unsigned part, unsigned place_at)
{
	const struct shifted *const f = ctx;
	const u64 height = f->mac.op->ofm.height;
	const u32 end = (u32)(height * (part + 1) / f->parts);
	const u8 *term[NPU_SHIFTED_TERMS];
	struct shifted_lines l;

	npu_shifted_lines_place(&l, f, f->memory + place_at * f->each);
	for (u32 y = (u32)(height * part / f->parts), rows; y < end && !npu_given_up(f->mac.view); y += rows) {
		rows = end - y < f->rows ? end - y : f->rows;
		for (u32 r = 0; r < rows; r++)
			npu_shifted_lines_terms(&l, y + r, term + r * f->terms);
		run_rows(&l, term, y, rows);
		for (u32 r = 0; r < rows && !f->direct; r++)
			put_row(&l, y, r);
	}
}

static bool run(struct shifted *f, struct npu_kernels *k)
{
	f->memory = npu_scratch(&k->lines, (f->parts > 1 ? npu_team_places(k->team) : 1) * f->each);
	if (!f->memory)
		return false;
	npu_team_run(k->team, f->parts, run_part, f);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct shifted *f = room;

	if (!npu_mac_again(&f->mac, k))
		return false;
	npu_sink_again(&f->sink);
	return run(f, k);
}

/* ---- before ---- */

static bool may_be_shifted(const struct npu_op *op)
{
	return op->ofm.depth <= NPU_SHIFTED_OUTPUTS && !op->u85.acc_output_off && !op->upscale && !op->phase && !op->abreast.pixels && op->ifm.height && op->ifm.width &&
	       (u64)op->ofm.width * op->ofm.depth * op->ofm.height >= LEAST_RESULTS && !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm);
}

/* Fields of convolutions whose taps lie side by side are brought together in less time than lines are made, and those of a few taps of many inputs. */
static bool pays(const struct shifted *f)
{
	const struct npu_gather *const g = &f->mac.gather;

	return f->mac.op->kind != NPU_CONV || (g->dilation_w > 1 && g->kernel_w > 1 && 3 * g->kernel_h * g->kernel_w >= 2 * f->inputs);
}

/* Lanes of elements that there are not have another one's constants. */
static u32 channel_of(const struct shifted *f, u32 lane)
{
	const u32 c = lane % f->pixel;

	return c < f->mac.op->ofm.depth ? c : 0;
}

static void widen_channels(struct shifted *f)
{
	const struct npu_channels *const c = &f->mac.channels;
	const struct npu_rescale *const from = c->rescale;
	struct npu_rescale *const to = &f->rescale;

	*to = (struct npu_rescale){ .estimate = from->estimate, .negative = from->negative };
	for (u32 i = 0; i < NPU_GROUP; i++) {
		const u32 at = channel_of(f, i);
		for (u32 o = 0; o < f->outputs; o++)
			f->start[o][i] = c->start[f->in_pixel == f->pixel ? at : o];
		f->whole[i] = c->whole ? c->whole[at] : 0;
		to->factor[i] = from->factor[at];
		to->offset[i] = from->offset[at];
		to->exact |= (from->exact >> 2 * at & 1) << 2 * i;
		to->scale[i] = from->scale[at];
		to->shift[i] = from->shift[at];
		to->add[i & 1][i / 2] = from->add[at & 1][at / 2];
	}
	f->channels = *c;
	f->channels.depth = NPU_GROUP;
	f->channels.start = f->start[0];
	f->channels.rescale = to;
	f->channels.whole = c->whole ? f->whole : NULL;
}

/* What sizes follow from. */
static void shape(struct shifted *f)
{
	const struct npu_op *const op = f->mac.op;
	struct npu_fm *const to = &f->wide.ofm;
	const bool conv = op->kind == NPU_CONV;

	npu_gather_init(&f->mac.gather, op, f->mac.view);
	npu_thin_gather(f->mac.weights, &f->mac.gather);
	for (f->pixel = 1; f->pixel < op->ofm.depth; f->pixel *= 2)
		;
	f->in_pixel = conv ? 1 : f->pixel;
	f->inputs = conv ? op->ifm.depth : 1;
	f->outputs = conv ? op->ofm.depth : 1;
	f->spread = conv ? f->pixel : 1;
	f->wide = *op;
	to->depth = NPU_GROUP;
	to->format = NPU_NHWC;
	to->stride_c = to->bytes;
	to->stride_x = (i64)NPU_GROUP * to->bytes;
	f->direct = op->ofm.depth == f->pixel && op->ofm.stride_x == (i64)f->pixel * to->bytes && op->ofm.width * f->in_pixel % NPU_GROUP == 0;
}

/* A pair's weights of each of the channels again and again; elements that there are not have none. False: all are zeros. */
static bool spread_pair(const struct shifted *f, const i16 *from, i16 *to)
{
	i16 any = 0;

	for (u32 i = 0; i < 2 * NPU_GROUP; i++) {
		const u32 channel = i / 2 % f->pixel;
		to[i] = channel < f->mac.op->ofm.depth ? from[2 * channel + i % 2] : 0;
		any |= to[i];
	}
	return any != 0;
}

/* The same of convolutions: all lanes have an output's weights of two elements of the kernel, from row `ky`. */
static bool spread_elements(const struct shifted *f, u32 ky, u32 set, i16 *to, size_t output)
{
	const i16 *const from = f->mac.weights->weights;
	const u32 row = f->mac.gather.kernel_w * f->inputs;
	i16 any = 0;

	for (u32 o = 0; o < f->outputs; o++, to += output)
		for (u32 i = 0; i < 2 * NPU_GROUP; i++) {
			const u32 at = 2 * set + i % 2;
			to[i] = at < row ? from[npu_thin_place(2, o, (size_t)ky * row + at)] : 0;
			any |= to[i];
		}
	return any != 0;
}

static void spread_kernel(struct shifted *f)
{
	const u32 all = f->terms;
	const size_t output = (size_t)all * 2 * NPU_GROUP;
	u32 terms = 0;

	for (u32 t = 0; t < all; t++) {
		f->used[t] = spread_elements(f, t / f->sets, t % f->sets, f->weights + (size_t)terms * 2 * NPU_GROUP, output);
		terms += f->used[t];
	}
	for (u32 o = 1; o < f->outputs && terms < all; o++)
		memmove(f->weights + (size_t)o * terms * 2 * NPU_GROUP, f->weights + o * output, terms * NPU_GROUP * NPU_PAIR);
	f->terms = terms;
}

static void spread_weights(struct shifted *f)
{
	if (f->mac.op->kind == NPU_CONV) {
		spread_kernel(f);
		return;
	}
	const i16 *const from = f->mac.weights->weights;
	const u32 all = f->terms;

	f->terms = 0;
	for (u32 t = 0; t < all; t++) {
		f->used[t] = spread_pair(f, from + t * 2 * NPU_GROUP, f->weights + f->terms * 2 * NPU_GROUP);
		f->terms += f->used[t];
	}
}

/* The rest but where weights are, from now on where it is. */
static void prepare(struct shifted *f, struct npu_kernels *k)
{
	struct npu_mac *const m = &f->mac;

	npu_mac_start(m, k);
	widen_channels(f);
	npu_sink_init(&f->sink, k, &f->wide, m->view, &f->channels);
	f->sink.narrow.small = m->sink.narrow.small;
}

static unsigned parts_of(const struct shifted *f, const struct npu_kernels *k)
{
	const struct npu_fm *const ofm = &f->mac.op->ofm;
	const unsigned parts = npu_team_parts(k->team, (u64)ofm->height * ofm->width * f->in_pixel * f->outputs * f->terms * 2);

	return parts < ofm->height ? parts : ofm->height;
}

static bool do_shifted(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct shifted own, *f = &own;

	if (!k->simd->put_line || !may_be_shifted(op) || !npu_mac_init(&own.mac, k, op, view) || own.mac.u8 || own.mac.split || !own.mac.channels.fast || !npu_mac_fits_32(&own.mac))
		return false;
	shape(f);
	if (!pays(f) || !npu_shifted_lines_plan(f))
		return false;
	const size_t weights = (size_t)NPU_GROUP * f->outputs * f->terms * NPU_PAIR, bytes = weights + f->terms * sizeof(bool);
	if (f->outputs > 1 && weights > MOST_WEIGHTS)
		return false;
	struct shifted *const room = npu_again_room(k, sizeof(*f) + bytes);
	f->weights = room ? (i16 *)(room + 1) : npu_scratch(&k->abreast, bytes);
	if (!f->weights)
		return false;
	if (room) {
		*room = own;
		f = room;
	}
	prepare(f, k);
	f->used = (bool *)((u8 *)f->weights + weights);
	f->parts = parts_of(f, k);
	spread_weights(f);
	if (!run(f, k))
		return false;
	if (npu_mac_lasts(&f->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}

bool npu_fast_depthwise_shifted(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	return op->ifm.depth == op->ofm.depth && (u64)op->ofm.width * op->ofm.depth >= NPU_GROUP && do_shifted(k, op, view);
}

bool npu_fast_conv_shifted(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	return !k->simd->gemm_u8 && op->ifm.depth <= MOST_INPUTS && op->ofm.width >= LEAST_ROW && !op->u85.weights_ifm2 && do_shifted(k, op, view);
}
