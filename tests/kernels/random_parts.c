/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of random operations; see random_parts.h. */
#include "tests/kernels/random_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned rounds_of(unsigned usual)
{
	const char *more = getenv("FVPSIM_TEST_ROUNDS");

	return usual * (more ? (unsigned)atoi(more) : 1);
}

void arena_fill(struct arena *a, struct rng *r)
{
	static const u32 ends[] = { 0, 1, UINT32_MAX, INT32_MAX, 0x80000000, 0x7fff7fff, 0x80008000, 0x7f7f7f7f, 0x80808080 };
	const u32 often = rng_one_in(r, 8) ? 3 : 61;

	for (size_t i = 0; i < a->used; i += 4) {
		u32 v = rng_next(r);
		if (v % often == 0)
			v = ends[(v >> 8) % (sizeof(ends) / sizeof(*ends))];
		memcpy(a->bytes + i, &v, 4);
	}
	a->used = 0;
}

size_t arena_take(struct arena *a, size_t bytes)
{
	size_t at = (a->used + 15) / 16 * 16;
	a->used = at + bytes;
	if (a->used > ARENA_BYTES) {
		fprintf(stderr, "arena too small\n");
		abort();
	}
	return at;
}

static u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

void random_type(struct rng *r, struct npu_fm *fm, const u8 *bytes, unsigned choices)
{
	fm->bytes = bytes[rng_below(r, choices)];
	fm->is_signed = fm->bytes == 4 || rng_below(r, 4) != 0;
	fm->zero_point = 0;
	if (fm->bytes == 1)
		fm->zero_point = fm->is_signed ? rng_range(r, -128, 127) : rng_range(r, 0, 255);
	else if (rng_one_in(r, 8))
		fm->zero_point = fm->is_signed ? rng_range(r, -32768, 32767) : rng_range(r, 0, 65535);
}

/* Bytes that hold any box of the map; *first: where its element (0, 0, 0) lies. Rows may be
 * upside down. */
static size_t room_of(const struct npu_fm *fm, i64 *first)
{
	i64 rows = llabs(fm->stride_y) * fm->height;
	i64 groups = fm->format == NPU_NHWC ? 0 : fm->stride_c * ((fm->depth + 15) / 16);

	*first = fm->stride_y < 0 ? -fm->stride_y * (fm->height - 1) : 0;
	return (size_t)(rows > groups ? rows : groups) + 64;
}

void random_place(struct rng *r, struct arena *a, struct npu_fm *fm, u8 *tile[NPU_TILES])
{
	bool tiled = rng_one_in(r, 6);
	i64 es = fm->bytes;

	fm->used = 1;
	fm->format = rng_below(r, 2) ? NPU_NHCWB16 : NPU_NHWC;
	fm->width0 = tiled && fm->width > 1 && rng_below(r, 2) ? 1 + rng_below(r, fm->width) : fm->width;
	fm->height0 = tiled ? 1 + rng_below(r, fm->height) : fm->height;
	fm->height1 = tiled ? 1 + rng_below(r, fm->height) : fm->height;
	fm->tiled = fm->width > fm->width0 || fm->height > fm->height0;
	if (!fm->tiled) {
		fm->width0 = fm->width + rng_below(r, 2);
		fm->height0 = fm->height + rng_below(r, 2);
	}
	if (fm->format == NPU_NHWC) {
		fm->stride_c = es;
		fm->stride_x = es * (fm->depth + (rng_below(r, 3) ? 0 : rng_below(r, 20)));
		fm->stride_y = fm->stride_x * (fm->width + (rng_below(r, 3) ? 0 : 1));
		if (rng_one_in(r, 12))
			fm->stride_y = -fm->stride_y;
	} else {
		u32 groups = (fm->depth + 15) / 16;
		fm->stride_x = 16 * es;
		if (rng_below(r, 2)) {
			fm->stride_c = 16 * es * fm->width;
			fm->stride_y = fm->stride_c * groups;
		} else {
			fm->stride_y = 16 * es * fm->width;
			fm->stride_c = fm->stride_y * fm->height;
		}
	}
	for (unsigned t = 0; t < NPU_TILES; t++) {
		u32 w = t & 1 ? (fm->width > fm->width0 ? fm->width - fm->width0 : 0)
			      : min_u32(fm->width, fm->width0);
		u32 above = t & 1 ? fm->height1 : fm->height0;
		u32 h = t & 2 ? (fm->height > above ? fm->height - above : 0) : min_u32(fm->height, above);
		i64 first;
		tile[t] = NULL;
		if (!w || !h)
			continue;
		size_t bytes = room_of(fm, &first);
		tile[t] = a->bytes + arena_take(a, bytes) + first;
	}
}

