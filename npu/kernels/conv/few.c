/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/few.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/team.h"
#include "npu/kernels/conv/thin.h"

enum {
	PANEL_PIXELS = 48, /* of a tile that is gathered first, as many sixteens; */
	LONG_PIXELS = 16,  /* where a field has more than */
	LONG_ROW = 1024,   /* bytes */
};

/* Where fields are read: in the map, in a panel one behind the other, in one of bricks. */
enum form { IN_MAP, IN_PANEL, IN_BRICKS };

struct few {
	struct npu_mac mac;
	struct npu_gather plain; /* as it is before the map gets its padding */
	struct npu_few few;
	struct npu_rescale rescale[NPU_FEW]; /* of a channel in all lanes */
	enum form form;
	unsigned tile, parts;
	u8 *panels;         /* one for each thread */
	size_t panel_bytes; /* from one to the next */
};

/* ---- where fields are read ---- */

/* Vectors are no longer than a brick, and read whole. */
static bool reads_whole(const struct few *f)
{
	return f->few.bricks || f->mac.simd->few_bytes == NPU_GROUP;
}

/* Every window lies in the map. */
static bool is_inside(const struct npu_gather *g, u32 ofm_height)
{
	const u64 down = (u64)(ofm_height - 1) * g->stride_h + (u64)(g->kernel_h - 1) * g->dilation_h;
	const u64 right = (u64)(g->ofm_width - 1) * g->stride_w + (u64)(g->kernel_w - 1) * g->dilation_w;

	return !g->pad_top && !g->pad_left && !g->upscale && down < g->up_height && right < g->up_width;
}

/* What vectors of 16 bytes read behind the last window may be read. */
static bool ends_inside(const struct few *f)
{
	const struct npu_gather *g = &f->mac.gather;
	const u32 line = g->bricks ? NPU_GROUP : g->kernel_w * g->depth, over = (NPU_GROUP - line % NPU_GROUP) % NPU_GROUP;
	const u64 y = (u64)(f->mac.op->ofm.height - 1) * g->stride_h + (u64)(g->kernel_h - 1) * g->dilation_h;
	const u8 *const last = g->tile[0] + (i64)y * g->stride_y + (i64)(g->ofm_width - 1) * g->stride_w * g->stride_x;

	return !reads_whole(f) || !over || (!g->bricks && (uintptr_t)last + line + over <= (uintptr_t)g->end);
}

static enum form form_of(const struct few *f)
{
	const struct npu_gather *g = &f->mac.gather;

	if (g->pointwise)
		return reads_whole(f) && g->depth % NPU_GROUP ? IN_BRICKS : IN_MAP;
	return (g->row_runs || g->brick_runs) && is_inside(g, f->mac.op->ofm.height) && ends_inside(f) ? IN_MAP : IN_PANEL;
}

/* The map gets its padding. */
static void surround(struct few *f, struct npu_kernels *k)
{
	if (!f->mac.gather.pointwise)
		npu_gather_surround_large(&f->mac.gather, k, f->mac.op->ofm.height);
}

static void choose_form(struct few *f)
{
	const struct npu_gather *g = &f->mac.gather;
	struct npu_few *const few = &f->few;

	f->form = form_of(f);
	few->bricks = f->form == IN_MAP && (g->bricks || g->depth == NPU_GROUP) && g->depth % NPU_GROUP == 0 && g->stride_w * g->stride_x == NPU_GROUP;
	few->flip = f->form == IN_MAP ? g->flip : 0;
	few->step = f->form == IN_MAP ? g->stride_w * g->stride_x : f->form == IN_PANEL ? (i64)g->row : NPU_GROUP;
	f->tile = f->form == IN_MAP ? NPU_FEW_PIXELS : g->row > LONG_ROW ? LONG_PIXELS : PANEL_PIXELS;
	f->panel_bytes = round_up_to(f->form == IN_PANEL ? f->tile * g->row : NPU_TILE * round_up_to(g->row, NPU_GROUP), 64) + NPU_PLACE_GAP;
}

