/* SPDX-License-Identifier: Apache-2.0 */
/* Which operations of a plan are a chain of single taps (npu/kernels/u85/chain.h). */
#ifndef NPU_LINK_H
#define NPU_LINK_H

#include "npu/gang.h"

/* The chain that begins with step *first, which becomes the step that its gang begins with: nothing is done ahead of a job's first operation. NULL: there is
 * none. *end: the step to look at next. */
struct npu_gang *npu_link(struct npu *n, const struct npu_plan *p, u32 *first, u32 *end);

#endif
