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

#endif
