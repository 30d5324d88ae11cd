/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of the bus: one reserved 4 GiB range and one memory file. Private to memory/.
 *
 * Hosts with memfd map RAM at base + guest address as often as it has aliases, without
 * committing memory. */
#ifndef MEMORY_HOST_H
#define MEMORY_HOST_H

#include "memory/types.h"

struct host_memory {
	u8 *base;      /* 4 GiB reserved, inaccessible where no RAM is mapped */
	int file;      /* the memory file: as many bytes */
	u64 used;      /* bytes of it that are taken */
};

/* False: the host refuses the reservation or the memory file. */
bool host_memory_open(struct host_memory *h);
void host_memory_close(struct host_memory *h);

/* Takes `size` bytes (whole host pages) of the file, *offset is where they are; false: there are no more. */
bool host_memory_take(struct host_memory *h, u64 size, u64 *offset);

/* Shows [offset, offset+size) of the file at guest address `at`. */
bool host_memory_map(struct host_memory *h, u32 at, u64 size, u64 offset);

#endif
