/* SPDX-License-Identifier: Apache-2.0 */
/* Which function called which, followed along the course of the program: calls, tail calls, returns, longjmp,
 * exceptions, and stacks that an operating system exchanges at the end of an exception.
 *
 * A context is a function in the place from which it was called: its parent is the caller's context, its site the
 * calling instruction. An exception's handler has no caller: it is a context below context 0, as the program's start. */
#ifndef SIM_TRACE_CALLS_H
#define SIM_TRACE_CALLS_H

#include "cpu/observe.h"
#include "sim/machine.h"

struct call_context {
	u32 parent;     /* context number; 0: none */
	u32 function;   /* its first address */
	u32 site;       /* address of the calling instruction; 0: none */
	u16 exception;  /* the handler of that exception; 0: a function */
	u16 depth;          /* contexts above it */
	u32 child, sibling; /* first context below, next beside; 0: none */
	u64 calls;
};

struct calls {
	const struct machine *machine;
	struct call_context *context; /* 0 is no function */
	u32 count, room;
	struct cpu_frame *frame;      /* outermost first */
	u32 depth, frame_room;
	u32 low;                      /* frames below this index belong to what the innermost exception interrupted */
	struct call_thread { u32 number, function; u64 since; } thread; /* whose stack it is: a thread of an operating system, by the function that it began in */
	u32 threads;                  /* so far */
	struct call_parked *parked;   /* stacks that were left at the end of an exception */
	u32 parked_count;
	bool failed;                  /* host memory was short: what follows is not recorded */
	/* A frame is entered or left, NULL: not wanted. */
	void (*entered)(void *ctx, const struct cpu_frame *f, u64 cycle);
	void (*left)(void *ctx, const struct cpu_frame *f, u64 cycle);
	/* An exception's end went to another stack than the one that it interrupted, `before`. NULL: not wanted. */
	void (*switched)(void *ctx, const struct call_thread *before, u64 cycle);
	void *ctx;
};

/* Begins at address pc. */
void calls_init(struct calls *c, const struct machine *m, u32 pc, u32 sp);
void calls_free(struct calls *c);
/* Follows one turn. True: the innermost context may be another one. */
bool calls_follow(struct calls *c, const struct cpu_course *t);
/* For who has followed the same call before. The context that a call (CPU_TURN_CALL) leads to: the same one whenever it is made
 * from the same context and place to the same address; and following the call into it. */
u32 calls_callee(struct calls *c, const struct cpu_course *t);
void calls_enter(struct calls *c, const struct cpu_course *t, u32 callee);
/* For who enters and leaves functions without being told (struct cpu_repeats): that many frames may be put in, their contexts being
 * those of such calls. */
u32 calls_room(const struct calls *c);
/* The innermost function's context. */
static inline u32 calls_current(const struct calls *c)
{
	return c->depth ? c->frame[c->depth - 1].context : 0;
}

#endif
