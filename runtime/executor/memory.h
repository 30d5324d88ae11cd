/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is handed out and never taken back, but for all that was taken since a mark. */
#ifndef RUNTIME_EXECUTOR_MEMORY_H
#define RUNTIME_EXECUTOR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct memory {
	uint8_t *base;
	size_t bytes, used;
	size_t short_by;  /* bytes that the request which failed lacked; 0: none failed */
	const char *name; /* for messages: "planned" */
};

/* `alignment` is a power of two. NULL, and short_by is set, when there is not enough. */
void *memory_take(struct memory *m, size_t bytes, size_t alignment);

/* The same for a table of `count` entries, cleared. */
void *memory_table(struct memory *m, size_t count, size_t entry_bytes);

#endif
