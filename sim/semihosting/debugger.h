/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that a debugger makes for the program, in place of the simulator. */
#ifndef SIM_SEMIHOSTING_DEBUGGER_H
#define SIM_SEMIHOSTING_DEBUGGER_H

#include "memory/types.h"

/* One argument. Memory goes to the debugger (TEXT with its length, a zero behind it, or BYTES), or comes from it (ROOM). */
struct debugger_argument {
	enum { ARGUMENT_NUMBER, ARGUMENT_TEXT, ARGUMENT_BYTES, ARGUMENT_ROOM } kind;
	u32 number; /* NUMBER; else bytes at data */
	void *data;
};

enum { DEBUGGER_ARGUMENTS = 3, DEBUGGER_BYTES = 65536 /* in one argument, at most */ };

/* A call of gdb's File-I/O (gdb's manual, "File-I/O Remote Protocol Extension"). */
struct debugger_request {
	const char *call;
	struct debugger_argument argument[DEBUGGER_ARGUMENTS];
	unsigned arguments;
	i64 result;
	int error; /* of the host; 0: none */
};

struct semihosting_debugger {
	/* The session that can be asked now, 0: nobody can. Numbers are not used again. */
	u32 (*session)(void *ctx);
	/* Asks and waits; false: the debugger went away meanwhile. */
	bool (*ask)(void *ctx, struct debugger_request *r);
	void *ctx;
};

/* What semihosting asks, each with the result of the call, -1 and *error: it failed. *gone: nobody was there to answer, and *error is as it
 * was; NULL: that is a failure as well. A file belongs to the session that opened it. */
struct debugger_file { u32 session; u32 fd; };
bool debugger_there(const struct semihosting_debugger *d);
int debugger_open(const struct semihosting_debugger *d, const char *name, unsigned mode, struct debugger_file *out, int *error, bool *gone);
int debugger_close(const struct semihosting_debugger *d, const struct debugger_file *f, int *error);
int debugger_read(const struct semihosting_debugger *d, const struct debugger_file *f, void *data, u32 size, int *error, bool *gone);
int debugger_write(const struct semihosting_debugger *d, const struct debugger_file *f, const void *data, u32 size, int *error, bool *gone);
int debugger_seek(const struct semihosting_debugger *d, const struct debugger_file *f, u32 position, int *error);
int debugger_length(const struct semihosting_debugger *d, const struct debugger_file *f, int *error);
int debugger_istty(const struct semihosting_debugger *d, const struct debugger_file *f, int *error);
int debugger_remove(const struct semihosting_debugger *d, const char *name, int *error, bool *gone);
int debugger_rename(const struct semihosting_debugger *d, const char *from, const char *to, int *error, bool *gone);
int debugger_system(const struct semihosting_debugger *d, const char *command, int *error);
/* Seconds since 1970; false: it does not say. */
bool debugger_time(const struct semihosting_debugger *d, u32 *seconds);

#endif
