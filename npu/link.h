/* SPDX-License-Identifier: Apache-2.0 */
/* Which operations of a plan are a chain of single taps (npu/kernels/u85/chain.h), or products and their sums (npu/kernels/elementwise/batches.h). */
#ifndef NPU_LINK_H
#define NPU_LINK_H

#include "npu/gang.h"

/* The chain that begins with step *first, which becomes the step that its gang begins with: nothing is done ahead of a job's first operation. NULL: there is
 * none. *end: the step to look at next. */
struct npu_gang *npu_link(struct npu *n, const struct npu_plan *p, u32 *first, u32 *end);

/* The products and sums in turns that begin with step `first`; NULL: none do. *end: the step to look at next. */
struct npu_gang *npu_link_products(const struct npu_plan *p, u32 first, u32 *end);

#endif
