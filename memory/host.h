/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of the bus: one reserved 4 GiB range and one memory file. Private to memory/.
 *
 * Hosts with memfd map RAM at base + guest address as often as it has aliases, without
 * committing memory. Where files must stay small (ulimit -f) shared anonymous memory is in its place: it has aliases, too
 * (mremap of 0 bytes), but tells which of its pages are used only while none of them is swapped out. */
#ifndef MEMORY_HOST_H
#define MEMORY_HOST_H

#include "memory/types.h"

/* Hosts have pages of 4 to 64 KiB. What is mapped begins on one of the largest, in the guest and in the file, on every host: numbers of
 * pages are the same everywhere. */
#define HOST_PAGE_MAX 65536u

struct host_memory {
	u8 *base;      /* 4 GiB reserved, inaccessible where no RAM is mapped */
	int file;      /* the memory file: as many bytes; -1: there is a pool */
	u8 *pool;      /* the anonymous memory, NULL: there is a file */
	u64 used;      /* bytes of it that are taken */
};

/* False: the host refuses the reservation or the memory file. */
bool host_memory_open(struct host_memory *h);
void host_memory_close(struct host_memory *h);

/* Takes `size` bytes of the file and the rest of their last HOST_PAGE_MAX, *offset is where they are; false: there are no more. */
bool host_memory_take(struct host_memory *h, u64 size, u64 *offset);

/* The first bytes from `from` on, before `end`, that the host has memory for: something was there at some time, all
 * others are zeros. Of a pool that is partly swapped out all counts. False: there are none. `from` is where memory was taken, or
 * behind the last result. Whole pages of 4 KiB. */
bool host_memory_used(const struct host_memory *h, u64 from, u64 end, u64 *first, u64 *last);

/* [offset, offset + size) of the file becomes zeros and costs the host no memory; false: the host does not do
 * that, as for parts of a host's page. Whole pages of 4 KiB. */
bool host_memory_drop(struct host_memory *h, u64 offset, u64 size);

/* Writes bytes to the file, which takes the host half as long as a fault for each new page of a mapping does; false: there is a pool, or
 * the host refuses, and some may have been written: they are to be written to the mapping. */
bool host_memory_put(struct host_memory *h, u64 offset, const void *from, u64 bytes);

/* Shows [offset, offset+size) of the file at guest address `at`, a multiple of HOST_PAGE_MAX. What follows up to the next multiple may
 * be shown as well. */
bool host_memory_map(struct host_memory *h, u32 at, u64 size, u64 offset);

#endif
