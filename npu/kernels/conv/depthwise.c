/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise convolution, 16 channels at a time along the rows.
 *
 * Input rows of a channel group are brought into expanded lines (see simd/depthwise.h), each once,
 * and serve every output row whose window covers them: all rows together when the map is small,
 * else row by row in a small ring. */
#include "npu/kernels/conv/depthwise.h"

#include <string.h>

#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/conv/depthwise_line.h"
#include "npu/kernels/conv/depthwise_taps.h"
#include "npu/kernels/conv/even.h"
#include "npu/kernels/conv/shifted.h"
#include "npu/kernels/conv/turned.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/team.h"

#define MAX_TERMS 2048 /* pairs of 64x64 */
#define MAX_LINES_BYTES ((size_t)64 << 20)
#define MAX_WHOLE 576 /* positions of a map whose rows are expanded together: stays in the first caches */
#define NO_ROW INT32_MIN

/* Rows, or groups of channels, are shared by threads, each with lines of its own. */
struct shared {
	struct depthwise d;
	unsigned bands, columns; /* parts of the rows, and of the groups: one of both is 1 */
	u8 *lines;
};

/* A set of taps is the first one of a later pixel where whole pixels lie between them. */
static u32 set_pixels(const struct depthwise *d)
{
	u32 apart = d->taps * d->mac.gather.dilation_w, stride = d->mac.op->stride_x;

	return apart % stride == 0 ? apart / stride : 0;
}

/* Sizes of one expanded line, or of all. */
static void plan_columns(struct depthwise *d)
{
	const struct npu_op *op = d->mac.op;
	const struct npu_gather *g = &d->mac.gather;
	const size_t pixel = (size_t)NPU_GROUP * d->taps * d->bytes;
	u32 shared = set_pixels(d);

	d->columns.width = op->ofm.width;
	d->columns.kernel_w = g->kernel_w;
	d->columns.stride_w = op->stride_x;
	d->columns.dilation_w = g->dilation_w;
	if (shared && g->kernel_w > d->taps) {
		d->columns.width += (d->sets - 1) * shared;
		d->columns.kernel_w = d->taps;
	}
	d->set_bytes = (shared ? shared : op->ofm.width) * pixel;
	d->columns.slot = (shared ? 1 : d->sets) * d->columns.width * pixel;
}

/* Rows in parts of the same length, whole fours to the store, rather than a long one and a rest. */
static u32 equal_parts(u32 width)
{
	u32 parts = (width + NPU_BATCH - 1) / NPU_BATCH;

	return ((width + parts - 1) / parts + 3) / 4 * 4;
}

static bool plan_lines(struct depthwise *d)
{
	const struct npu_op *op = d->mac.op;
	const struct npu_gather *g = &d->mac.gather;
	u64 positions = (u64)(op->ofm.width - 1) * op->stride_x + (u64)(g->kernel_w - 1) * g->dilation_w + 1;
	u64 rows = (u64)(op->ofm.height - 1) * op->stride_y + (u64)(g->kernel_h - 1) * g->dilation_h + 1;

	d->sets = (g->kernel_w + d->taps - 1) / d->taps;
	if (positions > 1u << 20 || d->sets * g->kernel_h > MAX_TERMS)
		return false;
	d->columns.positions = (u32)positions;
	d->part = equal_parts(op->ofm.width);
	d->rows = op->stride_x == 1 && rows * positions <= MAX_WHOLE ? (u32)rows : 0;
	d->slots = 1;
	while (d->slots < (g->kernel_h - 1) * g->dilation_h + 1)
		d->slots *= 2;
	plan_columns(d);
	u64 slots = d->rows ? d->rows : d->slots;
	d->line_bytes = ((positions * NPU_GROUP + NPU_LINE_SLACK) * d->bytes + 63) / 64 * 64;
	u64 apart = ((u64)op->up_width + 2 * (u64)op->ofm.width) * NPU_GROUP;
	u64 total = d->line_bytes + slots * (d->columns.slot + sizeof(i32)) + apart;
	d->lines_bytes = (total + 63) / 64 * 64 + NPU_PLACE_GAP;
	return total <= MAX_LINES_BYTES;
}

