/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in a file of the host: compressed, with a head that says what they are, and checksums. */
#ifndef SIM_PACKED_FILE_H
#define SIM_PACKED_FILE_H

#include "memory/state.h"

enum state_file_result {
	STATE_FILE_OK,
	STATE_FILE_UNREADABLE, /* no such file, no permission */
	STATE_FILE_DAMAGED,    /* another format, truncated, a checksum that does not fit */
	STATE_FILE_MISFIT,     /* of another version, board, parameters or programs */
	STATE_FILE_UNWRITABLE,
	STATE_FILE_FAILED,     /* while the machine runs, or out of host memory */
};

struct packed_kind {
	char magic[16];
	u32 version;      /* of what is in it */
	const char *noun; /* for messages: "saved state" */
	const char *make; /* how one comes about: "save it" */
};

/* Creates or replaces the file. A line in `why` unless the result is STATE_FILE_OK. */
enum state_file_result packed_write(const struct packed_kind *kind, const char *path, const void *data, u64 bytes, char *why,
				    size_t why_size);
/* Appends what is in the file to `out`. */
enum state_file_result packed_read(const struct packed_kind *kind, const char *path, struct state_buffer *out, char *why, size_t why_size);
/* The exit status for a result. */
int packed_status(enum state_file_result r);

#endif
