/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in a file of the host: compressed, with a head that says what they are, and checksums. */
#ifndef SIM_PACKED_FILE_H
#define SIM_PACKED_FILE_H

#include "memory/state.h"
#include "sim/failure.h"

struct packed_kind {
	char magic[16];
	u32 version;      /* of what is in it */
	const char *noun; /* for messages: "saved state" */
	const char *make; /* how one comes about: "save it" */
};

/* Creates or replaces the file. A failure comes with a line in `why`: FAIL_BAD_INPUT: another format, truncated, a checksum
 * that does not fit; FAIL_MISFIT: of another version, board, parameters or programs. */
enum failure packed_write(const struct packed_kind *kind, const char *path, const void *data, u64 bytes, char *why,
			  size_t why_size);
/* Appends what is in the file to `out`. */
enum failure packed_read(const struct packed_kind *kind, const char *path, struct state_buffer *out, char *why, size_t why_size);

#endif
