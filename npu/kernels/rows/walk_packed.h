/* SPDX-License-Identifier: Apache-2.0 */
/* A walk under way, and rows of it that are brought together. Not for users of walks. */
#ifndef NPU_KERNELS_WALK_PACKED_H
#define NPU_KERNELS_WALK_PACKED_H

#include "npu/kernels/move/copy.h"
#include "npu/kernels/rows/walk.h"

#define NPU_WALK_DIMS 4
#define NPU_WALK_SHORT 16 /* elements: rows below that are */

struct npu_walk_dim {
	size_t n;
	i64 stride[NPU_WALK_MAPS];
};

struct npu_walk {
	struct npu_team *team;
	const struct npu_view *view;
	const struct npu_walk_map *map;
	unsigned maps, dims;
	struct npu_walk_dim dim[NPU_WALK_DIMS]; /* outermost first */
	void (*repeat)(u8 *to, const u8 *from, i64 step, size_t runs, size_t n, unsigned bytes); /* npu_simd.repeat, or NULL */
	npu_walk_row *row; /* NULL: elements of map 1 to map 0 */
	npu_walk_grid *grid; /* NULL: there is none */
	npu_walk_space *space; /* the same */
	void *ctx;
};

/* The innermost dimension is short, but contiguous or one element repeated, and within one that is long: a few
 * channels (or a brick's, where another map has no bricks) of many pixels. Such pixels are brought
 * together for the row function; more channels, where that is only a matter of repeating some. */
bool npu_walk_packs(const struct npu_walk *w);
/* Does dimension d and those within it. */
void npu_walk_run(const struct npu_walk *w, unsigned d, u8 *const start[NPU_WALK_MAPS]);
/* Does all rows of the innermost dimension, which lie in the one around it. */
void npu_walk_packed(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS]);
/* The same of three dimensions: whether several of the two within have room together, and all of them. */
bool npu_walk_packs_planes(const struct npu_walk *w, const struct npu_walk_dim *outer);
void npu_walk_packed_planes(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS]);
/* The same of three dimensions where such rows would have to be brought together for one map alone, which has one element for each and the same ones for
 * all of the outermost: those are repeated once. False: they are not that, nothing has been done. */
bool npu_walk_repeated(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS]);

#endif
