/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of windows that windows_lines.h has brought together. */
#ifndef NPU_KERNELS_WINDOWS_RESULTS_H
#define NPU_KERNELS_WINDOWS_RESULTS_H

#include "npu/kernels/fm.h"
#include "npu/kernels/pool/windows_lines.h"

#define NPU_LINES_ROOM 4096 /* elements of a line */

/* Output rows from y on, `rows` of them. Their windows have n rows of the map each, tap `first` and those behind it. */
struct npu_lines_rows {
	u32 y, rows, first, n, plane, channels;
};

/* n windows from x on of each row, one row behind the other at v, which is overwritten. All of a row where there are several. */
void npu_lines_put(const struct npu_lines *l, const struct npu_lines_rows *r, i32 *v, u32 x, u32 n);

/* Bytes from a map's first channel to the plane's. */
static inline i64 npu_lines_plane(const struct npu_lines *l, const struct npu_lines_rows *r, const struct npu_fm *fm)
{
	return (i64)r->plane * (l->group / NPU_GROUP) * npu_fm_stride_group(fm);
}

#endif
