/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for room near the program: above it, behind what its heap may need, then below it. */
#include "cpu/engine/near.h"
#include "cpu/engine/slot.h"

#include <sys/mman.h>

/* All distances are from here. */
const char slot_base[1];

#define NEAR_FIRST ((uintptr_t)256 << 20)
#define NEAR_LAST ((uintptr_t)960 << 20) /* each side: what is between the ends of both is below 2 GiB */
#define NEAR_STEP ((uintptr_t)1 << 20)

#ifdef MAP_FIXED_NOREPLACE
#define ONLY_THERE MAP_FIXED_NOREPLACE
#else
#define ONLY_THERE 0
#endif

static void *map_at(uintptr_t at, size_t bytes, int rights, int fd, size_t offset)
{
	int flags = ONLY_THERE | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED);
	void *p = mmap((void *)at, bytes, rights, flags, fd, (off_t)offset);

	if (p == MAP_FAILED)
		return NULL;
	if ((uintptr_t)p == at)
		return p;
	munmap(p, bytes); /* an older kernel took the address for a hint */
	return NULL;
}

void *near_map(size_t bytes, int rights, int fd, size_t offset)
{
	uintptr_t here = (uintptr_t)slot_base & ~(uintptr_t)(NEAR_ALIGN - 1);
	uintptr_t step = bytes > NEAR_STEP ? bytes : NEAR_STEP;
	void *p;

	for (uintptr_t d = NEAR_FIRST; d + bytes < NEAR_LAST; d += step) {
		p = here + d + bytes > here ? map_at(here + d, bytes, rights, fd, offset) : NULL;
		if (p)
			return p;
	}
	for (uintptr_t d = NEAR_FIRST; d + bytes < NEAR_LAST && d < here; d += step) {
		p = map_at(here - d, bytes, rights, fd, offset);
		if (p)
			return p;
	}
	return NULL;
}
