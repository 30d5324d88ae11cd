/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of small windows of bytes, with what windows_bytes.c has prepared for them. */
#ifndef NPU_KERNELS_WINDOWS_BYTES_ROWS_H
#define NPU_KERNELS_WINDOWS_BYTES_ROWS_H

#include "npu/kernels/pool/windows.h"

#define NPU_BYTES_LINE 8192    /* elements, beside the map's rows in the caches */
#define NPU_BYTES_TAPS 16      /* of an axis: larger windows share most of their taps, which is for others */
#define NPU_BYTES_TABLES 32768 /* bytes */

/* Output pixels of a row whose windows have as many taps inside. */
struct npu_windows_run {
	u32 x, n, taps;
};

struct npu_windows_bytes {
	const struct npu_windows *w;
	struct npu_pool_line line;
	bool max;
	u8 least;      /* the padding: never the largest, and nothing of a sum */
	u32 planes;    /* of bricks, or one of rows */
	u32 at_a_time; /* output pixels */
	unsigned parts, runs;
	struct npu_windows_run run[2 * NPU_BYTES_TAPS + 1];
	bool looks_up;
	u32 joined;                           /* planes that are done together, where they lie one behind the other in a row */
	u32 used;                             /* entries of tables */
	u32 table[NPU_BYTES_TAPS * NPU_BYTES_TAPS + 1]; /* of sums of so many elements; 0: there is none */
	u8 entry[NPU_BYTES_TABLES];
};

/* How many rows of the map the windows of row y have, and which tap comes first. */
static inline u32 npu_bytes_taps_down(const struct npu_op *op, u32 y, u32 *first)
{
	return npu_windows_taps(y, op->stride_y, op->kernel_h, op->dilation_y, op->pad_top, op->up_height, first);
}

/* Part `part` of the parts of a struct npu_windows_bytes, for npu_team_run(). */
void npu_windows_bytes_part(void *ctx, unsigned part, unsigned place);

#endif
