/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/gather.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/private.h"

/* Elements that stay in the second cache (a picture's of int16 as well, whose edges take as long as a third of a 7x7); of bricks, whose taps at edges cost less, bytes
 * that do in the first. */
#define MAX_SURROUNDED ((u64)256 << 10)
#define MAX_SURROUNDED_BRICKS ((u64)32 << 10)

bool npu_gather_fits_i16(const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm;

	/* element - zero point must fit int16 */
	if (ifm->bytes == 1)
		return ifm->zero_point > -32000 && ifm->zero_point < 32000;
	return ifm->bytes == 2 && ifm->is_signed && ifm->zero_point == 0;
}

u32 npu_gather_pad(const struct npu_op *op)
{
	return (u32)(op->ifm.zero_point + (op->ifm.is_signed ? 128 : 0));
}

bool npu_gather_fits_u8(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && npu_gather_pad(op) <= 255;
}

void npu_gather_init(struct npu_gather *g, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_fm *ifm = &op->ifm;

	*g = (struct npu_gather){
		.stride_y = ifm->stride_y,
		.stride_x = ifm->stride_x,
		.stride_c = ifm->stride_c,
		.stride_group = npu_fm_stride_group(ifm),
		.height0 = ifm->height0,
		.width0 = ifm->width0,
		.height1 = ifm->height1,
		.depth = ifm->depth,
		.ofm_width = op->ofm.width,
		.kernel_h = op->kernel_h,
		.kernel_w = op->kernel_w,
		.up_height = op->up_height,
		.up_width = op->up_width,
		.pad_top = op->pad_top,
		.pad_left = op->pad_left,
		.stride_h = op->stride_y,
		.stride_w = op->stride_x,
		.dilation_h = op->dilation_y,
		.dilation_w = op->dilation_x,
		.upscale = op->upscale,
		.bytes = ifm->bytes,
		.is_signed = ifm->is_signed,
		.bricks = ifm->format == NPU_NHCWB16 && ifm->depth > NPU_GROUP, /* one brick is one run of channels */
		.splits_rows = npu_fm_splits_rows(ifm),
		.zero_point = ifm->zero_point,
		.flip = ifm->is_signed ? 128 : 0,
		.pad = (u8)npu_gather_pad(op),
	};
	memcpy(g->tile, view->ifm, sizeof(g->tile));
	g->pointwise = op->kernel_h == 1 && op->kernel_w == 1 && !op->upscale && !g->splits_rows &&
		       !op->pad_top && !op->pad_left && !op->pad_bottom && !op->pad_right;
	g->rows = !g->bricks && !ifm->tiled && !g->upscale;
	g->row_runs = g->rows && g->dilation_w == 1 && g->stride_x == (i64)g->depth * g->bytes;
	g->in_one = !ifm->tiled && !g->upscale;
	g->brick_runs = g->bricks && g->in_one && g->depth % NPU_GROUP == 0;
	struct npu_fm_box box;
	g->end = g->tile[0];
	if (!ifm->tiled && npu_fm_box(ifm, view->ifm, 0, &box)) /* no elements or rows: U85's windows lie in the padding alone */
		g->end = (const u8 *)box.end;
}

void npu_gather_as_rows(struct npu_gather *g, const struct npu_simd *simd)
{
	g->as_rows = g->pointwise && g->row_runs && g->bytes == 1 && simd->layer_fields && g->stride_w == 1 && g->row == g->depth && g->row > NPU_GROUP;
	if (g->as_rows)
		g->pointwise = false;
}

bool npu_gather_as_bricks(struct npu_gather *g, const struct npu_simd *simd)
{
	const u64 line = (u64)g->kernel_w * g->depth;

	g->as_bricks = simd->bricks_of_fields && !g->pointwise && g->row_runs && g->bytes == 1 && g->kernel_h == NPU_BRICK_LINES &&
		       line * NPU_BRICK_LINES <= 2 * NPU_GROUP;
	return g->as_bricks;
}

