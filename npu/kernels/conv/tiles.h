/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix unit of x86-64 hosts that have one (AMX: tiles of 16 rows of 64 bytes), for convolutions of bytes. Source: Intel's
 * Architecture Instruction Set Extensions Programming Reference, chapter on AMX. */
#ifndef NPU_KERNELS_TILES_H
#define NPU_KERNELS_TILES_H

#include "memory/types.h"

#define NPU_DEEP 64 /* bytes of a pixel in one row of a tile */
#define NPU_DEEP_PIXELS 16 /* of a tile at most */

/* How the fields of a tile's pixels lie. */
struct npu_tiles_walk {
	size_t step; /* from pixel to pixel */
	size_t next; /* from 64 bytes to the next 64, as far as a line goes, */
	u32 blocks;  /* which are so many of them, */
	size_t jump; /* and more behind each line */
	size_t row;  /* bytes of a pixel; up to the next multiple of 64 there are zeros */
};

/* How sums are made. A thread begins, multiplies as often as it likes, and ends. */
struct npu_tiles {
	/* `pixels` of each tile, 1 to 16 */
	void (*begin)(unsigned pixels);
	/* acc[tile][group][16][16] = the products' sums of one or two tiles of pixels, whose fields begin at a and b (NULL: one), and two groups of
	 * channels, int32 wrapping. Weights as those of gemm_u8(). */
	void (*multiply)(const struct npu_tiles_walk *w, const u8 *a, const u8 *b, const i8 *weights, size_t group_step, i32 *acc);
	void (*end)(void);
};

extern const struct npu_tiles npu_tiles_amx;

/* Whether this host and its kernel let the process use AMX; asks for its permission. False where there is no such thing. */
bool npu_tiles_allowed(void);

#endif
