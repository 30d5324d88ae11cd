/* SPDX-License-Identifier: Apache-2.0 */
/* U85's bilinear resizes of bytes to bytes whose scale is a power of two, as those of TensorFlow Lite are by factors of 2, 4 and 8: all values have
 * 16 bits. See resize.h. */
#include <string.h>

#include "npu/kernels/move/copy.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/resize.h"
#include "npu/kernels/u85/rows.h"

enum { MOST_SHIFT = 8, MOST_VALUE = 16383, WINDOW = 16 };

struct blend {
	const struct npu85_job *j;
	const struct npu85_between *columns;
	struct npu85_out out;
	/* From a blended value to that of a byte: a constant for those below `zero`, one for others, a shift, and what is added then. */
	u16 zero, minus, plus;
	u8 shift;
	i16 add, lo, hi;
	bool signs, clamps; /* whether there are values below `zero`, or results beyond `lo` or `hi` */
	u8 flip;       /* bytes without a sign begin at 0 */
	bool few;      /* channels: rows are blended along x first, by groups of elements, as those of a pixel fill no vector */
	i64 held[2];   /* input rows in `line` or `along`; -1: none */
	u8 *line[2];   /* of even and of odd number; of few channels only the first, for any */
	u16 *between;  /* what lies between two of them, with one pixel more at each end */
	struct npu_blended *column;
	size_t groups; /* of them */
	u16 *along[2]; /* rows blended along x */
	u8 *row;       /* results */
};

/* ---- scaling ---- */

static bool scale_of(struct blend *b)
{
	const struct npu_op *op = &b->j->op;
	const u32 zero = (u32)(op->ifm.zero_point + (op->ifm.is_signed ? 128 : 0));
	struct npu85_stage s;

	if (zero > UINT8_MAX || !npu85_resize_scale(b->j, &s) || !npu_is_power(s.scale.scale))
		return false;
	const u64 n = (u64)op->u85.resize_y.n * (u64)op->u85.resize_x.n;
	const unsigned up = npu_log2(s.scale.scale), down = s.scale.shift;
	const u64 plus = (u64)s.rounding.plus >> up, minus = (u64)s.rounding.minus >> up;
	const u64 most = UINT8_MAX * n + (plus > minus ? plus : minus);
	if (down < up || down - up > MOST_SHIFT || most > UINT16_MAX || most >> (down - up) > MOST_VALUE || (zero * n) % (UINT64_C(1) << (down - up)))
		return false;
	b->shift = (u8)(down - up);
	b->zero = (u16)(zero * n);
	b->plus = (u16)plus;
	b->minus = (u16)minus;
	b->flip = op->ifm.is_signed ? 128 : 0;
	b->add = (i16)(b->out.narrow.zero_point - (b->zero >> b->shift));
	b->lo = (i16)b->out.narrow.lo;
	b->hi = (i16)b->out.narrow.hi;
	b->signs = b->zero && plus != minus;
	b->clamps = b->add < b->lo || (i32)(most >> b->shift) + b->add > b->hi;
	return b->out.narrow.zero_point >= -MOST_VALUE / 2 && b->out.narrow.zero_point <= MOST_VALUE / 2;
}

typedef u16 words16 __attribute__((vector_size(32)));
typedef i16 signed16 __attribute__((vector_size(32)));
typedef u8 bytes16 __attribute__((vector_size(16)));

#define CHOSEN(where, one, other) (((where) & (one)) | (~(where) & (other))) /* no function: hosts without such vectors would pass them in memory */

/* n values, a multiple of 16. `signs`: the constant may be either; `clamps`: results may lie beyond `lo` or `hi`. */
ALWAYS_INLINE void blend_blocks(const struct blend *b, const bool signs, const bool clamps, const u16 *left, const u16 *right, u16 near, u16 far, size_t n,
				u8 *to)
{
	const signed16 nothing = { 0 };
	const signed16 lo = nothing + b->lo, hi = nothing + b->hi;
	const words16 minus = (words16)nothing + (u16)(b->minus - b->plus);

	for (size_t at = 0; at < n; at += NPU_GROUP) {
		words16 sum, other;
		memcpy(&sum, left + at, sizeof(sum));
		memcpy(&other, right + at, sizeof(other));
		sum = sum * near + other * far;
		if (signs)
			sum += (words16)(sum < b->zero) & minus;
		signed16 v = (signed16)((sum + b->plus) >> b->shift) + b->add;
		if (clamps) {
			v = CHOSEN(v < lo, lo, v);
			v = CHOSEN(v > hi, hi, v);
		}
		const bytes16 bytes = __builtin_convertvector((words16)v, bytes16);
		memcpy(to + at, &bytes, sizeof(bytes));
	}
}

