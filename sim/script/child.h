/* SPDX-License-Identifier: Apache-2.0 */
/* One python3 of its own for each script: scripts share module names and state, as Arm's for audio in and out do. It
 * runs server.py, which says how we talk. What scripts print goes to our standard error. */
#ifndef SIM_SCRIPT_CHILD_H
#define SIM_SCRIPT_CHILD_H

#include "sim/wait.h"

#include <stddef.h>
#include <sys/types.h>

struct child {
	pid_t pid;   /* 0: there is none */
	int port;    /* -1 then */
	bool at_work; /* it owes an answer */
};

struct child_call { u32 function, count, number[2], bytes; };

/* Kinds of answers: those of server.py, and that none came. */
enum child_kind {
	CHILD_NOTHING, CHILD_NUMBER, CHILD_BYTES, CHILD_OTHER, CHILD_FAILED,
	CHILD_ENDED,    /* it is not there any more, or talks nonsense */
	CHILD_NO_TIME,  /* the run is asked to end */
};
struct child_answer { u32 kind, number, bytes; };

enum { CHILD_TEXT = 512 };

/* Starts python3 with a script of that folder, `path` in messages; false with a line in `why`. Its first answer: which of the functions it has, a bit each. */
bool child_start(struct child *c, const char *folder, const char *module, const char *path, char *why, size_t why_size);
/* Tells it that it is to end, and does not wait. Then child_end. */
void child_dismiss(struct child *c);
/* Ends it, if it is there: what it has registered for its end is done, unless it is at work. */
void child_end(struct child *c);
/* How it ended by itself: "ended with status 3", "was ended by signal 9". For CHILD_ENDED. */
void child_how(struct child *c, char *text, size_t size);

/* Sends a call. False: it is not there, or there is no time. */
bool child_send(struct child *c, const struct wait *w, const struct child_call *call, const u8 *data);
/* The answer's head, then its bytes. */
struct child_answer child_receive(struct child *c, const struct wait *w);
bool child_receive_bytes(struct child *c, const struct wait *w, u8 *to, u32 bytes);

#endif