/* ---- pieces of a field, and their weights ---- */

struct pieces {
	struct npu_few_piece *to; /* NULL: they are only counted */
	u32 n, most;              /* bytes of one at most */
};

static void add_line(struct pieces *p, i64 at, size_t first, size_t bytes)
{
	for (size_t n; bytes; bytes -= n, at += (i64)n, first += n, p->n++) {
		n = bytes < p->most ? bytes : p->most;
		if (p->to)
			p->to[p->n] = (struct npu_few_piece){ at, (u32)first, (u32)n };
	}
}

/* A tap's channels. */
static void add_bricks(struct pieces *p, const struct npu_gather *g, i64 at, i64 group, size_t first)
{
	for (u32 c = 0; c < g->depth; c += NPU_GROUP, at += group)
		add_line(p, at, first + c, g->depth - c < NPU_GROUP ? g->depth - c : NPU_GROUP);
}

/* Their number. */
static u32 list_pieces(const struct few *f, struct npu_few_piece *to)
{
	const struct npu_gather *g = &f->mac.gather;
	const size_t line = (size_t)g->kernel_w * g->depth;
	struct pieces p = { to, 0, f->few.bricks ? NPU_GROUP : f->mac.simd->few_bytes };

	if (f->form == IN_PANEL)
		add_line(&p, 0, 0, g->kernel_h * line);
	else if (f->form == IN_BRICKS)
		add_bricks(&p, g, 0, NPU_TILE * NPU_GROUP, 0);
	for (u32 ky = 0; f->form == IN_MAP && ky < g->kernel_h; ky++) {
		const i64 down = (i64)ky * g->dilation_h * g->stride_y;
		const bool bricks = g->bricks || f->few.bricks;
		if (!bricks)
			add_line(&p, down, ky * line, line);
		for (u32 kx = 0; bricks && kx < g->kernel_w; kx++)
			add_bricks(&p, g, down + (i64)kx * g->dilation_w * g->stride_x, g->stride_group, ky * line + (size_t)kx * g->depth);
	}
	return p.n;
}

/* Bytes of a channel's weights of a piece. */
static size_t piece_weights(const struct few *f)
{
	return (f->few.bricks ? NPU_GROUP : f->mac.simd->few_bytes) * (f->mac.u8 ? sizeof(i8) : sizeof(i16));
}

/* One channel's weights of a piece from its group of 16; returns their sum, of int16. */
static i32 put_weights(const struct few *f, const struct npu_few_piece *p, u32 channel, u8 *to)
{
	const u32 taps = f->mac.u8 ? 4 : 2;
	const size_t element = f->mac.u8 ? sizeof(i8) : sizeof(i16);
	const u8 *const from = f->mac.weights->weights;
	i32 sum = 0;

	for (u32 i = 0; i < p->bytes; i++) {
		const u8 *const w = from + npu_thin_place(taps, channel, p->first + i) * element;
		memcpy(to + i * element, w, element);
		if (!f->mac.u8) {
			i16 v;
			memcpy(&v, w, sizeof(v));
			sum += v;
		}
	}
	return sum;
}

static void fill_tables(struct few *f, u8 *room)
{
	const struct npu_mac *m = &f->mac;
	struct npu_few *const few = &f->few;
	const size_t bytes = piece_weights(f);
	/* without VNNI sums start as those of elements less zero point */
	const u32 pad = m->u8 ? 0 : (u32)m->op->ifm.zero_point + (m->op->ifm.is_signed && !few->flip ? 128 : 0);
	u8 *w = room;
	struct npu_few_piece *const piece = (struct npu_few_piece *)(void *)(room + few->pieces * few->channels * bytes);
	u32 sum[NPU_FEW] = { 0 };

	list_pieces(f, piece);
	memset(w, 0, few->pieces * few->channels * bytes);
	for (u32 i = 0; i < few->pieces; i++)
		for (u32 c = 0; c < few->channels; c++, w += bytes)
			sum[c] += (u32)put_weights(f, &piece[i], c, w);
	for (u32 c = 0; c < few->channels; c++)
		few->start[c] = (i32)((u32)m->channels.start[c] - pad * sum[c]);
	few->piece = piece;
	few->weights = room;
}

