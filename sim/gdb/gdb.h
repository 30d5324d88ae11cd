/* SPDX-License-Identifier: Apache-2.0 */
/* A machine under a debugger that speaks gdb's remote serial protocol. What a debugger does not change runs as without:
 * the same instructions, cycles and output. */
#ifndef SIM_GDB_GDB_H
#define SIM_GDB_GDB_H

#include "sim/run.h"

struct gdb_options {
	const char *where; /* as for transport_open */
	bool wait;         /* nothing runs before a debugger has said so */
	/* A line about the debugger, or an error; NULL: nobody listens. */
	void (*tell)(void *ctx, bool is_note, const char *text);
	void *ctx;
	bool quiet;        /* no notes but the one that says where it is served */
	const int *asked;  /* becomes another value than 0: it comes back; NULL: never */
	bool files;        /* the debugger serves the program's semihosting */
	u64 history_bytes; /* for the way back; 0: there is none */
};

/* Runs machine m, which is ready to start, to its end, as machine_run does, or until somebody asks, and serves debuggers
 * meanwhile: one at a time, one after the other. A failure comes with a line in `why`: nobody can be served there, and nothing has run. */
enum failure gdb_serve(struct machine *m, const struct limits *limits, const struct gdb_options *o, char *why, size_t why_size);

#endif
