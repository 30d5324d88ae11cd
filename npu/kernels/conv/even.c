/* SPDX-License-Identifier: Apache-2.0 */
/* Rows under a window are added first, then neighbours in the line that they make (simd/pool_lines.h). Sums may wrap as the products' would. */
#include "npu/kernels/conv/even.h"

#include <string.h>

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"

enum {
	LEAST_TAPS = 16,
	MOST_TAPS = 32768, /* sums of elements of 16 bits have 32 */
	MOST_ROW = 1 << 20, /* elements */
	LINE = 4096,        /* of several rows at most */
	SLACK = NPU_GROUP,  /* of lines */
};

struct even {
	struct npu_mac mac;
	i32 start[NPU_GROUP], weight[NPU_GROUP]; /* of sums of elements as they are stored */
	u32 fold;                                /* elements of the line that are added to those before them: whole pixels; 0: windows are gone through */
	u32 rows;                                /* that are done together */
	bool apart;                              /* pixels do not lie side by side: rows are brought together */
};

/* Results that are waiting to be stored. */
struct pending {
	struct npu_place at;
	u32 n;
	NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
};

/* Elements of few windows, or of none, are in another one, too. Single rows of bytes are products (depthwise_line.h). */
static bool may_be_even(const struct npu_op *op)
{
	const bool padded = op->pad_top || op->pad_left || op->pad_bottom || op->pad_right;
	const u64 taps = (u64)op->kernel_h * op->kernel_w;

	if (op->ifm.bytes == 1 && op->ifm.depth == 1 && op->ifm.stride_x == 1 && op->kernel_h == 1)
		return false;
	return op->ofm.depth < NPU_GROUP && op->ifm.depth == op->ofm.depth && op->ifm.bytes <= 2 && !op->upscale && !padded && !op->phase &&
	       !op->abreast.pixels && op->dilation_x == 1 && !npu_fm_splits_rows(&op->ifm) && taps >= LEAST_TAPS && taps <= MOST_TAPS &&
	       (u64)op->ifm.width * op->ifm.depth <= MOST_ROW && op->ifm.height && op->ofm.height && op->ofm.width &&
	       (u64)op->ofm.height * op->kernel_h <= 2 * (u64)op->ifm.height && (u64)op->ofm.width * op->kernel_w <= 2 * (u64)op->ifm.width;
}

static i32 weight_at(const struct npu_packed *w, u32 channel, size_t at)
{
	const size_t place = npu_thin_place(w->key.taps, channel, at);

	return w->key.taps == 4 ? ((const i8 *)w->weights)[place] : ((const i16 *)w->weights)[place];
}

/* Lines of a kernel are whole sets of taps. */
static bool is_even(const struct npu_packed *w, u32 channel)
{
	const struct npu_weights_shape *s = &w->key.shape;
	const size_t line = w->row / s->kh;
	const i32 first = weight_at(w, channel, 0);

	for (u32 y = 0; y < s->kh; y++)
		for (u32 x = 0; x < s->kw; x++)
			if (weight_at(w, channel, y * line + x) != first)
				return false;
	return true;
}

static bool are_even(const struct npu_mac *m)
{
	bool even = !m->weights->kernel_h; /* nothing has been left out of the kernel */

	for (u32 c = 0; even && c < m->op->ofm.depth; c++)
		even = is_even(m->weights, c);
	return even;
}

/* Output rows that are done together: kernels of one row, and such a line. */
static u32 rows_together(const struct even *e)
{
	const struct npu_op *op = e->mac.op;
	const struct npu_fm *ifm = &op->ifm;
	const u32 row = ifm->width * ifm->depth;

	if (!e->fold || op->kernel_h > 1 || op->stride_y > 1 || ifm->tiled || ifm->stride_y != ifm->width * ifm->stride_x || row > LINE / 2)
		return 1;
	return LINE / row < NPU_BATCH ? LINE / row : NPU_BATCH;
}

static void take_constants(struct even *e)
{
	const struct npu_op *op = e->mac.op;
	const u32 depth = op->ofm.depth, taps = op->kernel_h * op->kernel_w, less = taps * (npu_mac_pad(&e->mac) - (u32)op->ifm.zero_point);

	for (u32 c = 0; c < depth; c++) {
		e->weight[c] = weight_at(e->mac.weights, c, 0);
		e->start[c] = (i32)((u32)e->mac.channels.start[c] + less * (u32)e->weight[c]);
	}
	e->apart = op->ifm.stride_x != (i64)depth * op->ifm.bytes;
	e->fold = op->ofm.width == 1 && op->kernel_w * depth > NPU_GROUP ? NPU_GROUP / depth * depth : 0;
	e->rows = rows_together(e);
}

