/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/shifted_lines.h"

#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"

enum {
	MOST_ROWS = 8,        /* that are done together */
	MOST_LINE = 65536,    /* elements */
	MOST_BYTES = 4 << 20, /* of a thread */
	NO_ROW = INT32_MIN,
};

/* ---- sizes ---- */

static u32 stride_of(const struct shifted *f)
{
	return f->mac.gather.stride_w;
}

static size_t slot_bytes(const struct shifted *f)
{
	return (size_t)f->pairs * f->paired * NPU_PAIR;
}

static u32 slots_for(u32 rows)
{
	u32 slots = 1;

	while (slots < rows)
		slots *= 2;
	return slots;
}

/* Short rows are done together: their results are stored by one call. */
static u32 rows_together(const struct shifted *f)
{
	const u32 most = NPU_SHIFTED_TERMS / f->terms < MOST_ROWS ? NPU_SHIFTED_TERMS / f->terms : MOST_ROWS, groups = f->groups * f->spread;

	return groups * most <= NPU_BATCH ? most : groups < NPU_BATCH ? NPU_BATCH / groups : 1;
}

/* What pairs of elements, inputs of a tap or taps, lie in: one line for each pair, or for those of one or two taps, which others find some pixels further. */
static void plan_pairs(struct shifted *f)
{
	const struct npu_gather *g = &f->mac.gather;
	const u32 taps = f->inputs % 2 ? 2 : 1, apart = taps * g->dilation_w, own = taps * f->inputs / 2, width = f->mac.op->ofm.width * f->in_pixel;
	const bool shared = f->sets > own && apart % stride_of(f) == 0;

	f->pairs = shared ? own : f->sets;
	f->shift = shared ? apart / stride_of(f) * f->in_pixel : 0;
	/* the last vector of the last set reads up to a group more */
	f->paired = (u32)round_up_to(width + (f->sets - 1) / f->pairs * f->shift, NPU_GROUP) + NPU_GROUP;
	f->groups = (u32)div_up(width, NPU_GROUP);
}

bool npu_shifted_lines_plan(struct shifted *f)
{
	const struct npu_gather *g = &f->mac.gather;
	const u32 s = stride_of(f), width = f->mac.op->ofm.width;
	const u64 pixels = width + (u64)(g->kernel_w - 1) * g->dilation_w / s, down = (u64)(g->kernel_h - 1) * g->dilation_h + 1;

	f->sets = (g->kernel_w * f->inputs + 1) / 2;
	if (pixels * f->in_pixel > MOST_LINE || (u64)f->sets * g->kernel_h > NPU_SHIFTED_TERMS || down > MOST_LINE)
		return false;
	f->terms = f->sets * g->kernel_h;
	f->line = (u32)round_up_to((pixels + g->dilation_w) * f->in_pixel, NPU_GROUP) + 2 * NPU_GROUP; /* a last tap may have no other one */
	plan_pairs(f);
	f->rows = rows_together(f);
	f->slots = slots_for((u32)down + (f->rows - 1) * g->stride_h);
	f->each = round_up_to((size_t)f->line * 2 + f->inputs * s * (size_t)f->line * sizeof(i16) + f->slots * (slot_bytes(f) + sizeof(i32)) +
			      f->rows * npu_shifted_result_bytes(f) + 5 * 64, 64) + NPU_PLACE_GAP;
	return f->each <= MOST_BYTES;
}

static u8 *take(u8 **at, size_t bytes)
{
	u8 *const p = *at;

	*at += round_up_to(bytes, 64);
	return p;
}

void npu_shifted_lines_place(struct shifted_lines *l, const struct shifted *f, u8 *at)
{
	l->f = f;
	l->bytes = take(&at, f->line);
	l->line = (void *)take(&at, f->inputs * stride_of(f) * (size_t)f->line * sizeof(i16));
	l->ring = take(&at, f->slots * slot_bytes(f));
	l->results = take(&at, f->rows * npu_shifted_result_bytes(f));
	l->held = (void *)take(&at, f->slots * sizeof(i32));
	for (u32 i = 0; i < f->slots; i++)
		l->held[i] = NO_ROW;
}

/* ---- rows of the map ---- */

