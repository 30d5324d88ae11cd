/* SPDX-License-Identifier: Apache-2.0 */
/* Huge pages for large buffers; see pages.h. */
#include "memory/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Smaller ones take less time page by page. */
#define WORTH_HUGE (PAGES_HUGE / 4)

/* So many bytes' pages take longer one by one (1.3 us each in a virtual machine) than together (0.6). */
#define WORTH_CALL ((size_t)32 << 10)

void pages_advise(void *p, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
	uintptr_t first = ((uintptr_t)p + PAGES_HUGE - 1) & ~(uintptr_t)(PAGES_HUGE - 1);
	uintptr_t end = ((uintptr_t)p + bytes) & ~(uintptr_t)(PAGES_HUGE - 1);

	if (p && end > first)
		(void)madvise((void *)first, end - first, MADV_HUGEPAGE); /* a wish only */
#else
	(void)p;
	(void)bytes;
#endif
}

void pages_populate(void *p, size_t bytes)
{
#if defined(MADV_POPULATE_WRITE)
	const uintptr_t page = 4096, first = ((uintptr_t)p + page - 1) & ~(page - 1), end = ((uintptr_t)p + bytes) & ~(page - 1);

	if (p && bytes >= WORTH_CALL && end > first)
		(void)madvise((void *)first, end - first, MADV_POPULATE_WRITE); /* refused where pages are larger, or by old hosts */
#else
	(void)p;
	(void)bytes;
#endif
}

static void *few_pages(size_t bytes)
{
	void *p = malloc(bytes);

	pages_populate(p, bytes);
	return p ? memset(p, 0, bytes) : NULL;
}

static size_t whole_pages(size_t bytes)
{
	return (bytes + PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE;
}

void *pages_alloc(size_t bytes)
{
	if (bytes < WORTH_HUGE)
		return few_pages(bytes ? bytes : 1);
	if (bytes > SIZE_MAX - 2 * PAGES_HUGE)
		return NULL;
	const size_t size = whole_pages(bytes);
	u8 *map = mmap(NULL, size + PAGES_HUGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	const size_t before = -(uintptr_t)map % PAGES_HUGE;
	if (before)
		(void)munmap(map, before);
	if (before < PAGES_HUGE)
		(void)munmap(map + before + size, PAGES_HUGE - before);
	pages_advise(map + before, size);
	return map + before;
}

void pages_release(void *p, size_t bytes)
{
	if (bytes < WORTH_HUGE)
		free(p);
	else if (p)
		(void)munmap(p, whole_pages(bytes));
}
