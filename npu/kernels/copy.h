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

#define NPU_COPY_DIMS 4

/* `runs` runs of `bytes` bytes. */
void npu_copy_runs(u8 *to, i64 to_stride, const u8 *from, i64 from_stride, size_t runs, size_t bytes);

/* All elements of `bytes` bytes, 1 to 8; `dim` changes its order. Ends early where the view's operation is given up. */
void npu_copy(const struct npu_view *view, struct npu_copy_dim dim[NPU_COPY_DIMS], unsigned dims, unsigned bytes, u8 *to, const u8 *from);

#endif