/* The first pixel of a line whose pixels are a stride apart, from the padded map's pixel `first` on, that is not before position `at`. */
static u32 reaches(const struct shifted *f, u32 first, u32 at)
{
	const u32 s = stride_of(f), most = f->mac.op->ofm.width + (f->mac.gather.kernel_w - 1) * f->mac.gather.dilation_w / s;
	const u32 n = at <= first ? 0 : (at - first + s - 1) / s;

	return n < most ? n : most;
}

/* Elements of row y, of convolutions those of one input, from the padded map's pixel `first` on. */
static void fill_line(const struct shifted_lines *l, u32 y, u32 first, u32 input)
{
	const struct shifted *const f = l->f;
	const struct npu_gather *const g = &f->mac.gather;
	const u32 s = stride_of(f), left = (u32)g->pad_left, from = reaches(f, first, left), to = reaches(f, first, left + g->up_width);
	const size_t pixel = (size_t)f->in_pixel * g->bytes, stored = f->mac.op->ifm.depth / f->inputs * g->bytes, elements = (size_t)(to - from) * f->in_pixel;
	i16 *const line = l->line + (input * s + first) * (size_t)f->line;

	memset(line, 0, (size_t)from * f->in_pixel * sizeof(*line));
	memset(line + (size_t)to * f->in_pixel, 0, (f->line - (size_t)to * f->in_pixel) * sizeof(*line));
	if (from == to)
		return;
	const i64 step = s * g->stride_x;
	const u8 *row = npu_fm_pixel(&f->mac.op->ifm, f->mac.view->ifm, y, first + from * s - left) + input * g->bytes;
	u8 *const room = g->bytes == 2 ? (u8 *)(line + (size_t)from * f->in_pixel) : l->bytes;
	if (step != (i64)pixel || stored != pixel) {
		npu_copy_runs(room, (i64)pixel, row, step, to - from, stored);
		row = room;
	}
	if (row != (u8 *)(line + (size_t)from * f->in_pixel))
		f->mac.simd->put_line(g, line + (size_t)from * f->in_pixel, row, elements);
}

/* Where element i of a row of the kernel, an input of a tap, lies for the first result. */
static const i16 *element_at(const struct shifted_lines *l, u32 i)
{
	const struct shifted *const f = l->f;
	const u32 at = i / f->inputs * f->mac.gather.dilation_w, s = stride_of(f);

	return l->line + (i % f->inputs * s + at % s) * (size_t)f->line + (size_t)(at / s) * f->in_pixel;
}

/* Row y of the map, which may lie outside. */
static void fill_slot(const struct shifted_lines *l, i32 y, u8 *slot)
{
	const struct shifted *const f = l->f;
	const struct npu_gather *const g = &f->mac.gather;
	const u32 span = (g->kernel_w - 1) * g->dilation_w + 1;

	if (y < 0 || (u32)y >= g->up_height) {
		memset(slot, 0, slot_bytes(f));
		return;
	}
	for (u32 first = 0; first < stride_of(f) && first < span; first++)
		for (u32 i = 0; i < f->inputs; i++)
			fill_line(l, (u32)y, first, i);
	for (u32 set = 0; set < f->pairs; set++, slot += f->paired * NPU_PAIR) {
		const i16 *const a = element_at(l, 2 * set);
		const i16 *const b = 2 * set + 1 < g->kernel_w * f->inputs ? element_at(l, 2 * set + 1) : a; /* no weight meets it */
		f->mac.simd->pair_lines(a, b, f->paired, (i16 *)(void *)slot);
	}
}

static const u8 *slot_of(const struct shifted_lines *l, i32 y)
{
	const u32 at = (u32)(y + l->f->mac.gather.pad_top) & (l->f->slots - 1);
	u8 *const slot = l->ring + at * slot_bytes(l->f);

	if (l->held[at] != y) {
		l->held[at] = y;
		fill_slot(l, y, slot);
	}
	return slot;
}

void npu_shifted_lines_terms(const struct shifted_lines *l, u32 y, const u8 **term)
{
	const struct shifted *const f = l->f;
	const struct npu_gather *const g = &f->mac.gather;
	const i32 top = (i32)(y * g->stride_h) - g->pad_top;

	for (u32 ky = 0; ky < g->kernel_h; ky++) {
		const bool *const used = f->used + ky * f->sets;
		for (u32 set = 0; set < f->sets; set++)
			if (used[set])
				*term++ = slot_of(l, top + (i32)(ky * g->dilation_h)) + (set % f->pairs * f->paired + set / f->pairs * f->shift) * NPU_PAIR;
	}
}
