/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files of the host. */
#ifndef LOADER_FILE_H
#define LOADER_FILE_H

#include "memory/types.h"

struct file_bytes {
	u8 *data; /* 16 zero bytes follow, so that wide reads at the end are safe */
	u64 size;
};

/* Reads `path`; false with one line of text in `why` (the path, the cause). Free with file_free. */
bool file_read(const char *path, struct file_bytes *out, char *why, size_t why_size);
void file_free(struct file_bytes *f);

/* Creates or replaces `path`; false with a line in `why`. */
bool file_write(const char *path, const void *data, u64 size, char *why, size_t why_size);

#endif
