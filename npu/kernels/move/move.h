/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that move elements from one place to another, as they are. Many in a row, as compilers make shuffles and transposes of, are a few larger
 * copies. */
#ifndef NPU_KERNELS_MOVE_H
#define NPU_KERNELS_MOVE_H

#include "npu/kernels/move/copy.h"

struct npu_kernels;

struct npu_move {
	struct npu_copy_plan plan;
	u8 *to;
	const u8 *from;
	const struct npu_view *view; /* of the operation, or the first of several */
};

static inline void npu_move_run(const struct npu_move *m)
{
	npu_copy_planned(m->view, &m->plan, m->to, m->from);
}

/* The operation at work is this move: does it, and keeps it for doing it again. */
void npu_move_first(struct npu_kernels *k, const struct npu_move *m);

/* Moves that follow each other become fewer with the same effect, whatever overlaps; how many. */
size_t npu_moves_join(struct npu_move *m, size_t count);

#endif
