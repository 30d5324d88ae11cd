/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a plan that follow each other and only move elements, which are done together (npu/kernels/move/move.h), and each counted; or one copy of which
 * not all counts (unread.h); or a chain of single taps (npu/kernels/u85/chain.h) and the copies in between, which are made first; or products and their sums (npu/kernels/elementwise/batches.h). */
#ifndef NPU_GANG_H
#define NPU_GANG_H

#include "npu/kernels/elementwise/batches.h"
#include "npu/kernels/move/move.h"
#include "npu/kernels/u85/chain.h"
#include "npu/plan.h"

/* What an operation counts as, apart from its step: of a long gang steps are in no cache. */
struct npu_gang_count {
	u64 cycles, work;
	u32 next;
};

struct npu_gang {
	u32 steps;
	u32 moves; /* that they come to */
	u64 work;  /* of all of them */
	struct npu_gang_count *count; /* of each */
	bool unread; /* not all of the copy is made */
	struct npu85_chain *chain; /* behind the moves; NULL: there is none */
	struct npu_batches *batches; /* NULL: there are none */
	struct npu_move move[];
};

/* Of a plan whose operations are all known; once. */
void npu_gangs_find(struct npu *n, struct npu_plan *p);
/* Before how one of its operations is done changes. */
void npu_gangs_forget(struct npu *n, struct npu_plan *p);

#endif