/* Pixels that the windows reach beyond the end of an axis. */
static u32 beyond(u32 out, u32 stride, u32 taps, u32 dilation, i32 before, u32 size)
{
	const i64 reach = (i64)(out - 1) * stride + (i64)(taps - 1) * dilation + 1 - before;

	return reach > size ? (u32)(reach - size) : 0;
}

#define BEHIND 64 /* bytes that the last vector of a pixel's taps may read behind the map */

/* A map with its padding: planes of bricks, or one of rows. */
struct surrounded {
	u32 planes, top, left, width, height;
	size_t pixel, line, plane; /* bytes */
	bool pads;  /* there is padding */
	bool packs; /* pixels lay otherwise: channels are brought together */
};

/* Taps of a row are lines of their own. */
static bool taps_apart(const struct npu_gather *g)
{
	return g->kernel_w > 1 && g->dilation_w != 1;
}

/* A map in one piece that lies neither in rows nor in whole bricks. */
static bool is_scattered(const struct npu_gather *g)
{
	return !g->row_runs && !g->brick_runs && !g->upscale && g->dilation_w == 1 && g->end > g->tile[0];
}

/* Pixels of a map lie one behind the other. */
static bool is_dense(const struct npu_gather *g)
{
	return (g->rows || g->brick_runs) && g->stride_x == (i64)(g->brick_runs ? NPU_GROUP : g->depth) * g->bytes;
}

/* False: the map stays as it is, which has too many bytes. */
static bool surrounded_plan(const struct npu_gather *g, u32 ofm_height, u64 most, struct surrounded *s)
{
	const u32 right = beyond(g->ofm_width, g->stride_w, g->kernel_w, g->dilation_w, g->pad_left, g->up_width);
	const u32 bottom = beyond(ofm_height, g->stride_h, g->kernel_h, g->dilation_h, g->pad_top, g->up_height);
	const u64 width = (u64)g->pad_left + g->up_width + right, height = (u64)g->pad_top + g->up_height + bottom;
	const u64 pixel = (u64)(g->brick_runs ? NPU_GROUP : g->depth) * g->bytes;
	const u32 planes = g->brick_runs ? g->depth / NPU_GROUP : 1;

	if (width > most || height > most || width * height * pixel > most / planes)
		return false;
	*s = (struct surrounded){ .planes = planes, .top = (u32)g->pad_top, .left = (u32)g->pad_left, .width = (u32)width, .height = (u32)height,
				  .pixel = pixel, .line = width * pixel, .plane = height * width * pixel,
				  .pads = g->pad_left || g->pad_top || right || bottom, .packs = is_scattered(g) };
	return true;
}

/* Pixels of a row, none of more than a brick, of which a whole brick may be read. */
static u32 whole_bricks(const struct npu_gather *g, const u8 *from, i64 brick)
{
	const i64 most = g->end - from - brick;

	if (g->stride_x <= 0 || most < 0)
		return 0;
	return most / g->stride_x + 1 < g->up_width ? (u32)(most / g->stride_x) + 1 : g->up_width;
}

/* The pixels of a row; what is written too much lies where the next ones go, or padding. */
static void pack_row(const struct npu_gather *g, const u8 *from, u8 *to)
{
	const size_t pixel = (size_t)g->depth * g->bytes, brick = NPU_GROUP * (size_t)g->bytes;
	const u32 whole = pixel <= brick ? whole_bricks(g, from, (i64)brick) : 0;
	u32 x = 0;

	for (; g->bytes == 1 && x < whole; x++, from += g->stride_x, to += pixel)
		memcpy(to, from, NPU_GROUP);
	for (; x < whole; x++, from += g->stride_x, to += pixel)
		memcpy(to, from, 2 * NPU_GROUP);
	for (; x < g->up_width; x++, from += g->stride_x, to += pixel) {
		const u8 *p = from;
		for (size_t c = 0; c < pixel; c += brick, p += g->stride_group)
			if (g->end - p < (i64)brick)
				memcpy(to + c, p, pixel - c < brick ? pixel - c : brick);
			else if (g->bytes == 1)
				memcpy(to + c, p, NPU_GROUP);
			else
				memcpy(to + c, p, 2 * NPU_GROUP);
	}
}

