/* SPDX-License-Identifier: Apache-2.0 */
/* Where the text of a guest's serial port goes: standard output, a file, or nowhere. */
#ifndef TRACES_SINK_H
#define TRACES_SINK_H

#include "memory/types.h"

#include <stdio.h>

struct sink {
	FILE *file;      /* NULL: bytes are only counted */
	bool unbuffered; /* flush after each byte */
	bool own;        /* to be closed */
	u64 bytes;
	u64 seen;        /* so many have been written before: only what comes behind is */
};

/* `path`: "-" for standard output, "" or NULL for nowhere, else a file to create. False with a
 * line in `why`. */
bool sink_open(struct sink *s, const char *path, bool unbuffered, char *why, size_t why_size);
void sink_put(struct sink *s, u8 byte); /* one byte; what goes wrong is told by sink_flush */
/* False: some bytes could not be written, now or earlier. */
bool sink_flush(struct sink *s);
void sink_close(struct sink *s); /* closes a file of its own; bytes go nowhere from then on */

#endif
