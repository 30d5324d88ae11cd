/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the host that the simulator reads. Every failure gives one line: the path, the cause. */
#ifndef LOADER_FILE_H
#define LOADER_FILE_H

#include "memory/types.h"

#include <stdio.h>

struct file_bytes {
	u8 *data; /* 16 zero bytes follow, so that wide reads at the end are safe */
	u64 size;
};

/* Opens anything but a directory for reading; NULL with a line in `why`. */
FILE *file_open(const char *path, char *why, size_t why_size);

/* Reads the whole of `path`, at most 2 GiB; false with a line in `why`. Free with file_free. */
bool file_read(const char *path, struct file_bytes *out, char *why, size_t why_size);
/* The same of bytes; false: host memory is short. */
bool file_copy(const void *data, u64 bytes, struct file_bytes *out);
void file_free(struct file_bytes *f); /* *f is empty then; may be so before */

#endif
