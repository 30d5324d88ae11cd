/* SPDX-License-Identifier: Apache-2.0 */
/* Large buffers of the host: first use of fresh memory costs a fault per 4 KiB page, which for
 * a short run is more time than the work itself. */
#ifndef MEMORY_PAGES_H
#define MEMORY_PAGES_H

#include "memory/types.h"

#define PAGES_HUGE ((size_t)2 << 20)

/* Asks for huge pages in the aligned parts of [p, p + bytes) where the host offers them on
 * request. Only time depends on it. */
void pages_advise(void *p, size_t bytes);

/* Brings all of the pages inside [p, p + bytes) together, for memory that is about to be written to from end to end. */
void pages_populate(void *p, size_t bytes);

/* Zeroed memory, on the boundary of a huge page where it may well fill one; NULL when there is none.
 * Where it fills huge pages it costs nothing before it is used; less is there at once. pages_release() wants the same number of
 * bytes. */
void *pages_alloc(size_t bytes);
void pages_release(void *p, size_t bytes);

#endif