/* The lines of one thread. */
static void place_lines(struct depthwise *d, u8 *lines)
{
	u64 slots = d->rows ? d->rows : d->slots;

	d->line = lines;
	d->expanded = d->line + d->line_bytes;
	d->last = d->expanded + slots * d->columns.slot;
	d->results = d->last + d->mac.gather.up_width * (size_t)NPU_GROUP;
	d->held = (i32 *)(d->results + 2 * (size_t)d->mac.op->ofm.width * NPU_GROUP);
	if (d->window) /* whole groups of bricks are expanded without the line: it stays */
		memset(d->line, d->mac.gather.pad ^ d->mac.gather.flip, (size_t)d->columns.positions * NPU_GROUP);
}

static void expand(const struct depthwise *d, i32 yu, u32 rows, u32 group, unsigned channels, u8 *expanded)
{
	i64 offset = group * npu_fm_stride_group(&d->mac.op->ifm);

	if (d->mac.u8)
		d->mac.simd->expand_u8(&d->mac.gather, &d->columns, yu, rows, offset, channels, d->line, expanded);
	else
		d->mac.simd->expand_i16(&d->mac.gather, &d->columns, yu, rows, offset, channels, (i16 *)d->line, expanded);
}

/* A new group: nothing is expanded yet, or all of it. */
static void begin_group(struct depthwise *d, u32 group, unsigned channels)
{
	if (d->rows)
		expand(d, -d->mac.op->pad_top, d->rows, group, channels, d->expanded);
	for (u32 s = 0; !d->rows && s < d->slots; s++)
		d->held[s] = NO_ROW;
}

/* Expanded line of upscaled row yu, channel group `group`. */
static const u8 *line_of(struct depthwise *d, i32 yu, u32 group, unsigned channels)
{
	u32 padded = (u32)(yu + d->mac.op->pad_top), slot = d->rows ? padded : padded & (d->slots - 1);
	u8 *expanded = d->expanded + slot * d->columns.slot;

	if (d->rows || d->held[slot] == yu)
		return expanded;
	d->held[slot] = yu;
	expand(d, yu, 1, group, channels, expanded);
	return expanded;
}

/* Where the taps of output pixels x .. lie in `lines`. */
static unsigned terms_of(const struct depthwise *d, const u8 *const *lines, u32 x, const u8 *term[MAX_TERMS])
{
	const size_t at = (size_t)x * NPU_GROUP * d->taps * d->bytes;
	unsigned terms = 0;

	for (u32 ky = 0; ky < d->mac.gather.kernel_h; ky++)
		for (u32 s = 0; s < d->sets; s++)
			term[terms++] = lines[ky] + s * d->set_bytes + at;
	return terms;
}

/* Accumulators of output pixels x .. x+n-1 of `rows` rows whose input lines are ready: those of the first
 * row are `lines`, those of the others lie behind them. */
static void multiply(const struct depthwise *d, const u8 *const *lines, u32 rows, u32 x, u32 n, u32 group, i32 *acc)
{
	const u8 *term[MAX_TERMS];
	const struct npu_packed *w = d->mac.weights;
	const i32 *start = d->mac.channels.start + group * NPU_GROUP;
	const size_t down = d->mac.op->stride_y * d->columns.slot;
	const unsigned terms = terms_of(d, lines, x, term);

	if (d->mac.u8)
		d->mac.simd->depthwise_u8(term, terms, rows, down, n, (const i8 *)w->weights + group * w->group_step, start,
				      acc);
	else
		d->mac.simd->depthwise_i16(term, terms, rows, down, n, (const i16 *)w->weights + group * w->group_step,
				       start, acc);
}

