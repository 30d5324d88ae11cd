/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/executor/memory.h"

#include <string.h>

void *memory_take(struct memory *m, size_t bytes, size_t alignment)
{
	const size_t padding = (size_t)(-((uintptr_t)m->base + m->used) & (alignment - 1));
	const size_t left = m->bytes - m->used;

	if (padding > left || bytes > left - padding) {
		m->short_by = bytes + padding - left;
		return NULL;
	}
	m->used += padding + bytes;
	return m->base + m->used - bytes;
}

void *memory_table(struct memory *m, size_t count, size_t entry_bytes)
{
	void *table = NULL;

	if (count && entry_bytes > SIZE_MAX / 2 / count)
		m->short_by = SIZE_MAX / 2;
	else
		table = memory_take(m, count * entry_bytes, 8);
	if (table)
		memset(table, 0, count * entry_bytes);
	return table;
}
