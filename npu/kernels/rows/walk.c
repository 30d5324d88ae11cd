/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of elements of several feature maps; see walk.h. */
#include "npu/kernels/rows/walk_packed.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/simd/simd.h"

static void dim_add(struct npu_walk *w, size_t n, const i64 stride[NPU_WALK_MAPS])
{
	if (n == 1)
		return;
	struct npu_walk_dim *last = w->dims ? &w->dim[w->dims - 1] : NULL;
	bool joins = last != NULL;

	for (unsigned m = 0; joins && m < w->maps; m++)
		joins = last->stride[m] == stride[m] * (i64)n;
	if (joins) {
		last->n *= n;
	} else {
		last = &w->dim[w->dims++];
		last->n = n;
	}
	for (unsigned m = 0; m < w->maps; m++)
		last->stride[m] = stride[m];
}

/* A short innermost dimension that is not packed changes place with the longest one. */
static void dims_order(struct npu_walk *w)
{
	if (w->dims == 0) {
		w->dim[0] = (struct npu_walk_dim){ .n = 1 };
		w->dims = 1;
	}
	unsigned inner = w->dims - 1, longest = inner;

	if (w->dim[inner].n >= NPU_WALK_SHORT || npu_walk_packs(w))
		return;
	for (unsigned d = 0; d < w->dims; d++)
		if (w->dim[d].n > w->dim[longest].n)
			longest = d;
	struct npu_walk_dim t = w->dim[inner];
	w->dim[inner] = w->dim[longest];
	w->dim[longest] = t;
}

/* With a context it is only noted there. */
static void run_copy(const struct npu_walk *w, u8 *const start[NPU_WALK_MAPS])
{
	struct npu_copy_dim dim[NPU_WALK_DIMS];
	struct npu_move own, *const m = w->ctx ? w->ctx : &own;

	for (unsigned d = 0; d < w->dims; d++)
		dim[d] = (struct npu_copy_dim){ w->dim[d].n, w->dim[d].stride[0], w->dim[d].stride[1] };
	npu_copy_plan(&m->plan, dim, w->dims, w->map[0].fm->bytes);
	m->view = w->view;
	m->to = start[0];
	m->from = start[1];
	if (!w->ctx)
		npu_move_run(m);
}

static void run_all(const struct npu_walk *w, u8 *const start[NPU_WALK_MAPS])
{
	if (w->row)
		npu_walk_run(w, 0, start);
	else
		run_copy(w, start);
}

/* What threads share: one of the dimensions. */
struct shared {
	const struct npu_walk *walk;
	u8 *const *start;
	unsigned dim, parts;
};

static void run_part(void *ctx, unsigned part, unsigned place)
{
	const struct shared *s = ctx;
	struct npu_walk w = *s->walk;
	struct npu_walk_dim *const dim = &w.dim[s->dim];
	const size_t first = dim->n * part / s->parts, end = dim->n * (part + 1) / s->parts;
	u8 *start[NPU_WALK_MAPS] = { NULL };

	(void)place;
	for (unsigned m = 0; m < w.maps; m++)
		start[m] = s->start[m] + (i64)first * dim->stride[m];
	dim->n = end - first;
	run_all(&w, start);
}

/* The dimension whose steps are the longest, as other kernels share maps by rows, if it has enough of them; else the one with the most. */
static unsigned shared_dim(const struct npu_walk *w, unsigned parts)
{
	unsigned longest = 0, most = 0;

	for (unsigned d = 1; d < w->dims; d++) {
		if (w->dim[d].stride[0] > w->dim[longest].stride[0])
			longest = d;
		if (w->dim[d].n > w->dim[most].n)
			most = d;
	}
	return w->dim[longest].n >= parts ? longest : most;
}

