/* SPDX-License-Identifier: Apache-2.0 */
/* The checkpoints of a history. Private to sim/history/. */
#ifndef SIM_HISTORY_CHECKPOINT_H
#define SIM_HISTORY_CHECKPOINT_H

#include "sim/history/history.h"

/* Which parts of the state they keep, and from whom pages come. False: host memory is short. */
bool checkpoints_prepare(struct history *h);
/* One here; it becomes the latest. False: host memory is short, and nothing has changed. */
bool checkpoint_add(struct history *h);
struct position checkpoint_at(const struct history *h, unsigned i);
/* Number of the latest that was made behind a change by the debugger; 0: there is none. */
unsigned checkpoint_of_change(const struct history *h);
/* Puts the machine back to number i, which becomes the latest. */
void checkpoint_restore(struct history *h, unsigned i);
/* The present with the pages that have changed since the oldest checkpoint, to which the machine can return after it went back; NULL:
 * host memory is short, or more than `most` bytes have changed. */
struct checkpoint *checkpoint_of_present(const struct history *h, u64 most);
/* Puts the machine there, wherever it got meanwhile, and frees it. */
void checkpoint_return(struct history *h, struct checkpoint *present);
/* Drops all, and keeps no more pages. */
void checkpoints_end(struct history *h);

#endif
