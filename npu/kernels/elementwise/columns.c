/* SPDX-License-Identifier: Apache-2.0 */
/* See columns.h. The first operand's rows are a panel, the second operands weights in groups of 16 columns. */
#include "npu/kernels/elementwise/columns.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/kept/side_by_side.h"

enum { FEW_PIXELS = 2 /* of a row: columns are not worth packing */ };

static u8 *target(const struct npu_matrix_columns *c, unsigned column, u32 y, u32 x)
{
	const struct npu_fm *ofm = &c->sum->op->ofm;

	return (u8 *)npu_fm_pixel(ofm, (const u8 *const *)c->sum->view->ofm, y, x) + (size_t)column * ofm->bytes;
}

/* The column's second operand for a row of pixels. */
static const u8 *second_of(const struct npu_matrix_columns *c, unsigned column, u32 y)
{
	const struct npu_fm *fm = &c->product->op->ifm2;

	return c->second[column] + (fm->height == 1 ? 0 : y * fm->stride_y);
}

static unsigned groups_of(const struct npu_matrix_columns *c)
{
	return (c->count + NPU_GROUP - 1) / NPU_GROUP;
}

/* One matrix product, for each row of pixels. */
struct product {
	const struct npu_simd *simd;
	const struct npu_matrix_columns *columns;
	const struct npu_fm *a, *b;
	bool bytes;         /* by gemm_u8 */
	size_t row, step;   /* elements of a panel's row; weights of a group of columns */
	i32 zero_a, zero_b; /* of panel and weights as they are */
	void *panel, *weights;
	i32 *bias;
	bool stores;        /* bytes of neighbouring columns together */
	struct npu_narrow8 narrow;
};

static void row_of_bytes(u8 *restrict to, const u8 *restrict from, size_t n, u8 flip)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i] ^ flip;
}

static void row_of_words(i16 *restrict to, const u8 *restrict from, size_t n, bool is_signed, i32 zero)
{
	const i32 flip = is_signed ? 128 : 0;

	for (size_t i = 0; i < n; i++)
		to[i] = (i16)((from[i] ^ flip) - flip - zero);
}

static void fill_panel(const struct product *p, u32 y)
{
	const u8 *from = npu_fm_pixel(p->a, p->columns->product->view->ifm, y, 0);
	const bool joined = p->a->stride_x == (i64)p->row && p->a->depth == p->row; /* all of it is one row */
	const u32 rows = joined ? 1 : p->a->width;
	const size_t n = joined ? p->a->width * p->row : p->a->depth;
	const u8 flip = p->a->is_signed != p->simd->less_128 ? 128 : 0;

	for (u32 x = 0; x < rows; x++, from += p->a->stride_x)
		if (p->bytes)
			row_of_bytes((u8 *)p->panel + x * p->row, from, n, flip);
		else
			row_of_words((i16 *)p->panel + x * p->row, from, n, p->a->is_signed, p->a->zero_point);
}

/* Weights that are multiplied together: of 16 columns, side by side. Those behind the depth, and behind the last column, are 0. */
static void fill_bytes(const u8 *const from[NPU_GROUP], size_t depth, u8 flip, u32 *to)
{
	const u32 flips = flip * UINT32_C(0x01010101);
	size_t i = 0;

	for (; i + 4 <= depth; i += 4, to += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++) {
			u32 four;
			memcpy(&four, from[c] + i, sizeof(four));
			to[c] = four ^ flips;
		}
	for (unsigned c = 0; i < depth && c < NPU_GROUP; c++) {
		u32 some = 0;
		memcpy(&some, from[c] + i, depth - i);
		to[c] = some ^ (flips & ((UINT32_C(1) << 8 * (depth - i)) - 1));
	}
}

/* 16 or fewer weights of each of four columns. */
ALWAYS_INLINE void put_columns(const u8 *const from[4], size_t at, u32 n, bool is_signed, i32 zero, u8 *to)
{
	u8 part[NPU_GROUP] = { 0 };
	npu_dwords v[4][2];

	for (unsigned c = 0; c < 4; c++) {
		i16 words[NPU_GROUP];
		if (n < NPU_GROUP)
			memcpy(part, from[c] + at, n);
		npu_widen(n < NPU_GROUP ? part : from[c] + at, is_signed, zero, n, words);
		memcpy(v[c], words, sizeof(v[c]));
	}
	for (unsigned i = 0; i < 2; i++)
		npu_put_four(v[0][i], v[1][i], v[2][i], v[3][i], to + i * 4 * NPU_PUT_ROW);
}

