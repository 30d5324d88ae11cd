/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of operations to come, decoded by a team's threads while earlier operations run. Sets are found and compared as
 * ever (packed.h): one that was expected in vain is never used, one that nobody has decoded yet is decoded by who needs it. */
#ifndef NPU_KERNELS_AHEAD_H
#define NPU_KERNELS_AHEAD_H

#include "npu/kernels/kept/packed.h"

/* Streams of so many bytes take a quarter of a millisecond, several times what waking threads takes. */
#define NPU_AHEAD_WORTH (UINT64_C(256) << 10)

/* For threads of the team, which outlives it; they have work when `worth` bytes of streams wait (NPU_AHEAD_WORTH; tests take
 * fewer). NULL: memory is short. */
struct npu_ahead *npu_ahead_new(struct npu_packer *p, struct npu_team *team, u64 worth);
void npu_ahead_free(struct npu_ahead *a); /* NULL: nothing to do */

/* The set waits for threads; what is needed of the operation and the view is copied. Before npu_ahead_begin(). */
void npu_ahead_add(struct npu_ahead *a, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view);

/* Threads begin with what was added, first things first, if it is worth it. */
void npu_ahead_begin(struct npu_ahead *a);

/* No thread decodes any more; what waits is left to who needs it. NULL: nothing to do. */
void npu_ahead_end(struct npu_ahead *a);

/* Comes back when the set is ready, decoding it or others meanwhile. False: it cannot be decoded. */
bool npu_ahead_settle(struct npu_packer *p, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view);

#endif
