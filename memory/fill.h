/* SPDX-License-Identifier: Apache-2.0 */
/* RAM that does not begin as zeros. */
#ifndef MEMORY_FILL_H
#define MEMORY_FILL_H

#include "memory/bus.h"

/* The RAM at `base` (all of the region, under all its addresses) begins with two words by turns. Call it
 * before anything reaches that RAM. A page takes host memory when it is reached: by bus_read, bus_write,
 * bus_span or bus_ram_page, without one of which nobody may look at it. False: no RAM begins there, or
 * out of host memory. */
bool bus_fill(struct bus *b, u32 base, u32 first, u32 second);

#endif
