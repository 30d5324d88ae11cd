/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that were read before need not be understood again: a job that starts like an earlier one, on the same stream with
 * the same registers, takes its operations and their times from there. Every word of the stream is compared before it is
 * taken, as are the host's registers, the adapters and the timing model's state; where anything differs, commands are
 * read again from there on. What is kept is not state: results are the same without it. */
#ifndef NPU_REPLAY_H
#define NPU_REPLAY_H

#include "memory/types.h"

struct npu;
struct npu_again;
struct npu_plan;
struct npu_view;

enum { NPU_PLANS = 64 }; /* networks of which every second operator is left to the processor have some 50 streams */

struct npu_replay {
	struct npu_plan *plan[NPU_PLANS]; /* of different streams */
	unsigned oldest;                  /* to be replaced next */
	unsigned next;                    /* to be looked at first: streams follow each other as they did before */
	u64 kept;                         /* bytes of all plans */
	struct npu_plan *current;         /* of the job at work; NULL: it is only read */
	bool recording;                   /* the current plan is being made; else followed */
	bool alone;                       /* the job is done at once, and nobody looks at memory before it ends */
	u32 at;                           /* operations of it begun */
	u32 done, settled;                /* ended, and looked after by npu_replay_settle(); events of `counted` are in the result */
	u32 counted;
	struct npu_again **again;         /* of the pending operation's step; NULL: it is not of a plan */
};

/* A job starts: finds what is known of its stream, or what to do about it. `alone`: nobody looks at memory before it has ended. */
void npu_replay_start(struct npu *n, bool alone);
/* What is read from here on has nothing to do with the current plan: a reset, or a state that was put back. */
void npu_replay_leave(struct npu *n);
void npu_replay_free(struct npu *n);

/* At the beginning of an operation's commands. True: they are done and the operation is pending. False: they must be read. */
bool npu_replay_step(struct npu *n);
/* Between two operations of a job that is done at once: does as many of the next ones as kernels do again, where nobody looks in between. */
void npu_replay_burst(struct npu *n);
/* The operation whose commands began at `begin` and end before `next` is pending, with `work` steps. */
void npu_replay_record(struct npu *n, u32 begin, u32 next, u64 work);

/* Of a job that is done at once nobody looks between two operations at the command registers, the timing model's state and events: what a
 * plan's operations do to these is done here, when it ends or is left. Nothing happens where nothing is due. */
void npu_replay_settle(struct npu *n);
/* The operation has ended. True: its events are counted by npu_replay_settle(). */
bool npu_replay_counts(struct npu *n);

/* How the pending operation was done before; NULL: not known. */
struct npu_again *npu_replay_again(const struct npu *n);
/* It is done on this view: how it was done before on the same, or a new note of it. NULL: it is not to be remembered. */
struct npu_again *npu_replay_remember(struct npu *n, const struct npu_view *view);
/* The kernels have left in it what they want. */
void npu_replay_remembered(struct npu *n, struct npu_again *a);

#endif
