/* SPDX-License-Identifier: Apache-2.0 */
/* Pools: copies and conversions (1x1) as rows; windows are those of pool_windows.c. */
#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/rows/halves.h"
#include "npu/kernels/elementwise/reduce.h"
#include "npu/kernels/rows/rescale.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/rows/straight.h"
#include "npu/kernels/rows/tabled.h"
#include "npu/kernels/pool/windows.h"

static struct npu_scale identity(void)
{
	return (struct npu_scale){ .scale = 1, .shift = 0, .round = NPU_ROUND_NATURAL, .first = 31 };
}

static struct npu_scale scale_of(const struct npu_op *op)
{
	return op->divide_by_count ? identity() : op->ofm_scale;
}

/* ---- 1x1: every element on its own ---- */

struct single {
	const struct npu_op *op;
	const struct npu_simd *simd;
	struct npu_sink sink;
	struct npu_scale scale;
	struct npu_rescale rescale;
	const struct npu_rescale *fast;
	struct npu_mul8 bytes;
	struct npu_add16 words;
	struct npu_unary16 halves;
	i32 curve[NPU_CURVE_WORDS]; /* of these */
	NPU_LINE u8 curve_bytes[NPU_CURVE_BYTES];
	const struct npu_view *view;
	struct npu_walk_map maps[2];
	struct npu_walk_pixel pixel;
	npu_walk_row *row; /* NULL: elements as they are */
	u8 table[256];
	bool is_straight;
	struct npu_straight straight; /* then: the same as the table */
};

static void table_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		      size_t n)
{
	const struct single *s = ctx;

	if (s->is_straight && stride[0] == 1 && stride[1] == 1)
		s->simd->straight(&s->straight, p[1], n, p[0]);
	else
		npu_row_table(s->simd, s->table, p[1], stride[1], p[0], stride[0], n);
}

static void single_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS],
		       size_t n)
{
	const struct single *s = ctx;
	i32 v[NPU_ROW];

	npu_row_load32(&s->op->ifm, p[1], stride[1], n, v);
	npu_row_scale32(s->simd, s->fast, v, n, s->scale);
	npu_row_store32(&s->sink, v, n, p[0], stride[0]);
}

/* True: it is one for npu_simd.mul8, with a factor of 1. */
static bool bytes_init(struct single *s)
{
	const struct npu_fm *ifm = &s->op->ifm;
	struct npu_mul8 *m = &s->bytes;

	m->scaled = s->scale.scale != 1 || s->scale.shift != 0;
	if (!s->simd->mul8 || ifm->bytes != 1 || !s->sink.narrow_valid || (m->scaled && !s->fast))
		return false;
	m->rescale.left = 0;
	if (m->scaled)
		m->rescale = s->rescale;
	m->zero_a = ifm->zero_point;
	m->signed_a = ifm->is_signed;
	m->zero_b = 0;
	m->signed_b = false;
	m->factor = 1;
	m->narrow = s->sink.narrow;
	npu_mul8_limit(m, npu_fm_magnitude(ifm));
	return true;
}

static void bytes_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct single *s = ctx;

	if (stride[0] == 1 && stride[1] == 1)
		s->simd->mul8(&s->bytes, p[1], NULL, n, p[0]);
	else
		single_row(ctx, p, stride, n);
}

/* True: it is one for npu_simd.add16, without a second operand. */
static bool words_init(struct single *s)
{
	const struct npu_fm *ifm = &s->op->ifm;
	struct npu_add16 *w = &s->words;

	w->scaled = s->scale.shift != 0;
	if (!s->simd->add16 || ifm->bytes != 2 || !ifm->is_signed || !s->sink.narrow16_valid || (w->scaled && !s->fast))
		return false;
	if (w->scaled)
		w->rescale = s->rescale;
	w->a = (struct npu_operand8){ .zero_point = ifm->zero_point, .is_signed = true, .factor = w->scaled ? 1 << s->rescale.left : (i32)s->scale.scale };
	w->narrow = s->sink.narrow16;
	return true;
}

static void words_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct single *s = ctx;

	if (stride[0] == sizeof(i16) && stride[1] == sizeof(i16))
		npu_row_add16(s->simd, &s->words, p[1], NULL, n, p[0]);
	else
		single_row(ctx, p, stride, n);
}

