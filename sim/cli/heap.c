/* SPDX-License-Identifier: Apache-2.0 */
/* A small network runs for less time than the pages of its heap take that come one by one: a huge page costs what sixty of them do. */
#include "sim/cli/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
#include <malloc.h>

#define HUGE ((size_t)2 << 20)
#define NEAR 1024 /* larger than what the heap may have left elsewhere, and than what it keeps before a piece */

/* Pieces that are never used: the heap's end, and what lies between that and the page. */
static void *volatile last, *volatile between;

void heap_in_huge_page(void)
{
	/* refused where another heap takes the C library's place */
	if (!mallopt(M_TOP_PAD, 2 * HUGE) || !mallopt(M_MMAP_THRESHOLD, 2 * HUGE))
		return;
	last = malloc(NEAR);
	if (!last)
		return;
	const uintptr_t end = (uintptr_t)last + NEAR, page = (end + 2 * NEAR - 1 + HUGE) / HUGE * HUGE;
	between = malloc(page - end - NEAR); /* ends before the page: nothing may have been written to it yet */
	(void)madvise((void *)page, HUGE, MADV_HUGEPAGE); /* a wish only */
}
#else
void heap_in_huge_page(void)
{
}
#endif
