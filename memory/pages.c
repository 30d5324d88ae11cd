/* SPDX-License-Identifier: Apache-2.0 */
/* Huge pages for large buffers; see pages.h. */
#include "memory/pages.h"

#include <sys/mman.h>

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
