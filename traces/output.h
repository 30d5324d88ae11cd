/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the host that the simulator writes. Every failure gives one line: the path, the cause. */
#ifndef TRACES_OUTPUT_H
#define TRACES_OUTPUT_H

#include "memory/types.h"

#include <stdio.h>

/* Creates or replaces `path`, "-" for standard output; NULL with a line in `why`. The caller ends with output_finish. */
FILE *output_create(const char *path, char *why, size_t why_size);

/* Could `path` be created or replaced now? False with the line that output_create would give. Nothing is touched. */
bool output_possible(const char *path, char *why, size_t why_size);

/* Would writing `path` change the file that `other` names, under this name or another? Devices take any number of writers. */
bool output_hits(const char *path, const char *other);

/* The name that `path` has in `folder`, under this name of the folder or another; NULL: it lies elsewhere. */
const char *output_name_in(const char *path, const char *folder);

/* Closes `file`; false with a line in `why` when any byte since its creation was lost. */
bool output_finish(FILE *file, const char *path, char *why, size_t why_size);

/* A whole file of `size` bytes; false with a line in `why`. */
bool output_write(const char *path, const void *data, u64 size, char *why, size_t why_size);

#endif