#define BLEND_BY(b, BODY) do { \
	if ((b)->clamps) { \
		if ((b)->signs) \
			BODY(true, true); \
		else \
			BODY(false, true); \
	} else if ((b)->signs) { \
		BODY(true, false); \
	} else { \
		BODY(false, false); \
	} } while (0)

static void blend(const struct blend *b, const u16 *left, const u16 *right, u16 near, u16 far, size_t n, u8 *to)
{
	n = (n + NPU_GROUP - 1) / NPU_GROUP * NPU_GROUP;
#define BLOCKS(signs, clamps) blend_blocks(b, signs, clamps, left, right, near, far, n, to)
	BLEND_BY(b, BLOCKS);
#undef BLOCKS
}

/* ---- rows ---- */

static void bring_line(const struct blend *b, u32 y, u8 *to)
{
	const struct npu_fm *ifm = &b->j->op.ifm;
	const size_t n = (size_t)ifm->width * ifm->depth;
	const u8 *const from = npu85_resize_row(b->j, y, to), flip = b->flip;

	if (from != to)
		memcpy(to, from, n);
	for (size_t i = 0; flip && i < n; i++)
		to[i] ^= flip;
}

/* Whether row y is not held yet; it will be. */
static bool is_new(struct blend *b, u32 y)
{
	const bool known = b->held[y & 1] == y;

	b->held[y & 1] = y;
	return !known;
}

static const u8 *line_of(struct blend *b, u32 y)
{
	if (is_new(b, y))
		bring_line(b, y, b->line[y & 1]);
	return b->line[y & 1];
}

static const u16 *along_of(struct blend *b, u32 y)
{
	if (is_new(b, y)) {
		bring_line(b, y, b->line[0]);
		b->j->k->simd->blend_columns(b->column, b->groups, b->line[0], b->along[y & 1]);
	}
	return b->along[y & 1];
}

static void blend_lines(struct blend *b, const struct npu85_between *y)
{
	const struct npu_fm *ifm = &b->j->op.ifm;
	const size_t depth = ifm->depth, n = ifm->width * depth;
	const u8 *const first = line_of(b, y->first), *const second = y->rest ? line_of(b, y->second) : first;
	const u16 near = (u16)(y->n - y->rest), far = (u16)y->rest;
	u16 *const to = b->between + depth;

	for (size_t i = 0; i < n; i++)
		to[i] = (u16)(first[i] * near + second[i] * far);
	memcpy(b->between, to, depth * sizeof(*to));
	memcpy(to + n, to + n - depth, depth * sizeof(*to));
}

/* What is the same for all pixels stays in registers. */
ALWAYS_INLINE void blend_pixels_by(const struct blend *b, const bool signs, const bool clamps, u8 *to)
{
	const struct npu_op *op = &b->j->op;
	const size_t depth = op->ifm.depth, blocks = (depth + NPU_GROUP - 1) / NPU_GROUP * NPU_GROUP;
	const u16 *const line = b->between + depth;

	for (u32 x = 0; x < op->ofm.width; x++, to += depth) {
		const struct npu85_between *at = &b->columns[x];
		blend_blocks(b, signs, clamps, line + at->first * depth, line + (at->rest ? at->second : at->first) * depth, (u16)(at->n - at->rest), (u16)at->rest,
			     blocks, to);
	}
}

static void blend_pixels(const struct blend *b, u8 *to)
{
#define PIXELS(signs, clamps) blend_pixels_by(b, signs, clamps, to)
	BLEND_BY(b, PIXELS);
#undef PIXELS
}

/* Where those of a group lie. False: too far apart for a window. */
static bool set_window(const u32 at[NPU_BLENDED], u32 *window, u8 byte[2 * NPU_BLENDED])
{
	u32 least = at[0], all = 0;

	for (unsigned i = 1; i < NPU_BLENDED; i++)
		least = at[i] < least ? at[i] : least;
	for (unsigned i = 0; i < NPU_BLENDED; i++) {
		const u32 from = at[i] - least;
		const u16 choice = (u16)(from | 128 << 8);
		all |= from;
		memcpy(byte + 2 * i, &choice, sizeof(choice));
	}
	*window = least;
	return all < WINDOW;
}

/* What each element of a row of results lies between. */
struct elements {
	u32 *left, *right;
	u16 *near, *far;
};

