/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define SPACE (UINT64_C(1) << 32)
/* An access of up to 16 bytes at the top address must not run off the reservation. */
#define GUARD UINT64_C(65536)
_Static_assert(GUARD % HOST_PAGE_MAX == 0, "the guard is whole pages");

enum { LOOKED_AT = 4096 }; /* pages of a pool at once */

/* May a file be as long as the memory? Asked for beforehand: a file that is too long also raises a signal. */
static bool fits_files(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= SPACE;
}

static bool open_pool(struct host_memory *h)
{
	void *p = mmap(NULL, SPACE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	close(h->file);
	h->file = -1;
	h->pool = p == MAP_FAILED ? NULL : p;
	return h->pool != NULL;
}

bool host_memory_open(struct host_memory *h)
{
	void *p = mmap(NULL, SPACE + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*h = (struct host_memory){ .file = -1 };
	if (p == MAP_FAILED)
		return false;
	h->base = p;
	h->file = memfd_create("fvp-sim memory", MFD_CLOEXEC);
	/* Whole at once, and sparse: what the host refuses (ulimit -f) is known here. */
	return h->file >= 0 && (fits_files() ? ftruncate(h->file, (off_t)SPACE) == 0 : open_pool(h));
}

void host_memory_close(struct host_memory *h)
{
	if (h->base)
		munmap(h->base, SPACE + GUARD);
	if (h->pool)
		munmap(h->pool, SPACE);
	if (h->file >= 0)
		close(h->file);
	*h = (struct host_memory){ .file = -1 };
}

bool host_memory_take(struct host_memory *h, u64 size, u64 *offset)
{
	*offset = h->used;
	h->used += (size + HOST_PAGE_MAX - 1) / HOST_PAGE_MAX * HOST_PAGE_MAX;
	return h->used <= SPACE;
}

bool host_memory_map(struct host_memory *h, u32 at, u64 size, u64 offset)
{
	if (h->pool)
		return mremap(h->pool + offset, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, h->base + at) != MAP_FAILED;
	return mmap(h->base + at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
		    h->file, (off_t)offset) != MAP_FAILED;
}

static u64 host_page(void)
{
	return (u64)sysconf(_SC_PAGESIZE);
}

/* Are all pages that hold something where mincore sees them? Those on the host's swap device are not. */
static bool nothing_swapped(void)
{
	FILE *f = fopen("/proc/self/smaps_rollup", "r");
	unsigned long kib = 1;
	char line[256];

	while (f && fgets(line, sizeof line, f) && sscanf(line, "Swap: %lu", &kib) != 1)
		;
	if (f)
		fclose(f);
	return !kib;
}

/* As host_memory_used, in a pool that is not swapped. */
static bool used_of_pool(const struct host_memory *h, u64 from, u64 end, u64 *first, u64 *last)
{
	const u64 page = host_page();
	u8 there[LOOKED_AT];
	bool found = false;

	for (u64 at = from; at < end; at += LOOKED_AT * page) {
		const u64 left = (end - at + page - 1) / page, pages = left < LOOKED_AT ? left : LOOKED_AT;

		if (mincore(h->pool + at, pages * page, there) != 0)
			memset(there, 1, sizeof there); /* not known: all may be used */
		for (u64 i = 0; i < pages; i++) {
			if (found && !(there[i] & 1))
				return true;
			if (there[i] & 1) {
				*first = found ? *first : at + i * page;
				*last = at + (i + 1) * page < end ? at + (i + 1) * page - 1 : end - 1;
				found = true;
			}
		}
	}
	return found;
}

bool host_memory_used(const struct host_memory *h, u64 from, u64 end, u64 *first, u64 *last)
{
	if (h->pool && nothing_swapped())
		return used_of_pool(h, from, end, first, last);
	if (h->pool) {
		*first = from;
		*last = end - 1;
		return from < end;
	}

	const off_t data = from < end ? lseek(h->file, (off_t)from, SEEK_DATA) : -1;
	const off_t hole = data < 0 ? -1 : lseek(h->file, data, SEEK_HOLE);

	if (data < 0 || hole < 0 || (u64)data >= end)
		return false;
	*first = (u64)data;
	*last = (u64)hole < end ? (u64)hole - 1 : end - 1;
	return true;
}

bool host_memory_put(struct host_memory *h, u64 offset, const void *from, u64 bytes)
{
	const u8 *p = from;

	while (!h->pool && bytes) {
		const ssize_t n = pwrite(h->file, p, bytes, (off_t)offset);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			p += n;
			offset += (u64)n;
			bytes -= (u64)n;
		}
	}
	return !h->pool;
}

bool host_memory_drop(struct host_memory *h, u64 offset, u64 size)
{
	if (h->pool) /* madvise takes the rest of the last page as well */
		return !((offset | size) & (host_page() - 1)) && madvise(h->pool + offset, size, MADV_REMOVE) == 0;
	return fallocate(h->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size) == 0;
}