/* The same to bytes in memory. */
static void multiply_direct(const struct depthwise *d, const u8 *const *lines, u32 rows, u32 x, u32 n, u32 group,
			    struct npu_place *at)
{
	const u8 *term[MAX_TERMS];
	const struct npu_depthwise8 to = npu_depthwise_group(d, group);
	const size_t down = d->mac.op->stride_y * d->columns.slot;
	const unsigned terms = terms_of(d, lines, x, term);
	struct npu_target target;

	npu_target_next(&target, d->mac.op, d->mac.view, at, rows * n);
	d->mac.simd->depthwise_store_u8(&to, term, terms, rows, down, n, &target);
}

/* The next n pixels, of several rows when they are short. */
static void flush(const struct depthwise *d, struct npu_place *at, u32 n, u32 group, i32 *acc)
{
	struct npu_target target;

	npu_target_next(&target, d->mac.op, d->mac.view, at, n);
	npu_sink_store(&d->mac.sink, acc, &target, group);
}

/* The lines of `rows` output rows from oy on, then their results: all at once where every line is there.
 * `acc`: where accumulators go; NULL: their bytes go to memory, from pixel *at on. */
static void multiply_rows(struct depthwise *d, u32 oy, u32 rows, u32 x, u32 n, u32 group, unsigned channels, i32 *acc,
			  struct npu_place *at)
{
	const struct npu_op *op = d->mac.op;
	const u32 most = d->rows ? rows : 1;
	const u8 *lines[MAX_TERMS];

	for (u32 r = 0; r < rows; r += most) {
		const i32 y0 = (i32)((oy + r) * op->stride_y) - op->pad_top;
		for (u32 ky = 0; ky < d->mac.gather.kernel_h; ky++)
			lines[ky] = line_of(d, y0 + (i32)(ky * d->mac.gather.dilation_h), group, channels);
		if (acc)
			multiply(d, lines, most, x, n, group, acc + r * n * NPU_GROUP);
		else
			multiply_direct(d, lines, most, x, n, group, at);
	}
}

static bool is_direct(const struct depthwise *d, u32 group, unsigned channels)
{
	const struct npu_fm *ofm = &d->mac.op->ofm;

	return (d->window || (d->mac.u8 && d->mac.simd->depthwise_store_u8)) && channels == NPU_GROUP && npu_sink_is_layer(&d->mac.sink) && !npu_fm_splits_rows(ofm) &&
	       npu_direct(d->mac.channels.rescale + group, &d->mac.sink.narrow, ofm->stride_x);
}

/* A group's bytes through the table. */
static void look_up_rows(const struct depthwise *d, u32 group)
{
	const u32 width = d->mac.op->ofm.width;
	struct npu_place at = { d->first, 0 };
	struct npu_target target;

	for (u64 left = (u64)(d->end - d->first) * width, n; left; left -= n) {
		n = left < NPU_BATCH ? left : NPU_BATCH;
		npu_target_next(&target, d->mac.op, d->mac.view, &at, (unsigned)n);
		npu_sink_look_up(&d->mac.sink, &target, group, group + 1);
	}
}