/* A channel's scaling in all lanes. */
static void spread(struct npu_rescale *to, const struct npu_rescale *from, unsigned lane)
{
	*to = *from;
	to->scale[0] = from->scale[lane];
	to->shift[0] = from->shift[lane];
	to->add[0][0] = from->add[lane & 1][lane / 2];
	to->factor[0] = from->factor[lane];
	to->offset[0] = from->offset[lane];
	to->exact = from->exact >> (2 * lane);
	npu_rescale_spread(to);
}

/* ---- at work ---- */

/* Of the pixel. */
static const u8 *field_at(const struct few *f, struct npu_place at)
{
	const struct npu_gather *g = &f->mac.gather;

	if (g->pointwise)
		return npu_fm_pixel(&f->mac.op->ifm, f->mac.view->ifm, at.y * g->stride_h, 0) + at.x * f->few.step;
	return g->tile[0] + (i64)at.y * g->stride_h * g->stride_y + at.x * f->few.step;
}

static void sum_tile(const struct few *f, u8 *panel, struct npu_place at, unsigned pixels, i32 *sums)
{
	const struct npu_simd *simd = f->mac.simd;
	const u32 width = f->mac.op->ofm.width;

	if (f->form != IN_MAP) {
		simd->gather_u8(&f->mac.gather, at, pixels, panel);
		simd->few_u8(&f->few, panel, pixels, sums);
		return;
	}
	for (unsigned n; pixels; pixels -= n, sums += n, at.y++, at.x = 0) {
		n = pixels < width - at.x ? pixels : width - at.x;
		simd->few_u8(&f->few, field_at(f, at), n, sums);
	}
}

/* The bytes of n pixels of one to four channels, each pixel's side by side at `from`, to where they belong. */
static void put_run(const u32 *from, unsigned n, u32 channels, u8 *to, i64 step)
{
	unsigned i = 0;

	if (channels == 3 && step == 3) /* what is written too much is the next one's */
		for (; i + 1 < n; i++)
			memcpy(to + 3 * i, from + i, 4);
	for (; channels == 1 && i < n; i++)
		to[i * step] = (u8)from[i];
	for (; channels == 2 && i < n; i++)
		memcpy(to + i * step, from + i, 2);
	for (; channels == 3 && i < n; i++)
		memcpy(to + i * step, from + i, 3);
	for (; i < n; i++)
		memcpy(to + i * step, from + i, 4);
}

static void put_pixels(const u8 *bytes, u32 channels, const struct npu_target *t)
{
	u32 pixel[NPU_FEW_PIXELS];
	const u32 *from = pixel;

	if (channels == 1 && t->step == 1) {
		for (unsigned r = 0; r < t->runs; bytes += t->run[r++].n)
			memcpy(t->run[r].to, bytes, t->run[r].n);
		return;
	}
	for (unsigned i = 0; i < NPU_FEW_PIXELS; i++)
		pixel[i] = bytes[i] | (u32)bytes[NPU_FEW_PIXELS + i] << 8 | (u32)bytes[2 * NPU_FEW_PIXELS + i] << 16 | (u32)bytes[3 * NPU_FEW_PIXELS + i] << 24;
	for (unsigned r = 0; r < t->runs; from += t->run[r++].n)
		put_run(from, t->run[r].n, channels, t->run[r].to, t->step);
}

static void store_tile(const struct few *f, const i32 *sums, unsigned pixels, const struct npu_target *t)
{
	NPU_LINE u8 bytes[NPU_FEW * NPU_FEW_PIXELS] = { 0 };
	struct npu_target row;

	row.step = NPU_GROUP;
	row.runs = 1;
	for (u32 c = 0; c < f->few.channels; c++) {
		row.run[0] = (struct npu_run){ bytes + c * NPU_FEW_PIXELS, (pixels + NPU_GROUP - 1) / NPU_GROUP };
		f->mac.simd->store8(sums + c * NPU_FEW_SUMS, &row, &f->rescale[c], &f->mac.sink.narrow, 0, NPU_GROUP);
	}
	put_pixels(bytes, f->few.channels, t);
}