/* Values up to `reach` stay what they are: a scale of 1, and of 2^31 + 1 behind 31 bits (nearest neighbours). */
static bool changes_nothing(struct npu_scale s, u64 reach)
{
	const u64 one = UINT64_C(1) << s.shift, above = s.scale - one;

	return s.scale >= one && s.shift <= 31 && s.round != NPU_ROUND_TRUNCATE && 4 * above * reach < one;
}

/* Elements as they are. */
static bool is_copy(const struct npu_op *op)
{
	const struct npu_fm *ifm = &op->ifm, *ofm = &op->ofm;
	const i32 lo = !ifm->is_signed ? 0 : ifm->bytes == 1 ? INT8_MIN : INT16_MIN, hi = lo + (ifm->bytes == 1 ? UINT8_MAX : UINT16_MAX);

	return op->output == NPU_OUT_CLAMP && ifm->bytes == ofm->bytes && ifm->is_signed == ofm->is_signed && ifm->zero_point == ofm->zero_point &&
	       op->lo <= lo && op->hi >= hi && changes_nothing(scale_of(op), npu_fm_magnitude(ifm));
}

static void halves_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct single *s = ctx;
	const i64 down[NPU_WALK_MAPS] = { 0 };

	if (!npu_unary16_run(s->simd, &s->halves, &(struct npu_halves){ p, down, stride, 1, n }))
		single_row(ctx, p, stride, n);
}

static bool single_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows, size_t n)
{
	const struct single *s = ctx;

	if (s->row == table_row)
		return npu_row_table_grid(s->simd, s->table, p, down, stride, rows, n);
	return s->row == halves_row && npu_unary16_run(s->simd, &s->halves, &(struct npu_halves){ p, down, stride, rows, n });
}

static bool is_single(const struct npu_op *op)
{
	return op->kernel_h == 1 && op->kernel_w == 1 && op->upscale != NPU_UPSCALE_ZEROS && !op->pad_top &&
	       !op->pad_left && !op->pad_bottom && !op->pad_right && !op->per_channel &&
	       (!op->ifm.tiled || (op->stride_y == 1 && op->stride_x == 1)) &&
	       (!op->upscale || (!op->ofm.tiled && op->stride_y == 1 && op->stride_x == 1));
}

/* No row: elements as they are. */
static void walk_maps(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map maps[2], npu_walk_row *row, void *ctx)
{
	if (row)
		npu_walk_grids(team, NULL, view, maps, 2, &(struct npu_walk_ways){ .row = row, .grid = single_grid }, ctx);
	else
		npu_walk_copy(team, view, maps);
}

/* Every input element goes to two rows and two columns: those of one parity each are a map as large as the input. */
static void walk_upscaled(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map maps[2], npu_walk_row *row, void *ctx)
{
	const struct npu_fm *ofm = maps[0].fm;

	for (u32 odd = 0; odd < 4; odd++) {
		const u32 down = odd / 2, right = odd % 2;
		const u8 *tile[NPU_TILES] = { maps[0].tile[0] + down * ofm->stride_y + right * ofm->stride_x };
		struct npu_fm part = *ofm;
		const struct npu_walk_map both[2] = { { .fm = &part, .tile = tile, .step_y = 1, .step_x = 1 }, maps[1] };

		part.height = part.height0 = part.height1 = (ofm->height + 1 - down) / 2;
		part.width = part.width0 = (ofm->width + 1 - right) / 2;
		part.stride_y *= 2;
		part.stride_x *= 2;
		if (part.height && part.width)
			walk_maps(team, view, both, row, ctx);
	}
}

static void single_rows(const struct npu_kernels *k, struct single *s)
{
	if (s->row == halves_row)
		npu_unary16_begin(&s->halves, s->simd, s->op, s->curve_bytes);
	if (s->pixel.n && s->row)
		npu_walk_pixel(&s->pixel, s->view, s->maps, 2, s->row, s);
	else
		(s->op->upscale ? walk_upscaled : walk_maps)(k->team, s->view, s->maps, s->row, s);
}

static bool is_of_bytes(const struct npu_op *op)
{
	return op->ifm.bytes == 1 && op->ofm.bytes == 1 && npu_table_pays(op);
}

/* Whether npu_sink_again() notices other tables. */
static bool is_followed(const struct single *s)
{
	return !npu_is_tabled(s->op) || (s->sink.narrow_valid && s->sink.narrow.table);
}