void random_places(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view)
{
	u8 *ifm[NPU_TILES];

	random_place(r, a, &op->ifm, ifm);
	for (unsigned t = 0; t < NPU_TILES; t++)
		view->ifm[t] = ifm[t];
	random_place(r, a, &op->ofm, view->ofm);
}

/* Padding and the IFM's size for a window. */
static void random_padding(struct rng *r, struct npu_op *op)
{
	u32 kh = (op->kernel_h - 1) * op->dilation_y + 1, kw = (op->kernel_w - 1) * op->dilation_x + 1;
	for (;;) {
		bool pad = rng_below(r, 2);
		op->pad_top = pad ? (u16)rng_below(r, kh) : 0;
		op->pad_left = pad ? (u16)rng_below(r, kw) : 0;
		op->pad_bottom = pad ? (u16)rng_below(r, kh) : 0;
		op->pad_right = pad ? (u16)rng_below(r, kw) : 0;
		i32 h = (i32)((op->ofm.height - 1) * op->stride_y + kh) - op->pad_top - op->pad_bottom;
		i32 w = (i32)((op->ofm.width - 1) * op->stride_x + kw) - op->pad_left - op->pad_right;
		if (h < 0 || w < 0 || ((!h || !w) && rng_below(r, 8))) /* some maps are all padding */
			continue;
		op->up_height = (u32)h;
		op->up_width = (u32)w;
		op->ifm.height = op->upscale ? (op->up_height + 1) / 2 : op->up_height;
		op->ifm.width = op->upscale ? (op->up_width + 1) / 2 : op->up_width;
		return;
	}
}

void random_window(struct rng *r, struct npu_op *op, u32 kernel_max)
{
	op->kernel_h = 1 + (rng_below(r, 3) ? rng_below(r, kernel_max) : 0);
	op->kernel_w = 1 + (rng_below(r, 3) ? rng_below(r, kernel_max) : 0);
	op->stride_y = (u8)(1 + rng_below(r, 3));
	op->stride_x = (u8)(1 + rng_below(r, 3));
	op->dilation_y = (u8)(1 + rng_one_in(r, 4));
	op->dilation_x = (u8)(1 + rng_one_in(r, 4));
	op->upscale = rng_below(r, 4) ? NPU_UPSCALE_NONE : (u8)(1 + rng_below(r, 2));
	random_padding(r, op);
}

void doubled_window(struct rng *r, struct npu_op *op)
{
	op->ofm.height = 10 + rng_below(r, 20);
	op->ofm.width = 10 + rng_below(r, 20);
	op->ofm.depth = 8 + rng_below(r, 40);
	op->ifm.depth = rng_below(r, 3) ? 4 * (4 + rng_below(r, 10)) : 1 + rng_below(r, 30);
	op->kernel_h = 2 + rng_below(r, 4);
	op->kernel_w = 2 + rng_below(r, 4);
	op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->upscale = NPU_UPSCALE_ZEROS;
	random_padding(r, op);
}

void line_window(struct rng *r, struct npu_op *op)
{
	op->ofm.depth = op->ifm.depth = 1;
	if (rng_below(r, 2)) {
		op->ofm.height = 1 + rng_below(r, 100);
		op->ofm.width = 1;
	}
	op->ifm.bytes = 1;
	op->ofm.bytes = rng_below(r, 4) ? 4 : 1;
	op->ifm.zero_point = op->ifm.is_signed ? rng_range(r, -128, 127) : rng_range(r, 0, 255);
	op->kernel_h = 1 + (rng_one_in(r, 3) ? rng_below(r, 4) : 0);
	op->kernel_w = (u16)rng_range(r, 12, op->ofm.height < 10 && op->ofm.width < 10 && rng_one_in(r, 4) ? 1100 : 100);
	op->stride_y = (u8)(1 + rng_below(r, 3));
	op->stride_x = (u8)(1 + rng_below(r, 3));
	op->dilation_y = (u8)(1 + rng_one_in(r, 4));
	op->dilation_x = 1;
	if (rng_one_in(r, 3)) { /* whole rows, which may lie one behind the other */
		op->ofm.height = 1 + rng_below(r, 3);
		op->ofm.width = op->dilation_y = 1;
		op->kernel_h = (u16)rng_range(r, 2, 30);
		op->kernel_w = (u16)rng_range(r, 16, 80);
	}
	op->up_height = op->ifm.height = (op->ofm.height - 1) * op->stride_y + (op->kernel_h - 1) * op->dilation_y + 1;
	op->up_width = op->ifm.width = (op->ofm.width - 1) * op->stride_x + op->kernel_w;
}

