/* SPDX-License-Identifier: Apache-2.0 */
/* Elements from one layout to another, as they are. */
#ifndef NPU_KERNELS_COPY_H
#define NPU_KERNELS_COPY_H

#include "npu/op.h"

/* One dimension: elements, bytes from one to the next. */
struct npu_copy_dim {
	size_t n;
	i64 to, from;
};

#define NPU_COPY_DIMS 6
#define NPU_COPY_TURNED 4      /* channels at most of a plan that is `turned` */
#define NPU_COPY_AT_ONCE 65536 /* elements, before it is asked whether the operation is given up */

/* `runs` runs of `bytes` bytes. */
void npu_copy_runs(u8 *to, i64 to_stride, const u8 *from, i64 from_stride, size_t runs, size_t bytes);

/* How a copy is done. */
struct npu_copy_plan {
	struct npu_copy_dim dim[NPU_COPY_DIMS]; /* outermost first; those that there are not have one element */
	unsigned dims, bytes;                   /* of an element */
	bool few;                               /* by lines (copy_few.h) */
	bool turned;                            /* channels, columns and rows, in this order: all three change places */
	size_t whole;                           /* bytes in one piece; 0: it is not that */
};

/* All elements of `bytes` bytes, 1 to 8. */
void npu_copy_plan(struct npu_copy_plan *p, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes);
/* Ends early where the view's operation is given up. */
void npu_copy_planned(const struct npu_view *view, const struct npu_copy_plan *p, u8 *to, const u8 *from);

#endif
