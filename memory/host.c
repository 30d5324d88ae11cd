/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/host.h"

#include <sys/mman.h>
#include <unistd.h>

#define SPACE (UINT64_C(1) << 32)
/* An access of up to 16 bytes at the top address must not run off the reservation. */
#define GUARD UINT64_C(65536)

bool host_memory_open(struct host_memory *h)
{
	void *p = mmap(NULL, SPACE + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	h->used = 0;
	h->base = NULL;
	h->file = -1;
	if (p == MAP_FAILED)
		return false;
	h->base = p;
	h->file = memfd_create("fvp-sim memory", MFD_CLOEXEC);
	/* Whole at once, and sparse: what the host refuses (ulimit -f) is known here. */
	return h->file >= 0 && ftruncate(h->file, (off_t)SPACE) == 0;
}

void host_memory_close(struct host_memory *h)
{
	if (h->base)
		munmap(h->base, SPACE + GUARD);
	if (h->file >= 0)
		close(h->file);
	h->base = NULL;
	h->file = -1;
}

bool host_memory_take(struct host_memory *h, u64 size, u64 *offset)
{
	*offset = h->used;
	h->used += size;
	return h->used <= SPACE;
}

bool host_memory_map(struct host_memory *h, u32 at, u64 size, u64 offset)
{
	return mmap(h->base + at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
		    h->file, (off_t)offset) != MAP_FAILED;
}