static u64 pixels_of(const struct few *f)
{
	return (u64)f->mac.op->ofm.height * f->mac.op->ofm.width;
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct few *f = ctx;
	const u32 width = f->mac.op->ofm.width;
	const u64 pixels = pixels_of(f), tiles = (pixels + f->tile - 1) / f->tile;
	const u64 begin = tiles * part / f->parts * f->tile, end = tiles * (part + 1) / f->parts * f->tile;
	struct npu_place at = { (u32)(begin / width), (u32)(begin % width) };
	NPU_LINE i32 sums[NPU_FEW * NPU_FEW_SUMS] = { 0 };
	struct npu_target target;

	for (u64 left = (end < pixels ? end : pixels) - begin, n; left && !npu_given_up(f->mac.view); left -= n) {
		n = left < f->tile ? left : f->tile;
		sum_tile(f, f->panels + place * f->panel_bytes, at, (unsigned)n, sums);
		npu_target_next(&target, f->mac.op, f->mac.view, &at, (unsigned)n);
		store_tile(f, sums, (unsigned)n, &target);
	}
}

static bool run(struct few *f, struct npu_kernels *k)
{
	f->panels = f->form == IN_MAP ? NULL : npu_scratch(&k->panel, (f->parts > 1 ? npu_team_places(k->team) : 1) * f->panel_bytes);
	if (f->form != IN_MAP && !f->panels)
		return false;
	npu_team_run(k->team, f->parts, run_part, f);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct few *f = room;

	if (!npu_mac_again(&f->mac, k))
		return false;
	f->mac.gather = f->plain;
	surround(f, k);
	return run(f, k);
}

/* From another place. */
static void take_mac(struct few *f, const struct npu_mac *m)
{
	f->mac = *m;
	f->mac.sink.channels = &f->mac.channels;
	if (f->mac.sink.narrow.table)
		f->mac.sink.narrow.table = f->mac.sink.table;
}

static unsigned parts_of(const struct few *f, const struct npu_kernels *k)
{
	const u64 products = pixels_of(f) * f->few.channels * f->mac.gather.row, tiles = (pixels_of(f) + f->tile - 1) / f->tile;
	const unsigned parts = npu_team_parts(k->team, products);

	return parts < tiles ? parts : (unsigned)tiles;
}

bool npu_fast_few(struct npu_kernels *k, const struct npu_mac *m)
{
	struct few own, *f = &own;

	if (npu_few_cycles(k, m->op) >= npu_abreast_plain_cycles(k, m->op) || m->u8 != (m->simd->gemm_u8 != NULL) || m->split || !npu_sink_is_layer(&m->sink))
		return false;
	take_mac(f, m);
	f->plain = m->gather;
	f->few.channels = m->op->ofm.depth;
	f->few.bricks = false;
	surround(f, k);
	choose_form(f);
	f->few.pieces = list_pieces(f, NULL);
	f->parts = parts_of(f, k);
	const size_t tables = f->few.pieces * (f->few.channels * piece_weights(f) + sizeof(struct npu_few_piece));
	if (f->few.pieces > NPU_FEW_PIECES)
		return false;
	struct few *const room = npu_again_room(k, sizeof(*f) + tables);
	u8 *const at = room ? (u8 *)(room + 1) : npu_scratch(&k->lines, tables);
	if (!at)
		return false;
	if (room) {
		*room = *f;
		f = room;
		take_mac(f, &own.mac);
	}
	fill_tables(f, at);
	for (u32 c = 0; c < f->few.channels; c++)
		spread(&f->rescale[c], f->mac.channels.rescale, c);
	if (!run(f, k))
		return false;
	if (npu_mac_lasts(&f->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
