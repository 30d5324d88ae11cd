/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's past: checkpoints, and the way back to any instruction by running again from the one before it.
 *
 * A checkpoint is the machine's state without memory, and the pages that changed between it and the next one, as they
 * were: they are copied at the first write (PAGE_KEPT). When they take more room than allowed, checkpoints are thinned
 * out; the past begins with the oldest that is left. */
#ifndef SIM_HISTORY_HISTORY_H
#define SIM_HISTORY_HISTORY_H

#include "sim/history/journal.h"
#include "sim/run.h"

struct checkpoint;

/* A place in the course of a machine: so many instructions executed, so many events handled. */
struct position { u64 insns, events; };

/* How much of the past is kept. */
struct history_options {
	u64 bytes;            /* for checkpoints and what came from outside, at most; they are thinned out then */
	u64 cycles;           /* simulated cycles between two */
	u64 inputs;           /* bytes from outside between two; 0: any number */
	unsigned checkpoints; /* at most so many: the oldest goes */
	bool dispensable;     /* given up where the run is to end: keeping millions of bytes takes a while */
};

/* For a debugger: 20 to 50 milliseconds of the host lie between two where the processor works. */
#define HISTORY_CYCLES UINT64_C(24000000)

struct history {
	struct machine *machine;
	const struct limits *limits;
	struct history_options options;
	struct state_list parts; /* all but memory and the outside */
	struct checkpoint *checkpoints; /* oldest first */
	unsigned count, room;
	u64 bytes;               /* of checkpoints */
	struct position frontier; /* farthest that the machine has been */
	u64 next_cycle;          /* of the next checkpoint */
	u64 next_input;          /* or place in the journal */
	struct journal *journal; /* the machine's, when it had one; else own */
	struct journal own;
	bool going_back;         /* pages are being put back: they are not to be kept */
	bool short_of_memory;    /* or of time; a page could not be kept: the past is not to be had */
	bool changed;            /* by the debugger since the latest checkpoint */
};

/* Begins the past of a machine here. False: host memory is short. */
bool history_begin(struct history *h, struct machine *m, const struct limits *limits, const struct history_options *options);
void history_end(struct history *h);

/* Where the machine is. */
struct position history_now(const struct history *h);
/* Is the machine where it has been before, so that output and messages must not come again? */
bool history_is_past(const struct history *h);

/* Is it time for a checkpoint? */
bool history_is_due(const struct history *h);
/* Bytes that checkpoints take, and what came from outside since the oldest, where nobody else keeps it. */
u64 history_bytes(const struct history *h);

/* Before the machine runs on, and now and then while it does: a checkpoint where it is time for one. */
void history_look(struct history *h);
/* The debugger has changed something: what came after does not count any more. */
void history_note_change(struct history *h);

/* For what is to leave no trace: the machine's state without memory into `out`. False: it cannot be had. */
bool history_save(const struct history *h, struct state_buffer *out);
/* Takes back what has changed since, and frees it. Memory is as it was then. */
void history_undo(const struct history *h, struct state_buffer *before);

/* A checkpoint here; and where the past begins. */
void history_add_checkpoint(struct history *h);
struct position history_begins(const struct history *h);

/* One instruction back. False: the past begins here. */
bool history_step_back(struct history *h);

/* To before the latest event. False: there was none in the past. */
bool history_event_back(struct history *h);

/* What a place that was reached on the way means to who asks: true: a candidate. PAUSE_LOOKED comes now and then: true: it is enough. */
typedef bool history_filter(void *ctx, enum machine_pause pause);
/* Back to the last pause, before where the machine is, that the filter takes; its pause and true. PAUSE_LOOKED: from where the machine is now
 * nothing was found, and what comes before was not looked at. False: there is none, and the machine is where the past begins. */
bool history_run_back(struct history *h, history_filter *filter, void *ctx, enum machine_pause *found);
/* Runs on from where the machine is to `to`, whatever pauses on the way, and nothing is kept or told of it. */
void history_run_to(struct history *h, struct position to);
/* Back to the latest checkpoint at or before `to`, or the oldest, and on to `to`; no checkpoints are made on the way. Not back behind a
 * change by the debugger: from there, running would not come by here. */
void history_run_again(struct history *h, struct position to);
/* To that instruction, back or on. False: it is before the past. */
bool history_go_to(struct history *h, u64 insns);

#endif