static void share(const struct npu_walk *w, u8 *const start[NPU_WALK_MAPS])
{
	u64 elements = 1;

	for (unsigned d = 0; d < w->dims; d++)
		elements *= w->dim[d].n;
	const unsigned one = w->row && npu_walk_packs(w) ? 3 * NPU_TEAM_ELEMENT : NPU_TEAM_ELEMENT; /* brought together first, and taken apart */
	struct shared s = { .walk = w, .start = start, .parts = w->dims ? npu_team_parts(w->team, one * elements) : 1 };
	if (s.parts > 1) {
		s.dim = shared_dim(w, s.parts);
		if (w->dim[s.dim].n < s.parts)
			s.parts = (unsigned)w->dim[s.dim].n;
	}
	if (s.parts > 1)
		npu_team_run(w->team, s.parts, run_part, &s);
	else
		run_all(w, start);
}

struct rect {
	u32 y, x, h, w;
};

/* Groups of short rows that are brought together: those of many rows lie further within than the groups of one. Elements that are the same for all
 * groups are repeated for these. */
static void dims_turn(struct npu_walk *w)
{
	const struct npu_walk_dim rows = w->dim[0], groups = w->dim[1];

	for (unsigned m = 0; m < w->maps; m++)
		if (!groups.stride[m])
			return;
	if (rows.n <= groups.n || !npu_walk_packs_planes(w, &w->dim[1]))
		return;
	w->dim[0] = groups;
	w->dim[1] = rows;
}

/* The groups of a row and its pixels. Where all maps have bricks rows of groups lie one behind the other, often up to the end of the map; else
 * the inner one is brought together, and should be long. */
static void dims_across(struct npu_walk *w, u32 groups, const i64 group[NPU_WALK_MAPS], u32 width, const i64 x[NPU_WALK_MAPS])
{
	bool mixed = false;

	for (unsigned m = 1; m < w->maps; m++)
		mixed |= x[m] != x[0];
	if (mixed && groups > width) {
		dim_add(w, width, x);
		dim_add(w, groups, group);
	} else {
		dim_add(w, groups, group);
		dim_add(w, width, x);
	}
}

/* Rectangle that lies in one tile of every map; channels first .. first + n-1, all in one
 * group of 16 or whole groups when some map has bricks. */
static void run_box(struct npu_walk *w, const struct rect *r, u32 first, u32 n, bool bricks)
{
	i64 y[NPU_WALK_MAPS], x[NPU_WALK_MAPS], group[NPU_WALK_MAPS], c[NPU_WALK_MAPS];
	u8 *p[NPU_WALK_MAPS] = { NULL };

	for (unsigned m = 0; m < w->maps; m++) {
		const struct npu_walk_map *map = &w->map[m];
		const struct npu_fm *fm = map->fm;
		bool one_y = fm->height == 1, one_x = fm->width == 1, one_c = fm->depth == 1;
		p[m] = (u8 *)npu_fm_pixel(fm, map->tile, one_y ? 0 : r->y * map->step_y,
					  one_x ? 0 : r->x * map->step_x);
		c[m] = one_c ? 0 : map->stride_c ? map->stride_c : fm->bytes;
		group[m] = one_c ? 0 : map->stride_c ? 16 * map->stride_c : npu_fm_stride_group(fm);
		p[m] += first / 16 * group[m] + first % 16 * c[m];
		y[m] = one_y ? 0 : fm->stride_y * map->step_y;
		x[m] = one_x ? 0 : fm->stride_x * map->step_x;
	}
	w->dims = 0;
	dim_add(w, r->h, y);
	dims_across(w, n < 16 || !bricks ? 1 : n / 16, group, r->w, x);
	dim_add(w, bricks && n > 16 ? 16 : n, c);
	if (w->row)
		dims_order(w);
	if (w->row && w->dims == NPU_WALK_DIMS)
		dims_turn(w);
	share(w, p);
}

static void run_rect(struct npu_walk *w, const struct rect *r)
{
	u32 depth = w->map[0].fm->depth;
	bool bricks = false;

	for (unsigned m = 0; m < w->maps; m++)
		bricks |= w->map[m].fm->format != NPU_NHWC && w->map[m].fm->depth > 1;
	if (!bricks) {
		run_box(w, r, 0, depth, false);
		return;
	}
	if (depth >= 16)
		run_box(w, r, 0, depth / 16 * 16, true);
	if (depth % 16)
		run_box(w, r, depth / 16 * 16, depth % 16, true);
}

