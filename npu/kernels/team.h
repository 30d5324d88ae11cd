/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share one operation's work with the caller. Parts write different bytes, so results do not depend on how
 * many there are. */
#ifndef NPU_KERNELS_TEAM_H
#define NPU_KERNELS_TEAM_H

#include "memory/types.h"

enum { NPU_TEAM_MOST = 16 };

struct npu_team;

/* `place`: of the thread that does this part, below npu_team_places(): for memory that each needs for itself. */
typedef void npu_team_fn(void *ctx, unsigned part, unsigned place);

/* Bytes between what one thread writes again and again and what another does: hosts fetch ahead to the end of a page, and would take lines
 * from the thread that has them. */
#define NPU_PLACE_GAP 4096

/* Waking a thread that sleeps takes 5 to 50 us; so many products take 8 to 15 us. */
#define NPU_TEAM_PART (UINT64_C(1) << 19)

/* An element of a map that is read, changed and written takes as long as so many products. */
#define NPU_TEAM_ELEMENT 24

/* For `threads` threads, the caller's included (at most NPU_TEAM_MOST); a part is `part_products` products at least
 * (NPU_TEAM_PART; tests take fewer). They start when as much work could have been shared as starting them takes. NULL when
 * memory is short. */
struct npu_team *npu_team_new(unsigned threads, u64 part_products);
void npu_team_free(struct npu_team *t); /* NULL: nothing to do */

/* In how many parts to do work of `products` products; 1: sharing it would take longer. NULL: 1. */
unsigned npu_team_parts(const struct npu_team *t, u64 products);

/* Threads that may do parts at a time; NULL: 1. */
unsigned npu_team_places(const struct npu_team *t);

/* Does parts 0 .. parts - 1, each once, and comes back when all have ended. Threads take the next part as they come, so
 * none waits for one that the host does not run. */
void npu_team_run(struct npu_team *t, unsigned parts, npu_team_fn *work, void *ctx);

/* Work for threads that have none, one piece at each call, by several of them at a time; false: there is none left. */
typedef bool npu_team_later_fn(void *ctx, unsigned place);

/* Gives the team such work, in place of the one before: no thread is in that any more. NULL: none. */
void npu_team_later(struct npu_team *t, npu_team_later_fn *work, void *ctx);

/* Waits while `still` says so, which is asked again whenever a piece of such work ends. */
void npu_team_wait(struct npu_team *t, bool (*still)(void *ctx), void *ctx);

#endif