/* The line of sums of the rows under an output row, or those of `rows` of kernels of one row. `room`: for all rows of a step. */
static void add_rows(const struct even *e, u32 oy, u32 rows, u8 *room, i32 *line)
{
	const struct npu_op *op = e->mac.op;
	const struct npu_fm *ifm = &op->ifm;
	const u32 pixels = rows * ifm->width, pixel = ifm->depth * ifm->bytes;
	const u8 *row[NPU_LINE_ROWS];
	struct npu_line_rows r = { .way = NPU_LINE_SUMS, .bytes = ifm->bytes, .is_signed = ifm->is_signed, .row = row,
				   .step = (size_t)NPU_GROUP * ifm->bytes, .n = (size_t)pixels * ifm->depth };

	for (u32 ky = 0; ky < op->kernel_h; ky += r.rows) {
		r.rows = op->kernel_h - ky < NPU_LINE_ROWS ? op->kernel_h - ky : NPU_LINE_ROWS;
		r.goes_on = ky > 0;
		for (u32 i = 0; i < r.rows; i++) {
			row[i] = npu_fm_pixel(ifm, e->mac.view->ifm, oy * op->stride_y + (ky + i) * op->dilation_y, 0);
			if (!e->apart)
				continue;
			u8 *const to = room + (size_t)i * pixels * pixel;
			npu_copy_runs(to, pixel, row[i], ifm->stride_x, pixels, pixel);
			row[i] = to;
		}
		e->mac.simd->line_rows(&r, line);
	}
}

/* A row's sum of each channel: `sum` has those of parts of the line, what is behind these is at `rest`. */
static void fold(const struct even *e, const i32 *sum, const i32 *rest, const i32 *end, i32 *to)
{
	const u32 depth = e->mac.op->ofm.depth;
	i32 all[NPU_GROUP];

	for (u32 c = 0; c < depth; c++) {
		i32 s = 0;
		for (u32 i = c; i < e->fold; i += depth)
			s += sum[i];
		for (const i32 *r = rest + c; r < end; r += depth)
			s += *r;
		all[c] = s;
	}
	memcpy(to, all, depth * sizeof(*to));
}

/* The windows' sums of that line. */
static void add_taps(const struct even *e, u32 rows, const i32 *line, i32 *sum)
{
	const struct npu_op *op = e->mac.op;
	const u32 depth = op->ifm.depth, used = op->kernel_w * depth;
	struct npu_line_taps taps = { .way = NPU_LINE_SUMS, .taps = op->kernel_w, .pixels = op->ofm.width, .tap = depth,
				      .step = (size_t)op->stride_x * depth, .pixel = depth };

	if (!e->fold) {
		e->mac.simd->line_taps(&taps, line, sum);
		return;
	}
	taps = (struct npu_line_taps){ .way = NPU_LINE_SUMS, .taps = used / e->fold, .pixels = rows, .tap = e->fold,
				       .step = (size_t)op->ifm.width * depth, .pixel = e->fold };
	e->mac.simd->line_taps(&taps, line, sum);
	for (u32 r = 0; r < rows; r++, line += taps.step)
		fold(e, sum + r * e->fold, line + taps.taps * e->fold, line + used, sum + r * depth);
}

static void flush(const struct even *e, struct pending *p)
{
	struct npu_target target;

	npu_target_next(&target, e->mac.op, e->mac.view, &p->at, p->n);
	npu_sink_store(&e->mac.sink, p->acc, &target, 0);
	p->n = 0;
}

/* Sums of n pixels. */
static void put(const struct even *e, const i32 *sum, u32 n, struct pending *p)
{
	const u32 depth = e->mac.op->ofm.depth;

	for (u32 x = 0; x < n; x++, sum += depth) {
		i32 *const acc = p->acc + p->n * NPU_GROUP;
		for (u32 c = 0; c < NPU_GROUP; c++)
			acc[c] = c < depth ? (i32)((u32)e->start[c] + (u32)e->weight[c] * (u32)sum[c]) : 0;
		if (++p->n == NPU_BATCH)
			flush(e, p);
	}
}

static bool run(const struct even *e, struct npu_kernels *k)
{
	const struct npu_op *op = e->mac.op;
	const struct npu_fm *ifm = &op->ifm;
	const size_t row = (size_t)e->rows * ifm->width * ifm->depth, sums = (size_t)op->ofm.width * ifm->depth + e->rows * NPU_GROUP;
	const size_t room = op->kernel_h < NPU_LINE_ROWS ? op->kernel_h : NPU_LINE_ROWS;
	i32 *const line = npu_scratch(&k->lines, (row + sums + 2 * SLACK) * sizeof(*line) + room * row * ifm->bytes);
	i32 *const sum = line + row + SLACK;
	struct pending p = { .n = 0 };

	if (!line)
		return false;
	for (u32 y = 0, rows; y < op->ofm.height && !npu_given_up(e->mac.view); y += rows) {
		rows = op->ofm.height - y < e->rows ? op->ofm.height - y : e->rows;
		add_rows(e, y, rows, (u8 *)(sum + sums + SLACK), line);
		add_taps(e, rows, line, sum);
		put(e, sum, rows * op->ofm.width, &p);
	}
	if (p.n)
		flush(e, &p);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct even *e = room;

	return npu_mac_again(&e->mac, k) && run(e, k);
}

bool npu_fast_even(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct even own;

	if (!may_be_even(op) || !npu_mac_init(&own.mac, k, op, view) || !npu_mac_fits_32(&own.mac) || !are_even(&own.mac))
		return false;
	struct even *const room = npu_again_room(k, sizeof(*room)), *const e = room ? room : &own;
	e->mac = own.mac;
	npu_mac_start(&e->mac, k);
	take_constants(e);
	if (!run(e, k))
		return false;
	if (npu_mac_lasts(&e->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
