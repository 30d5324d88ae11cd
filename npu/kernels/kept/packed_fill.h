/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a set of packed weights; for packed.c and ahead.c alone. */
#ifndef NPU_KERNELS_PACKED_FILL_H
#define NPU_KERNELS_PACKED_FILL_H

#include "npu/kernels/kept/packed.h"

/* Sizes from the key, and zeroed memory for weights and sums. False: out of reason, or no memory. */
bool npu_packed_reserve(struct npu_packed *s, struct npu_store *store);

/* Then weights, sums and bounds, out of s->stream. False: stream corrupt or too short, given up, or no memory; it may be
 * tried again. */
bool npu_packed_fill(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view);

/* What they have taken. */
void npu_fill_tools_free(struct npu_fill_tools *t);

#endif