static void fill_words(const u8 *const from[NPU_GROUP], size_t depth, bool is_signed, i32 zero, i16 *weights)
{
	const u32 rest = depth % NPU_GROUP;
	u8 last[NPU_GROUP / 2 * NPU_PUT_ROW];

	for (unsigned c = 0; c < NPU_GROUP; c += 4) {
		u8 *to = (u8 *)(void *)weights + c * sizeof(i32);
		for (size_t i = 0; i < depth - rest; i += NPU_GROUP, to += NPU_GROUP / 2 * NPU_PUT_ROW)
			put_columns(from + c, i, NPU_GROUP, is_signed, zero, to);
		if (rest)
			put_columns(from + c, depth - rest, rest, is_signed, zero, last);
		for (u32 i = 0; i < (rest + 1) / 2; i++)
			memcpy(to + i * NPU_PUT_ROW, last + i * NPU_PUT_ROW, 4 * sizeof(i32));
	}
}

static void fill_weights(const struct product *p, unsigned group, u32 y)
{
	static const u8 nothing[NPU_DOTS];
	const unsigned first = group * NPU_GROUP, left = p->columns->count - first;
	const u8 *from[NPU_GROUP];

	for (unsigned c = 0; c < NPU_GROUP; c++)
		from[c] = c < left ? second_of(p->columns, first + c, y) : nothing;
	if (p->bytes)
		fill_bytes(from, p->a->depth, p->b->is_signed ? 0 : 128, (u32 *)p->weights + group * p->step / 4);
	else
		fill_words(from, p->a->depth, p->b->is_signed, p->b->zero_point, (i16 *)p->weights + group * p->step);
}

static void fill_bias(const struct product *p, unsigned group)
{
	i32 *const sum = p->bias + group * NPU_GROUP;

	if (!p->bytes)
		return; /* zero points are off already */
	p->simd->sums_i8((const i8 *)p->weights + group * p->step, p->row, sum);
	for (unsigned i = 0; i < NPU_GROUP; i++)
		sum[i] = p->zero_a * ((i32)p->a->depth * p->zero_b - sum[i]);
}

/* Of a panel's row; `less`: its bytes are signed. */
static i32 row_sum(const u8 *row, size_t n, bool less)
{
	const i32 flip = less ? 128 : 0;
	i32 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (row[i] ^ flip) - flip;
	return sum;
}

/* Sums of the panel's rows times the weights' zero point. */
static void take_off(const struct product *p, u32 x, unsigned pixels, unsigned groups, i32 *acc)
{
	for (unsigned i = 0; i < pixels; i++) {
		const i32 less = p->zero_b * row_sum((const u8 *)p->panel + (x + i) * p->row, p->a->depth, p->simd->less_128);
		for (unsigned g = 0; g < groups; g++)
			for (unsigned c = 0; c < NPU_GROUP; c++)
				acc[(g * NPU_TILE + i) * NPU_GROUP + c] -= less;
	}
}

/* Up to 16 columns of neighbouring pixels. */
static void store(const struct product *p, unsigned column, u32 y, u32 x, unsigned pixels, const i32 *acc)
{
	const struct npu_matrix_columns *c = p->columns;
	const struct npu_reduction *r = c->sum;
	const unsigned left = c->count - column, n = left < NPU_GROUP ? left : NPU_GROUP;
	const i64 step = r->op->ofm.stride_x;
	i32 v[(NPU_TILE + NPU_GROUP - 1) / NPU_GROUP * NPU_GROUP];

	if (p->stores) {
		struct npu_target t = { .step = step, .runs = 1 };
		t.run[0] = (struct npu_run){ target(c, column, y, x), pixels };
		p->simd->store8(acc, &t, r->fast, &p->narrow, 0, n);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < pixels; k++)
			v[k] = acc[k * NPU_GROUP + i];
		npu_row_scale32(p->simd, r->fast, v, pixels, r->op->ofm_scale);
		npu_row_store32(&r->sink, v, pixels, target(c, column + i, y, x), step);
	}
}

static void multiply(const struct product *p, u32 y)
{
	const unsigned groups = groups_of(p->columns);
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP];

	for (u32 x = 0, n; x < p->a->width; x += n) {
		n = p->a->width - x < NPU_TILE ? p->a->width - x : NPU_TILE;
		for (unsigned g = 0; g < groups; g += 2) {
			const unsigned both = groups - g > 1 ? 2 : 1;
			if (p->bytes)
				p->simd->gemm_u8((const u8 *)p->panel + x * p->row, p->row, false, n, (const i8 *)p->weights + g * p->step, both, p->step,
						 p->bias + g * NPU_GROUP, acc);
			else
				p->simd->gemm_i16((const i16 *)p->panel + x * p->row, p->row, false, n, (const i16 *)p->weights + g * p->step, both,
						  p->step, p->bias + g * NPU_GROUP, acc);
			if (p->bytes && p->zero_b)
				take_off(p, x, n, both, acc);
			for (unsigned i = 0; i < both; i++)
				store(p, (g + i) * NPU_GROUP, y, x, n, acc + i * NPU_TILE * NPU_GROUP);
		}
	}
}

