/* SPDX-License-Identifier: Apache-2.0 */
/* Streams to what somebody else must read: pipes, terminals, sockets. A reader who does not come may keep a run waiting for ever, but
 * not its end: once an end is asked for, the host's calls are interrupted again and again (sim/cli/interrupt.c), and a stream of which
 * nobody has taken a byte for READER_MS gives up, for good: all further writes fail at once, with ETIMEDOUT. */
#ifndef TRACES_READER_H
#define TRACES_READER_H

#include "memory/types.h"

#include <stdio.h>

enum { READER_MS = 50 };

/* For calls of the host that wait for a reader: when one began, in ms, 0 without a clock; and, where it has failed: is it to be made again, since it was
 * interrupted before its time? Else errno tells why, ETIMEDOUT when it has waited long enough. */
i64 reader_begin(void);
bool reader_again(i64 since);

/* Opens `path` for writing from its beginning, as creat does. ETIMEDOUT: a pipe that nobody opens for reading. */
int reader_open(const char *path);

/* A stream to `fd`, which it takes and closes. Regular files get a plain one: they wait for nobody. NULL: host memory is short. */
FILE *reader_stream(int fd);

/* Milliseconds from some moment on. */
typedef i64 reader_clock(void);

/* For a program, at its start: from now on streams give up, by that clock, and standard output and standard error are such streams. In
 * the library nobody calls it: there calls that were interrupted are made again. */
void reader_take_standard(reader_clock *clock);

#endif