static void surround_plane(const struct surrounded *s, const struct npu_gather *g, const u8 *from, u8 *to)
{
	const u8 padding = (u8)g->zero_point;
	const size_t before = s->left * s->pixel, bytes = g->up_width * s->pixel;

	for (u32 y = 0; y < s->height; y++, to += s->line) {
		const bool outside = y < s->top || y - s->top >= g->up_height;
		const u8 *const row = outside ? NULL : from + (y - s->top) * g->stride_y;
		memset(to, padding, outside ? s->line : before);
		if (outside)
			continue;
		if (s->packs)
			pack_row(g, row, to + before);
		else
			memcpy(to + before, row, bytes);
		memset(to + before + bytes, padding, s->line - before - bytes);
	}
}

/* Maps of up to `most` bytes. */
static void surround(struct npu_gather *g, struct npu_kernels *k, u32 ofm_height, u64 most)
{
	const bool has_zero = g->bytes == 2 || (u32)(g->zero_point + (g->is_signed ? 128 : 0)) <= UINT8_MAX;
	struct surrounded s;

	if (!g->tile[0] || !has_zero || /* no tile: a map without elements */
	    !surrounded_plan(g, ofm_height, most, &s) || !(s.packs || (s.pads && (g->row_runs || g->brick_runs) && is_dense(g))))
		return;
	u8 *const map = npu_scratch(&k->padded, s.plane * s.planes + BEHIND);
	if (!map)
		return;
	for (u32 p = 0; p < s.planes; p++)
		surround_plane(&s, g, g->tile[0] + p * g->stride_group, map + p * s.plane);
	g->tile[0] = map;
	g->stride_y = (i64)s.line;
	if (g->brick_runs)
		g->stride_c = g->stride_group = (i64)s.plane;
	if (s.packs) {
		g->stride_x = (i64)s.pixel;
		g->stride_c = g->bytes;
		g->stride_group = NPU_GROUP * (i64)g->bytes;
		g->bricks = false;
		g->row_runs = true;
	}
	g->up_width = s.width;
	g->up_height = g->height0 = s.height;
	g->pad_top = g->pad_left = 0;
	g->end = map + s.plane * s.planes + BEHIND;
}

void npu_gather_surround(struct npu_gather *g, struct npu_kernels *k, u32 ofm_height)
{
	surround(g, k, ofm_height, g->brick_runs ? MAX_SURROUNDED_BRICKS : MAX_SURROUNDED * g->bytes);
}

void npu_gather_surround_large(struct npu_gather *g, struct npu_kernels *k, u32 ofm_height)
{
	surround(g, k, ofm_height, NPU_GATHER_FIELDS);
}

/* Rows are multiplied in blocks of eight pixels and less: one pixel alone takes as long as two or three. */
static bool row_pays(u32 width)
{
	return width >= 6 || width == 4;
}

/* All channels of a pixel together. */
static void words_row(const struct npu_gather *g, const struct surrounded *s, const u8 *from, u8 *to)
{
	const size_t brick = NPU_GROUP * sizeof(i16), pixel = s->pixel * s->planes;

	if (!g->brick_runs) {
		memcpy(to, from, g->up_width * pixel);
		return;
	}
	for (u32 p = 0; p < s->planes; p++, from += g->stride_group, to += brick)
		for (u32 x = 0; x < g->up_width; x++)
			memcpy(to + x * pixel, from + x * brick, brick);
}

static void fields_row(const struct npu_gather *g, const struct npu_simd *simd, const struct surrounded *s, const u8 *from, u8 *to)
{
	if (g->bytes == 2)
		words_row(g, s, from, to);
	else if (g->brick_runs || !is_dense(g))
		simd->flip_pixels(to, from, g, g->up_width);
	else
		simd->flip_bytes(to, from, g->up_width * s->pixel, g->flip);
}