/* Whether bytes are estimated depends on how large results can be; of a power of two too many lie next to a tie. */
static void choose_store(struct product *p)
{
	const struct npu_reduction *r = p->columns->sum;
	const double reach = (double)p->a->depth * (double)(npu_fm_magnitude(p->a) * npu_fm_magnitude(p->b));

	p->narrow = r->sink.narrow;
	p->stores = r->fast && !r->fast->left && r->sink.narrow_valid && r->op->ofm_scale.shift;
	p->narrow.small = p->stores && !npu_is_power(r->op->ofm_scale.scale) && reach * (double)r->fast->factor[0] < NPU_SMALL_VALUE;
}

static bool product_init(struct product *p, struct npu_kernels *k, const struct npu_matrix_columns *c)
{
	const struct npu_fm *a = &c->product->op->ifm, *b = &c->product->op->ifm2;
	const bool bytes = k->simd->gemm_u8;
	const size_t row = (a->depth + 3) / 4 * 4, element = bytes ? 1 : 2, groups = groups_of(c);
	const size_t panel = ((a->width * row + NPU_PANEL_SLACK) * element + 63) / 64 * 64, weights = groups * row * NPU_GROUP * element;

	*p = (struct product){ .simd = k->simd, .columns = c, .a = a, .b = b, .bytes = bytes, .row = row, .step = row * NPU_GROUP };
	p->zero_a = a->zero_point + (a->is_signed ? 128 : 0) - (k->simd->less_128 ? 128 : 0);
	p->zero_b = b->zero_point - (b->is_signed ? 0 : 128);
	u8 *const room = npu_scratch(&k->panel, panel + weights + groups * NPU_GROUP * sizeof(*p->bias));
	if (!room)
		return false;
	p->panel = room;
	p->weights = room + panel;
	p->bias = (i32 *)(void *)(room + panel + weights);
	memset(room + panel, 0, weights + groups * NPU_GROUP * sizeof(*p->bias));
	choose_store(p);
	return true;
}

/* Columns take the place of pixels, and each pixel that of a column. */
static void sum_rows(const struct npu_kernels *k, const struct npu_matrix_columns *c, u32 y, u32 x, i32 *v)
{
	const struct npu_fm *a = &c->product->op->ifm, *b = &c->product->op->ifm2;
	const struct npu_products8 types = { b->zero_point, a->zero_point, b->is_signed, a->is_signed };
	const u8 *const pixel = npu_fm_pixel(a, c->product->view->ifm, y, x);

	if (c->even)
		k->simd->dots8(&types, second_of(c, 0, y), c->step, c->count, pixel, a->depth, v);
	for (unsigned i = 0; !c->even && i < c->count; i++)
		k->simd->dots8(&types, second_of(c, i, y), 0, 1, pixel, a->depth, v + i);
}

static void make_rows(const struct npu_kernels *k, const struct npu_matrix_columns *c)
{
	const struct npu_reduction *r = c->sum;
	const struct npu_fm *a = &c->product->op->ifm;
	i32 v[NPU_MATRIX_COLUMNS];

	for (u32 y = 0; y < a->height && !npu_given_up(r->view); y++)
		for (u32 x = 0; x < a->width; x++) {
			sum_rows(k, c, y, x, v);
			npu_row_scale32(k->simd, r->fast, v, c->count, r->op->ofm_scale);
			npu_row_store32(&r->sink, v, c->count, target(c, 0, y, x), r->op->ofm.bytes);
		}
}

/* Where there are many pixels, or columns do not lie so; bytes are not widened to pack them where the level multiplies them. */
static bool packing_pays(const struct npu_kernels *k, const struct npu_matrix_columns *c)
{
	return c->product->op->ifm.width > FEW_PIXELS || k->simd->gemm_u8 || !c->even;
}

void npu_matrix_columns_make(struct npu_kernels *k, const struct npu_matrix_columns *c)
{
	struct product p;

	if (!packing_pays(k, c) || !product_init(&p, k, c)) {
		make_rows(k, c);
		return;
	}
	for (u32 y = 0; y < p.a->height && !npu_given_up(c->sum->view); y++) {
		fill_panel(&p, y);
		for (unsigned g = 0; g < groups_of(c) && (y == 0 || p.b->height > 1); g++) {
			fill_weights(&p, g, y);
			fill_bias(&p, g);
		}
		multiply(&p, y);
	}
}