/* Where the first cut behind `at` lies, at most `end`. */
static u32 cut(u32 at, u32 end, u32 edge)
{
	return edge > at && edge < end ? edge : end;
}

void npu_walk_copy(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map map[2])
{
	npu_walk(team, view, map, 2, NULL, NULL);
}

void npu_walk_pixel_init(struct npu_walk_pixel *w, const struct npu_walk_map *map, unsigned maps)
{
	const struct npu_fm *first = map[0].fm;

	w->n = 0;
	if (first->height != 1 || first->width != 1 || first->depth > NPU_ROW)
		return;
	for (unsigned m = 0; m < maps; m++) {
		const struct npu_fm *fm = map[m].fm;
		if (fm->tiled || map[m].stride_c || (fm->depth > NPU_GROUP && npu_fm_stride_group(fm) != NPU_GROUP * (i64)fm->bytes))
			return;
		w->stride[m] = fm->depth == 1 ? 0 : fm->bytes;
	}
	w->n = first->depth;
}

/* Rectangles that lie in one tile of every map. */
static void run_tiles(struct npu_walk *w)
{
	const u32 height = w->map[0].fm->height, width = w->map[0].fm->width;
	struct rect r;

	for (r.y = 0; r.y < height; r.y += r.h) {
		u32 bottom = height;
		for (unsigned m = 0; m < w->maps; m++)
			if (w->map[m].fm->tiled) {
				bottom = cut(r.y, bottom, w->map[m].fm->height0);
				bottom = cut(r.y, bottom, w->map[m].fm->height1);
			}
		r.h = bottom - r.y;
		for (r.x = 0; r.x < width; r.x += r.w) {
			u32 right = width;
			for (unsigned m = 0; m < w->maps; m++)
				if (w->map[m].fm->tiled)
					right = cut(r.x, right, w->map[m].fm->width0);
			r.w = right - r.x;
			run_rect(w, &r);
		}
	}
}

/* Its dimensions are set where they are used: to clear them takes longer than a row of a small map. */
static __attribute__((noinline)) void walk_all(struct npu_team *team, const struct npu_simd *simd, const struct npu_view *view, const struct npu_walk_map *map,
						unsigned maps, const struct npu_walk_ways *ways, void *ctx)
{
	struct npu_walk w;

	w.team = team;
	w.repeat = simd ? simd->repeat : NULL;
	w.view = view;
	w.map = map;
	w.maps = maps;
	w.row = ways->row;
	w.grid = ways->grid;
	w.space = ways->space;
	w.ctx = ctx;
	run_tiles(&w);
}

void npu_walk_grids(struct npu_team *team, const struct npu_simd *simd, const struct npu_view *view, const struct npu_walk_map *map, unsigned maps,
		    const struct npu_walk_ways *ways, void *ctx)
{
	struct npu_walk_pixel pixel;

	npu_walk_pixel_init(&pixel, map, maps);
	if (ways->row && pixel.n)
		npu_walk_pixel(&pixel, view, map, maps, ways->row, ctx);
	else
		walk_all(team, simd, view, map, maps, ways, ctx);
}

void npu_walk(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map *map, unsigned maps, npu_walk_row *row, void *ctx)
{
	npu_walk_grids(team, NULL, view, map, maps, &(struct npu_walk_ways){ .row = row }, ctx);
}

bool npu_walk_move(const struct npu_view *view, const struct npu_walk_map map[2], struct npu_move *m)
{
	struct npu_walk_pixel pixel;
	const i64 bytes = map[0].fm->bytes;

	npu_walk_pixel_init(&pixel, map, 2);
	if (pixel.n) {
		npu_copy_plan(&m->plan, &(struct npu_copy_dim){ pixel.n, bytes, bytes }, 1, (unsigned)bytes);
		m->view = view;
		m->to = (u8 *)map[0].tile[0];
		m->from = map[1].tile[0];
		return true;
	}
	for (unsigned i = 0; i < 2; i++)
		if (map[i].fm->tiled || (map[i].fm->format != NPU_NHWC && map[i].fm->depth > NPU_GROUP && map[i].fm->depth % NPU_GROUP))
			return false;
	npu_walk(NULL, view, map, 2, NULL, m);
	return true;
}