/* Taps apart from each other: by dilation, or in a larger kernel, where all others may be zeros. */
static void apart_window(struct rng *r, struct npu_op *op)
{
	op->stride_y = op->stride_x = 1;
	if (rng_below(r, 2)) {
		op->dilation_y = (u8)(1 + rng_below(r, 4));
		op->dilation_x = (u8)(1 + rng_below(r, 4));
	} else {
		op->kernel_h = 5 + rng_below(r, 3);
		op->kernel_w = 5 + rng_below(r, 3);
	}
}

void mean_window(struct rng *r, struct npu_op *op)
{
	op->ofm.height = op->ofm.width = 1;
	op->kernel_h = 1 + rng_below(r, 70);
	op->kernel_w = 1 + rng_below(r, 12);
	op->stride_y = op->stride_x = 1;
	op->dilation_y = op->dilation_x = 1;
	op->upscale = NPU_UPSCALE_NONE;
	random_padding(r, op);
}

void usual_window(struct rng *r, struct npu_op *op, bool pointwise)
{
	op->kernel_h = op->kernel_w = pointwise ? 1 : 3;
	op->stride_y = op->stride_x = (u8)(pointwise ? 1 : 1 + rng_below(r, 2));
	op->dilation_y = op->dilation_x = 1;
	op->upscale = NPU_UPSCALE_NONE;
	if (op->kind == NPU_DEPTHWISE && rng_one_in(r, 3))
		apart_window(r, op);
	random_padding(r, op);
}

void column_window(struct rng *r, struct npu_op *op)
{
	op->ofm.height = 1 + rng_below(r, 60);
	op->ofm.width = 1;
	random_window(r, op, 12);
	op->kernel_w = 1;
	op->pad_left = op->pad_right = op->upscale = 0;
	op->ifm.height = op->up_height;
	op->ifm.width = op->up_width = 1;
}

void bytes_window(struct rng *r, struct npu_op *op)
{
	op->ifm.bytes = op->ofm.bytes = 1;
	op->ifm.zero_point = op->ifm.is_signed ? rng_range(r, -128, 127) : rng_range(r, 0, 255);
	if (rng_below(r, 2)) { /* a maximum stays what it is */
		op->ofm.is_signed = op->ifm.is_signed;
		op->ofm.zero_point = op->ifm.zero_point;
	}
	op->ofm.height = 4 + rng_below(r, 16);
	op->ofm.width = 4 + rng_below(r, rng_below(r, 4) ? 24 : 90);
	op->ofm.depth = op->ifm.depth = 1 + rng_below(r, rng_below(r, 4) ? 40 : 200);
	if (rng_one_in(r, 6)) { /* many channels of few pixels */
		op->ofm.height = 1 + rng_below(r, 5);
		op->ofm.width = 1 + rng_below(r, 5);
		op->ofm.depth = op->ifm.depth = 100 + rng_below(r, 400);
	}
	random_window(r, op, rng_below(r, 4) ? 3 : 6);
	if (op->upscale && rng_below(r, 4)) {
		op->upscale = NPU_UPSCALE_NONE;
		op->ifm.height = op->up_height;
		op->ifm.width = op->up_width;
	}
}

/* More taps of a column or a row than there is room for in one piece. */
static void long_window(struct rng *r, struct npu_op *op, bool column)
{
	op->ofm.height = 1 + rng_below(r, 3);
	if (column) {
		op->kernel_h = (u16)rng_range(r, 200, 6000);
		op->up_height = (op->ofm.height - 1) * op->stride_y + (op->kernel_h - 1) * op->dilation_y + 1 - op->pad_top - op->pad_bottom;
		return;
	}
	op->kernel_h = (u16)(1 + rng_below(r, 2));
	op->dilation_y = 1;
	op->dilation_x = (u8)(1 + rng_one_in(r, 4));
	op->kernel_w = (u16)(rng_range(r, 200, 6000) / op->dilation_x);
	op->up_height = (op->ofm.height - 1) * op->stride_y + (op->kernel_h - 1) * op->dilation_y + 1;
	op->pad_top = op->pad_bottom = 0;
	op->up_width = (op->ofm.width - 1) * op->stride_x + (op->kernel_w - 1) * op->dilation_x + 1 - op->pad_left - op->pad_right;
}

