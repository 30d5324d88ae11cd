/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a set of packed weights; for packed.c alone. */
#ifndef NPU_KERNELS_PACKED_FILL_H
#define NPU_KERNELS_PACKED_FILL_H

#include "npu/kernels/packed.h"

/* Sets row and group_step from the key; false when they are out of reason. */
bool npu_packed_size(struct npu_packed *s);

/* Then weights, sums and bounds, out of s->stream and the packer's store. False: stream corrupt or too short, or no
 * memory. */
bool npu_packed_fill(struct npu_packer *p, struct npu_packed *s, const struct npu_op *op,
		     const struct npu_view *view);

#endif
