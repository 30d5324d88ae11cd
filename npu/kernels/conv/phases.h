/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions over maps that are doubled with zeros, as transposed ones are compiled: every second row and column of results meets the same
 * quarter of the kernel's taps, and elements of the map as it is. These four are convolutions of their own. */
#ifndef NPU_KERNELS_PHASES_H
#define NPU_KERNELS_PHASES_H

#include "npu/kernels/private.h"

/* Whether the operation is one for that, and large enough. */
bool npu_has_phases(const struct npu_op *op, const struct npu_view *view);

/* Then: as npu_fast_conv(), which does the four. False: nothing is done, or memory is short; it can be done as it is. */
bool npu_fast_phases(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