/* One window for each of so many channels. */
static void whole_window(struct rng *r, struct npu_op *op)
{
	op->ofm.height = op->ofm.width = 1;
	op->ofm.depth = op->ifm.depth = 1 + rng_below(r, rng_below(r, 2) ? 60 : 1200);
	random_window(r, op, 5);
	op->upscale = NPU_UPSCALE_NONE;
	op->ifm.height = op->up_height;
	op->ifm.width = op->up_width;
}

/* One window of many rows for each column. */
static void tall_window(struct rng *r, struct npu_op *op)
{
	const bool deep = rng_one_in(r, 4);

	if (rng_below(r, 4)) { /* of bytes, the largest one */
		op->mode = NPU_POOL_MAX;
		op->ifm.bytes = 1;
	}
	op->ofm.height = 1;
	op->ofm.width = 1 + rng_below(r, deep ? 2 : 12);
	op->ofm.depth = op->ifm.depth = 1 + rng_below(r, deep ? 700 : 60);
	random_window(r, op, 1);
	op->upscale = NPU_UPSCALE_NONE;
	op->pad_top = op->pad_bottom = op->pad_left = op->pad_right = 0;
	op->kernel_h = (u16)rng_range(r, 14, deep || rng_below(r, 2) ? 40 : 200);
	op->dilation_y = op->stride_x = 1;
	op->ifm.height = op->up_height = op->kernel_h + rng_below(r, 2);
	op->ifm.width = op->up_width = op->ofm.width;
}

void axis_window(struct rng *r, struct npu_op *op)
{
	if (rng_one_in(r, 3)) {
		tall_window(r, op);
		return;
	}
	if (rng_one_in(r, 5)) {
		whole_window(r, op);
		return;
	}
	const bool is_long = rng_one_in(r, 4), column = rng_below(r, 2), joined = !column && rng_below(r, 2);

	op->ofm.height = 1 + rng_below(r, rng_below(r, 4) ? 20 : 300);
	op->ofm.width = column || joined ? 1 : 1 + rng_below(r, 6);
	op->ofm.depth = op->ifm.depth = 1 + rng_below(r, rng_below(r, 3) ? 3 : 20);
	random_window(r, op, rng_below(r, 2) ? 4 : 20);
	op->upscale = NPU_UPSCALE_NONE;
	if (column) {
		op->kernel_w = op->dilation_x = 1;
		op->pad_left = op->pad_right = 0;
		op->up_width = 1;
	}
	if (joined) {
		op->kernel_h = op->stride_y = 1;
		op->pad_top = op->pad_bottom = op->pad_left = op->pad_right = 0;
		op->up_height = op->ofm.height;
		op->up_width = (op->kernel_w - 1) * op->dilation_x + 1 + rng_below(r, 3);
	}
	if (is_long)
		long_window(r, op, column);
	op->ifm.height = op->up_height;
	op->ifm.width = op->up_width;
}

u32 random_stream(struct rng *r, u64 count, unsigned width, const u16 *given, u8 *out)
{
	u64 pos = 0;
#define PUT(n_, v_) do { u32 v__ = (v_); for (unsigned b_ = 0; b_ < (n_); b_++, pos++) { \
		if ((pos & 7) == 0) out[pos >> 3] = 0; \
		out[pos >> 3] |= (u8)((v__ >> b_ & 1) << (pos & 7)); } } while (0)
	while (count) {
		u32 n = count < 32768 ? (u32)count : 32768;
		PUT(3, 6);
		PUT(15, n - 1);
		PUT(3, 7);
		PUT(1, 0);
		PUT(1, 1);
		PUT(5, 0);
		PUT(5, 0);
		PUT(3, width - 2);
		for (u32 i = 0; i < n; i++) {
			const u16 one = given ? *given++ : RANDOM_WEIGHT;
			PUT(width, one == RANDOM_WEIGHT ? rng_next(r) : one);
		}
		count -= n;
	}
	PUT(3, 7);
	while (pos & 127)
		PUT(1, 1);
#undef PUT
	return (u32)(pos / 8);
}

struct npu_view view_moved(const struct npu_view *v, const u8 *from, u8 *to)
{
	struct npu_view m = *v;
#define MOVE(p) ((p) = (p) ? (void *)(to + ((const u8 *)(p) - from)) : NULL)
	for (unsigned i = 0; i < NPU_TILES; i++) {
		MOVE(m.ifm[i]);
		MOVE(m.ifm2[i]);
		MOVE(m.ofm[i]);
	}
	for (unsigned i = 0; i < NPU_MAX_CORES; i++) {
		MOVE(m.weights[i]);
		MOVE(m.scales[i]);
	}
	MOVE(m.lut);
#undef MOVE
	return m;
}
