/* SPDX-License-Identifier: Apache-2.0 */
/* A small network runs for less time than the pages of its heap take that come one by one: a huge page costs what sixty of them do. Not so on a
 * virtual machine whose own host must find the memory first: 5 to 18 ms for each huge page, where small ones that others have just given back
 * take 1.1 for as much. */
#include "sim/cli/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
#include <malloc.h>

#define HUGE ((size_t)2 << 20)
#define SLOW UINT64_C(2000000) /* nanoseconds for one, which mostly takes 0.2 ms */
#define NEAR 1024 /* larger than what the heap may have left elsewhere, and than what it keeps before a piece */

/* Pieces that are never used: the heap's end, and what lies between that and the page. */
static void *volatile last, *volatile between;

/* Of this thread: others that run meanwhile do not count. */
static inline uint64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Brings the page, without a change to what it may hold. When that is slow all others of the process are small ones. */
static void take_page(void *page)
{
#if defined(MADV_POPULATE_WRITE)
	const uint64_t start = nanoseconds();

	(void)madvise(page, 4096, MADV_POPULATE_WRITE); /* refused by old hosts */
	if (nanoseconds() - start > SLOW)
		(void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#else
	(void)page;
#endif
}

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
	if (madvise((void *)page, HUGE, MADV_HUGEPAGE) == 0) /* a wish only */
		take_page((void *)page);
}
#else
void heap_in_huge_page(void)
{
}
#endif
