/* SPDX-License-Identifier: Apache-2.0 */
/* Where an end came from: the last branches of the processor and the last operations of the NPU.
 *
 * The processor runs at full speed and records no branches. Few checkpoints are made on the way instead; who asks has the
 * last stretch run again, observed, and finds the machine as it was. */
#ifndef SIM_HISTORY_TRAIL_H
#define SIM_HISTORY_TRAIL_H

#include "cpu/observe.h"
#include "sim/history/history.h"

enum { TRAIL_BRANCHES = 32, TRAIL_OPERATIONS = 4 };

/* One branch, or several in a row that are the same. */
struct trail_branch {
	u32 from, to;
	u32 times;
	u16 exception; /* ENTRY: number */
	bool secure;   /* at `to` */
	enum cpu_turn turn;
};

struct trail_branches {
	struct trail_branch branch[TRAIL_BRANCHES]; /* number i lies at i % TRAIL_BRANCHES */
	u64 count;
	bool cut; /* there were others before: the first may have come more often */
};
/* Number i of those that are left, 0: the oldest; NULL: no more. */
const struct trail_branch *trail_branch(const struct trail_branches *b, unsigned i);
/* "call", "return", "irq 3", ... */
const char *trail_branch_kind(const struct trail_branch *b, char *text, size_t size);

/* The last branches before where the machine is, which stays as it is. False: the past is not known, or holds none, or the machine
 * was asked to stop (machine_ask_stop), before or meanwhile: the way takes up to a second. */
bool trail_last_branches(struct history *h, struct trail_branches *out);

struct trail_operation {
	struct npu_op op;
	struct npu_cost cost;
	u64 job;
};

struct trail {
	struct history history;
	bool kept;
	struct trail_operation operation[TRAIL_OPERATIONS]; /* number i lies at i % TRAIL_OPERATIONS */
	u64 operations;
};

/* Begins here, and listens to the NPU. Where host memory is short, less is known at the end. */
void trail_begin(struct trail *t, struct machine *m, const struct limits *limits);
/* As machine_run. */
void trail_run(struct trail *t, const struct run_host *host);
/* Stops listening; what has been recorded stays. Then trail_end. */
void trail_stop(struct trail *t);
void trail_end(struct trail *t);
/* As trail_branch. */
const struct trail_operation *trail_operation(const struct trail *t, unsigned i);

#endif