static void set_elements(const struct blend *b, const struct elements *e)
{
	const u32 depth = b->j->op.ifm.depth, width = b->j->op.ofm.width;
	size_t i = 0;

	for (u32 x = 0; x < width; x++) {
		const struct npu85_between *const at = &b->columns[x];
		const u32 left = at->first * depth, right = (at->rest ? at->second : at->first) * depth;
		const u16 near = (u16)(at->n - at->rest), far = (u16)at->rest;
		for (u32 c = 0; c < depth; c++, i++) {
			e->left[i] = left + c;
			e->right[i] = right + c;
			e->near[i] = near;
			e->far[i] = far;
		}
	}
	for (; i < b->groups * NPU_BLENDED; i++) { /* the last one again */
		e->left[i] = e->left[i - 1];
		e->right[i] = e->right[i - 1];
		e->near[i] = e->far[i] = 0;
	}
}

static bool set_groups(struct blend *b, const struct elements *e)
{
	set_elements(b, e);
	for (size_t g = 0, i = 0; g < b->groups; g++, i += NPU_BLENDED) {
		struct npu_blended *const c = &b->column[g];
		if (!set_window(e->left + i, &c->left, c->first) || !set_window(e->right + i, &c->right, c->second))
			return false;
		memcpy(c->near, e->near + i, sizeof(c->near));
		memcpy(c->far, e->far + i, sizeof(c->far));
	}
	return true;
}

static void blend_row(struct blend *b, u32 y)
{
	const struct npu_op *op = &b->j->op;
	const struct npu85_op *u = &op->u85;
	const struct npu85_between row = npu85_between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height, op->mode);

	if (b->few) {
		const u16 *const first = along_of(b, row.first), *const second = row.rest ? along_of(b, row.second) : first;
		blend(b, first, second, (u16)(row.n - row.rest), (u16)row.rest, (size_t)op->ofm.width * op->ofm.depth, b->row);
	} else {
		blend_lines(b, &row);
		blend_pixels(b, b->row);
	}
	if (b->out.narrow.table)
		b->j->k->simd->look_up(b->out.narrow.table, b->row, (size_t)op->ofm.width * op->ofm.depth, b->row);
	npu85_resize_put(b->j, y, b->row);
}

/* Whole blocks may be read and written behind the ends. */
static bool place(struct blend *b)
{
	const struct npu_op *op = &b->j->op;
	const size_t line = (size_t)op->ifm.width * op->ifm.depth, between = line + 2 * (size_t)op->ifm.depth + NPU_GROUP;
	const size_t row = (size_t)op->ofm.width * op->ofm.depth + NPU_GROUP;

	b->between = npu_scratch(&b->j->k->rows, between * sizeof(*b->between) + 2 * line + row);
	if (!b->between)
		return false;
	b->line[0] = (u8 *)(b->between + between);
	b->line[1] = b->line[0] + line;
	b->row = b->line[1] + line;
	memset(b->between + between - NPU_GROUP, 0, NPU_GROUP * sizeof(*b->between));
	return true;
}

/* The same of few channels. */
static bool place_few(struct blend *b)
{
	const struct npu_op *op = &b->j->op;
	const size_t line = (size_t)op->ifm.width * op->ifm.depth + WINDOW, row = (size_t)op->ofm.width * op->ofm.depth + NPU_GROUP;
	struct elements e;

	b->groups = (row + NPU_BLENDED - 1) / NPU_BLENDED;
	const size_t n = b->groups * NPU_BLENDED;
	b->column = npu_scratch(&b->j->k->rows, b->groups * sizeof(*b->column) + n * (2 * sizeof(u32) + 4 * sizeof(u16)) + line + row);
	if (!b->column)
		return false;
	e.left = (u32 *)(b->column + b->groups);
	e.right = e.left + n;
	e.near = (u16 *)(e.right + n);
	e.far = e.near + n;
	b->along[0] = e.far + n;
	b->along[1] = b->along[0] + n;
	b->line[0] = (u8 *)(b->along[1] + n);
	b->row = b->line[0] + line;
	memset(b->line[0] + line - WINDOW, 0, WINDOW);
	return set_groups(b, &e);
}

bool npu85_resize_bytes(struct npu85_job *j, const struct npu85_between *columns)
{
	const struct npu_op *op = &j->op;
	struct blend b = { .j = j, .columns = columns };

	if (op->mode != NPU_RESIZE_BILINEAR || op->ifm.bytes != 1 || op->ofm.bytes != 1 || op->per_channel || npu_fm_splits_rows(&op->ifm) ||
	    npu_fm_splits_rows(&op->ofm))
		return false;
	npu85_out_init(&b.out, j->k->simd, op, &j->view);
	if (!b.out.narrow_valid || !scale_of(&b))
		return false;
	b.few = op->ifm.depth < NPU_GROUP;
	b.held[0] = b.held[1] = -1;
	if (!(b.few ? place_few : place)(&b))
		return false;
	for (u32 y = 0; y < op->ofm.height && !npu_given_up(&j->view); y++)
		blend_row(&b, y);
	return true;
}
