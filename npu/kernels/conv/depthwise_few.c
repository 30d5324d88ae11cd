/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/depthwise_few.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/conv/depthwise_few_lines.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/team.h"

enum { MOST_DEPTH = 8, LEAST_RESULTS = 64 };

/* ---- results ---- */

static u8 *row_to(const struct few_lines *l, u32 y, u32 row)
{
	const struct depthwise_few *const f = l->f;

	return f->direct ? (u8 *)npu_fm_pixel(&f->mac.op->ofm, (const u8 *const *)f->mac.view->ofm, y + row, 0) : l->results + row * npu_few_result_bytes(f);
}

/* Rows whose terms are there; these move on. */
static void run_rows(const struct few_lines *l, const u8 **term, u32 y, u32 rows)
{
	const struct depthwise_few *const f = l->f;
	NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
	struct npu_target t;

	t.step = f->wide.ofm.stride_x;
	t.runs = rows;
	for (u32 x = 0, n; x < f->groups; x += n) {
		for (u32 i = 0; x && i < rows * f->terms; i++)
			term[i] += NPU_BATCH * NPU_GROUP * NPU_PAIR;
		n = f->groups - x < NPU_BATCH ? f->groups - x : NPU_BATCH;
		for (u32 r = 0; r < rows; r++) {
			f->mac.simd->depthwise_i16(term + r * f->terms, f->terms, 1, 0, n, f->weights, f->start, acc + r * n * NPU_GROUP);
			t.run[r] = (struct npu_run){ row_to(l, y, r) + x * t.step, n };
		}
		npu_sink_store(&f->sink, acc, &t, 0);
	}
}

static void put_row(const struct few_lines *l, u32 y, u32 row)
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
	const struct depthwise_few *const f = ctx;
	const u64 height = f->mac.op->ofm.height;
	const u32 end = (u32)(height * (part + 1) / f->parts);
	const u8 *term[NPU_FEW_TERMS];
	struct few_lines l;

	npu_few_lines_place(&l, f, f->memory + place_at * f->each);
	for (u32 y = (u32)(height * part / f->parts), rows; y < end && !npu_given_up(f->mac.view); y += rows) {
		rows = end - y < f->rows ? end - y : f->rows;
		for (u32 r = 0; r < rows; r++)
			npu_few_lines_terms(&l, y + r, term + r * f->terms);
		run_rows(&l, term, y, rows);
		for (u32 r = 0; r < rows && !f->direct; r++)
			put_row(&l, y, r);
	}
}

static bool run(struct depthwise_few *f, struct npu_kernels *k)
{
	f->memory = npu_scratch(&k->lines, (f->parts > 1 ? npu_team_places(k->team) : 1) * f->each);
	if (!f->memory)
		return false;
	npu_team_run(k->team, f->parts, run_part, f);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct depthwise_few *f = room;

	if (!npu_mac_again(&f->mac, k))
		return false;
	npu_sink_again(&f->sink);
	return run(f, k);
}

/* ---- before ---- */

static bool may_be_few(const struct npu_op *op)
{
	const u64 row = (u64)op->ofm.width * op->ofm.depth;

	return op->ofm.depth <= MOST_DEPTH && op->ifm.depth == op->ofm.depth && !op->upscale && !op->phase && !op->abreast.pixels && op->ifm.height && op->ifm.width &&
	       row >= NPU_GROUP && row * op->ofm.height >= LEAST_RESULTS && !npu_fm_splits_rows(&op->ifm) && !npu_fm_splits_rows(&op->ofm);
}

/* Lanes of elements that there are not have another one's constants. */
static u32 channel_of(const struct depthwise_few *f, u32 lane)
{
	const u32 c = lane % f->pixel;

	return c < f->mac.op->ofm.depth ? c : 0;
}

