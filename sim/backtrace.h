/* SPDX-License-Identifier: Apache-2.0 */
/* Which function called which, from the stack of a machine that stands still: through exceptions, and calls between the
 * Security states. Functions need call frame information (.debug_frame); without it the row ends. */
#ifndef SIM_BACKTRACE_H
#define SIM_BACKTRACE_H

#include "sim/machine.h"

enum { BACKTRACE_MOST = 64 };

/* How the next frame, further out, got to this one. */
enum backtrace_link {
	LINK_CALL,
	LINK_EXCEPTION,  /* was interrupted */
	LINK_SECURITY,   /* called it in the other Security state */
	LINK_END,        /* there is none: the program's start */
	LINK_UNKNOWN,    /* nothing says where this function was called from */
};

struct backtrace_frame {
	u32 pc;          /* the next instruction there */
	u32 place;       /* address for symbols and lines: inside the call, where one is under way */
	u16 exception;   /* number of the handler that runs; 0: Thread mode */
	bool secure;
	enum backtrace_link link;
};

/* Innermost first, `most` at most; returns how many. */
unsigned backtrace(struct machine *m, struct backtrace_frame *frames, unsigned most);

/* How it goes on behind a frame when not by a call, for people; NULL: by a call, or not at all. */
const char *backtrace_link_text(const struct backtrace_frame *f, char *text, size_t size);

/* "SysTick", "irq 3"; number: of the exception. */
const char *backtrace_exception(u16 number, char *text, size_t size);

#endif