/* Short rows together, long ones in parts. */
static void run_group(struct depthwise *d, u32 group)
{
	const struct npu_fm *ofm = &d->mac.op->ofm;
	const u32 left = ofm->depth - group * NPU_GROUP, width = ofm->width;
	const unsigned channels = left < NPU_GROUP ? left : NPU_GROUP;
	const u32 most = d->part < width ? 1 : NPU_BATCH / width;
	NPU_LINE i32 acc[NPU_BATCH * NPU_GROUP];
	struct npu_place at = { d->first, 0 };
	const bool direct = is_direct(d, group, channels);

	if (npu_depthwise_whole(d, group, channels) || npu_depthwise_window(d, group, channels, direct))
		return;
	begin_group(d, group, channels);
	for (u32 oy = d->first, rows; oy < d->end; oy += rows) {
		rows = d->end - oy < most ? d->end - oy : most;
		for (u32 x = 0, n; x < width && !npu_given_up(d->mac.view); x += n) {
			n = width - x < d->part ? width - x : d->part;
			multiply_rows(d, oy, rows, x, n, group, channels, direct ? NULL : acc, &at);
			if (!direct)
				flush(d, &at, rows * n, group, acc);
		}
	}
}

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct shared *s = ctx;
	const u32 groups = s->d.mac.channels.groups, pairs = (s->d.mac.op->ofm.height + 1) / 2;
	struct depthwise d = s->d;

	place_lines(&d, s->lines + place * d.lines_bytes);
	if (s->bands > 1) { /* pairs of rows: they are done together */
		d.first = 2 * (pairs * part / s->bands);
		d.end = part + 1 < s->bands ? 2 * (pairs * (part + 1) / s->bands) : d.end;
	}
	const u32 column = s->bands > 1 ? 0 : part;
	const u32 end = groups * (column + 1) / s->columns;
	for (u32 g = groups * column / s->columns, n; g < end; g += n) {
		n = npu_depthwise_down(&d, g, end);
		if (!n) {
			run_group(&d, g);
			n = 1;
		}
		for (u32 i = 0; i < n && d.mac.sink.late; i++)
			look_up_rows(&d, g + i);
	}
}

/* A product takes several times as long as in a convolution: lines are made for few of them, for half as many where rows are left out. Rows are what convolutions share, so that
 * a thread's caches have them; those of bands are expanded by each band that needs them, unless they are read where they lie. */
static void choose_parts(struct shared *s, const struct npu_kernels *k)
{
	const struct npu_op *op = s->d.mac.op;
	const u64 products = (u64)op->ofm.height * op->ofm.width * op->ofm.depth * s->d.mac.gather.kernel_h * s->d.mac.gather.kernel_w;
	const unsigned parts = npu_team_parts(k->team, (op->stride_y > 1 ? 6 : 3) * products);
	const bool bands = !s->d.rows && op->ofm.height >= (s->d.down || s->d.window ? 3 : 4) * parts;

	s->bands = bands ? parts : 1;
	s->columns = bands ? 1 : parts < s->d.mac.channels.groups ? parts : s->d.mac.channels.groups;
}

static bool run(struct shared *s, struct npu_kernels *k)
{
	if (s->d.line_only)
		return npu_depthwise_line(&s->d.mac, k);
	const unsigned parts = s->bands * s->columns;
	s->lines = npu_scratch(&k->lines, (parts > 1 ? npu_team_places(k->team) : 1) * s->d.lines_bytes);
	if (!s->lines)
		return false;
	npu_team_run(k->team, parts, run_part, s);
	return true;
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct shared *s = room;

	return npu_mac_again(&s->d.mac, k) && run(s, k);
}

bool npu_fast_depthwise(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (npu_fast_turned(k, op, view) || npu_fast_even(k, op, view) || npu_fast_means(k, op, view) || npu_fast_depthwise_shifted(k, op, view) ||
	    npu_fast_abreast(k, op, view))
		return true;
	struct shared *const room = npu_again_room(k, sizeof(*room)), own, *const s = room ? room : &own;
	struct depthwise *const d = &s->d;

	if (!npu_mac_init(&d->mac, k, op, view))
		return false;
	if (!npu_mac_fits_32(&d->mac))
		return npu_depthwise_taps(k, op, view);
	d->line_only = npu_depthwise_is_line(&d->mac);
	d->taps = d->mac.u8 ? 4 : 2;
	d->bytes = d->mac.u8 ? 1 : 2;
	npu_mac_start(&d->mac, k);
	if (!d->line_only && !plan_lines(d))
		return npu_depthwise_taps(k, op, view);
	d->first = 0;
	d->end = op->ofm.height;
	if (!d->line_only) {
		npu_sink_postpone(&d->mac.sink);
		npu_depthwise_window_init(d);
		npu_depthwise_whole_init(d);
		choose_parts(s, k);
	}
	if (!run(s, k))
		return false;
	if (npu_mac_lasts(&d->mac, k))
		npu_again_keep(k, room, run_again);
	return true;
}