static void widen_channels(struct depthwise_few *f)
{
	const struct npu_channels *const c = &f->mac.channels;
	const struct npu_rescale *const from = c->rescale;
	struct npu_rescale *const to = &f->rescale;

	*to = (struct npu_rescale){ .estimate = from->estimate, .negative = from->negative };
	for (u32 i = 0; i < NPU_GROUP; i++) {
		const u32 at = channel_of(f, i);
		f->start[i] = c->start[at];
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
	f->channels.start = f->start;
	f->channels.rescale = to;
	f->channels.whole = c->whole ? f->whole : NULL;
}

static void widen(struct depthwise_few *f)
{
	const struct npu_op *const op = f->mac.op;
	struct npu_fm *const to = &f->wide.ofm;

	for (f->pixel = 1; f->pixel < op->ofm.depth; f->pixel *= 2)
		;
	f->wide = *op;
	to->depth = NPU_GROUP;
	to->format = NPU_NHWC;
	to->stride_c = to->bytes;
	to->stride_x = (i64)NPU_GROUP * to->bytes;
	f->direct = op->ofm.depth == f->pixel && op->ofm.stride_x == (i64)f->pixel * to->bytes && op->ofm.width * f->pixel % NPU_GROUP == 0;
	widen_channels(f);
}

/* A pair's weights of each of the channels again and again; elements that there are not have none. False: all are zeros. */
static bool spread_pair(const struct depthwise_few *f, const i16 *from, i16 *to)
{
	i16 any = 0;

	for (u32 i = 0; i < 2 * NPU_GROUP; i++) {
		const u32 channel = i / 2 % f->pixel;
		to[i] = channel < f->mac.op->ofm.depth ? from[2 * channel + i % 2] : 0;
		any |= to[i];
	}
	return any != 0;
}

static void spread_weights(struct depthwise_few *f)
{
	const i16 *const from = f->mac.weights->weights;
	const u32 all = f->terms;

	f->terms = 0;
	for (u32 t = 0; t < all; t++) {
		f->used[t] = spread_pair(f, from + t * 2 * NPU_GROUP, f->weights + f->terms * 2 * NPU_GROUP);
		f->terms += f->used[t];
	}
}

/* Everything but where weights are. */
static void prepare(struct depthwise_few *f, struct npu_kernels *k)
{
	struct npu_mac *const m = &f->mac;

	npu_mac_start(m, k);
	widen(f);
	npu_sink_init(&f->sink, k, &f->wide, m->view, &f->channels);
	f->sink.narrow.small = m->sink.narrow.small;
}

static unsigned parts_of(const struct depthwise_few *f, const struct npu_kernels *k)
{
	const struct npu_fm *const ofm = &f->mac.op->ofm;
	const unsigned parts = npu_team_parts(k->team, (u64)ofm->height * ofm->width * f->pixel * f->terms * 2);

	return parts < ofm->height ? parts : ofm->height;
}

bool npu_fast_depthwise_few(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct depthwise_few own, *f = &own;

	if (!k->simd->put_line || !may_be_few(op) || !npu_mac_init(&own.mac, k, op, view) || own.mac.u8 || !own.mac.channels.fast || !npu_mac_fits_32(&own.mac))
		return false;
	const struct npu_mac mac = own.mac;
	prepare(f, k);
	if (f->sink.raw || !npu_few_lines_plan(f))
		return false;
	const size_t weights = (size_t)NPU_GROUP * f->terms * NPU_PAIR, bytes = weights + f->terms * sizeof(bool);
	struct depthwise_few *const room = npu_again_room(k, sizeof(*f) + bytes);
	f->weights = room ? (i16 *)(room + 1) : npu_scratch(&k->abreast, bytes);
	if (!f->weights)
		return false;
	if (room) {
		*room = own;
		f = room;
		f->mac = mac;
		prepare(f, k);
	}
	f->used = (bool *)((u8 *)f->weights + weights);
	f->parts = parts_of(f, k);
	spread_weights(f);
	if (!run(f, k))
		return false;
	if (npu_mac_lasts(&f->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