/* Few bytes of one channel that do not lie side by side. */
static bool keeps_table(const struct single *s)
{
	const struct npu_fm *ifm = &s->op->ifm, *ofm = &s->op->ofm;

	return ifm->bytes == 1 && ofm->bytes == 1 && ofm->depth == 1 && (ifm->stride_x != 1 || ofm->stride_x != 1) && is_followed(s);
}

/* With `lasts` a table is made for later times as well. */
static void choose_row(struct single *s, bool lasts)
{
	const bool halves = npu_is_tabled(s->op) && npu_unary16_init(&s->halves, &s->sink, s->scale, s->curve);

	s->row = is_copy(s->op) ? NULL : bytes_init(s) ? bytes_row : halves ? halves_row : words_init(s) ? words_row : single_row;
	if (s->row && (is_of_bytes(s->op) || (lasts && keeps_table(s))))
		s->row = npu_row_of_bytes(single_row, s, s->table, 1) ? NULL : table_row;
	s->is_straight = s->simd->straight && s->row == table_row && s->op->ifm.is_signed && npu_straight_find(&s->straight, s->table, s->op->ifm.zero_point);
}

static bool single_again(struct npu_kernels *k, void *room)
{
	struct single *s = room;

	if (!npu_sink_again(&s->sink))
		choose_row(s, true);
	single_rows(k, s);
	return true;
}

/* Other tables are noticed, or they are looked at each time. */
static bool single_lasts(const struct single *s, const struct npu_kernels *k)
{
	return npu_sink_lasts(&s->sink, k) && (is_followed(s) || !is_of_bytes(s->op));
}

static bool run_single(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct single *const room = npu_again_room(k, sizeof(*room)), own, *const s = room ? room : &own; /* its tables are set where they are used */
	const struct npu_walk_map maps[2] = {
		{ .fm = &op->ofm, .tile = (const u8 *const *)view->ofm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm, .tile = view->ifm, .step_y = op->stride_y, .step_x = op->stride_x },
	};
	i64 reach = (i64)npu_fm_magnitude(&op->ifm);

	s->op = op;
	s->simd = k->simd;
	s->scale = scale_of(op);
	npu_sink_init(&s->sink, k, op, view, NULL);
	if (npu_scale_round(reach, s->scale) >= NPU_ROW_LIMIT || npu_scale_round(-reach, s->scale) <= -NPU_ROW_LIMIT)
		return false;
	s->fast = npu_rescale_values(&s->rescale, s->scale, (u64)reach) ? &s->rescale : NULL;
	s->view = view;
	memcpy(s->maps, maps, sizeof(maps));
	npu_walk_pixel_init(&s->pixel, maps, 2);
	choose_row(s, room);
	single_rows(k, s);
	if (single_lasts(s, k))
		npu_again_keep(k, room, single_again);
	return true;
}

/* A small copy in one piece. */
static bool run_move(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	const u64 elements = (u64)op->ofm.height * op->ofm.width * op->ofm.depth;
	const struct npu_walk_map maps[2] = {
		{ .fm = &op->ofm, .tile = (const u8 *const *)view->ofm, .step_y = 1, .step_x = 1 },
		{ .fm = &op->ifm, .tile = view->ifm, .step_y = op->stride_y, .step_x = op->stride_x },
	};
	struct npu_move m;

	if (op->upscale || !is_copy(op) || npu_team_parts(k->team, NPU_TEAM_ELEMENT * elements) > 1 || !npu_walk_move(view, maps, &m))
		return false;
	npu_move_first(k, &m);
	return true;
}

bool npu_fast_pool(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	const u8 *const *ofm = (const u8 *const *)view->ofm;
	bool apart = !npu_fm_overlap(&op->ifm, view->ifm, &op->ofm, ofm);

	if (op->mode == NPU_POOL_REDUCE_SUM)
		return npu_fast_reduce(k, op, view); /* all of the input is read first */
	if (op->mode != NPU_POOL_MAX && op->mode != NPU_POOL_AVERAGE)
		return false;
	if (is_single(op) && op->ifm.bytes <= 2) {
		bool in_place = op->stride_y == 1 && op->stride_x == 1 && !op->upscale &&
				npu_fm_same(&op->ifm, view->ifm, &op->ofm, ofm);
		return (apart || in_place) && (run_move(k, op, view) || run_single(k, op, view));
	}
	return apart && npu_fast_windows(k, op, view);
}