/* A copy that threads make, by rows. */
struct fill {
	const struct npu_gather *g;
	const struct npu_simd *simd;
	const struct surrounded *s;
	u8 *to;
	unsigned parts;
};

static void fill_part(void *ctx, unsigned part, unsigned place)
{
	const struct fill *f = ctx;
	const struct npu_gather *g = f->g;
	const struct surrounded *s = f->s;
	const size_t pixel = s->pixel * s->planes, before = s->left * pixel, line = s->width * pixel, bytes = g->up_width * pixel;
	const u32 end = (u32)((u64)s->height * (part + 1) / f->parts);
	const u8 padding = g->bytes == 2 ? 0 : g->pad;

	(void)place;
	for (u32 y = (u32)((u64)s->height * part / f->parts); y < end; y++) {
		const u32 row = y - s->top;
		const bool outside = y < s->top || row >= g->up_height;
		u8 *const to = f->to + y * line;
		memset(to, padding, outside ? line : before);
		if (!outside) {
			fields_row(g, f->simd, s, g->tile[0] + row * g->stride_y, to + before);
			memset(to + before + bytes, padding, line - before - bytes);
		}
		if (g->bytes == 2)
			f->simd->split_words(to, line);
	}
}

static void fields_fill(const struct npu_gather *g, struct npu_kernels *k, const struct surrounded *s, u8 *to)
{
	const unsigned parts = npu_team_parts(k->team, NPU_TEAM_ELEMENT * (u64)s->plane * s->planes);
	struct fill f = { .g = g, .simd = k->simd, .s = s, .to = to, .parts = parts < s->height ? parts : s->height };

	npu_team_run(k->team, f.parts, fill_part, &f);
}

/* Whether simd's layers read fields of such lines. */
static bool fields_fit(const struct npu_gather *g, const struct npu_simd *simd)
{
	const u64 line = (taps_apart(g) ? 1 : g->kernel_w) * (u64)g->depth;

	if (g->bytes == 1 && g->kernel_w * g->kernel_h == 1)
		return false; /* no more bytes than the map has, tile by tile */

	if (taps_apart(g) && g->kernel_h > 1) /* lines that are not equally far apart */
		return g->bytes == 1 && simd->layer_fields && g->depth % NPU_GROUP == 0 && g->ofm_width % 2 == 0 &&
		       g->kernel_h * g->kernel_w * (u64)g->depth <= NPU_FIELD_PARTS * NPU_GROUP;
	if (g->bytes == 2)
		return simd->layer_split && g->depth % 4 == 0 && line % NPU_GROUP == 0;
	return simd->layer_fields && (line % 4 == 0 || (g->lined && !taps_apart(g))) && row_pays(g->ofm_width);
}

bool npu_gather_fields(const struct npu_gather *g, struct npu_kernels *k, u32 ofm_height, struct npu_fields *f)
{
	struct surrounded s;

	if (!fields_fit(g, k->simd) || g->pointwise || !g->tile[0] || !(is_dense(g) || (g->in_one && g->bytes == 1)) || !surrounded_plan(g, ofm_height, NPU_GATHER_FIELDS, &s))
		return false;
	u8 *const map = npu_scratch(&k->padded, s.plane * s.planes + BEHIND);
	if (!map)
		return false;
	fields_fill(g, k, &s, map);
	const size_t pixel = s.pixel * s.planes, line = s.width * pixel;
	*f = (struct npu_fields){ .from = map, .width = g->ofm_width, .lines = g->kernel_h, .line = (g->kernel_w * pixel + 3) / 4 * 4,
				  .down = g->dilation_h * line, .step = g->stride_w * pixel };
	if (taps_apart(g) && g->kernel_h > 1) {
		f->line = pixel;
		f->taps = g->kernel_w;
		f->across = g->dilation_w * pixel;
	} else if (taps_apart(g)) {
		f->lines = g->kernel_w;
		f->line = pixel;
		f->down = g->dilation_w * pixel;
	}
	f->skip = (i64)(g->stride_h * line) - (i64)(f->width * f->step);
	return true;
}
