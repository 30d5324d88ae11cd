/* SPDX-License-Identifier: Apache-2.0 */
/* Walks up to three feature maps of one shape together, as few and as long rows of elements as
 * their layouts allow: dimensions that are contiguous in every map are merged. Layout, tiles
 * and broadcasting end here; no address is formed per element. */
#ifndef NPU_KERNELS_WALK_H
#define NPU_KERNELS_WALK_H

#include "npu/kernels/move/move.h"
#include "npu/kernels/team.h"
#include "npu/op.h"

#define NPU_WALK_MAPS 3
#define NPU_ROW 512 /* elements of a row at most; a multiple of 16 */

struct npu_simd;

struct npu_walk_map {
	const struct npu_fm *fm; /* dimensions of size 1 where the shape has more: broadcast */
	const u8 *const *tile;
	u32 step_y, step_x;      /* stored pixels per step, 1 or a stride */
	i64 stride_c;            /* bytes between channels, for NHWC maps read along other axes; 0:
				    elements of a pixel lie side by side */
};

/* n elements, at most NPU_ROW; element i of map m at p[m] + i * stride[m]. Several threads may be in it: ctx is only read. */
typedef void npu_walk_row(void *ctx, u8 *const p[NPU_WALK_MAPS],
			  const i64 stride[NPU_WALK_MAPS], size_t n);

/* Shape is that of map 0. A map with a step above 1 must not be tiled. Large maps are shared by the team (NULL: the caller does all).
 * Ends early where the view's operation is given up. */
void npu_walk(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map *map, unsigned maps, npu_walk_row *row, void *ctx);

/* `rows` of n elements, any number, a row `down` bytes from the one before in each map. False: nothing has been done, they are brought together
 * or done one by one. */
typedef bool npu_walk_grid(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 down[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t rows,
			   size_t n);

/* The same of three dimensions: planes of such rows, a plane `deep` bytes from the one before in each map. */
struct npu_walk_planes {
	u8 *const *p;
	const i64 *deep, *down, *stride;
	size_t planes, rows, n;
};
typedef bool npu_walk_space(void *ctx, const struct npu_walk_planes *g);

/* Of such rows: they are short, but lie one behind the other in these two maps, so that only another map's have to be brought together. That takes less
 * time than to do them one by one. */
static inline bool npu_walk_joins(size_t rows, size_t n, i64 down_from, unsigned bytes_from, i64 down_to, unsigned bytes_to)
{
	return rows > 1 && n < 16 && down_from == (i64)(n * bytes_from) && down_to == (i64)(n * bytes_to);
}

/* What may be done with elements. The three innermost dimensions are offered to `space`, the two innermost to `grid`; both may be NULL. */
struct npu_walk_ways {
	npu_walk_row *row;
	npu_walk_grid *grid;
	npu_walk_space *space;
};

/* The same walk. */
void npu_walk_grids(struct npu_team *team, const struct npu_simd *simd, const struct npu_view *view, const struct npu_walk_map *map, unsigned maps,
		    const struct npu_walk_ways *ways, void *ctx);

/* One pixel, whose channels are one row in every map: what the layers of small networks have. Nothing but the tiles' places is looked at when
 * it is walked. */
struct npu_walk_pixel {
	i64 stride[NPU_WALK_MAPS];
	u32 n; /* elements; 0: it is not that */
};

/* Finds out whether the maps are such; npu_walk_pixel() is for those that are. */
void npu_walk_pixel_init(struct npu_walk_pixel *w, const struct npu_walk_map *map, unsigned maps);

static inline void npu_walk_pixel(const struct npu_walk_pixel *w, const struct npu_view *view, const struct npu_walk_map *map, unsigned maps,
				  npu_walk_row *row, void *ctx)
{
	u8 *p[NPU_WALK_MAPS] = { NULL };

	for (unsigned m = 0; m < maps; m++)
		p[m] = (u8 *)map[m].tile[0];
	if (!npu_given_up(view))
		row(ctx, p, w->stride, w->n);
}

/* The same walk: elements of map 1 to map 0 as they are; those of both have as many bytes. */
void npu_walk_copy(struct npu_team *team, const struct npu_view *view, const struct npu_walk_map map[2]);
/* The same as a move, which is not done. False: it is more than one. */
bool npu_walk_move(const struct npu_view *view, const struct npu_walk_map map[2], struct npu_move *m);

#endif
