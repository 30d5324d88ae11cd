/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the .pte reader share. Not for use outside loader/pte*.c. */
#ifndef LOADER_PTE_PRIVATE_H
#define LOADER_PTE_PRIVATE_H

#include "loader/flatbuffer.h"
#include "loader/pte.h"

struct pte_reading {
	struct flatbuffer fb;   /* fb.bad: something was not as it should be */
	struct fb_table program;
	struct pte_program *p;  /* being filled */
	u64 segment_base;       /* offset in the file; 0: no segments */
};

/* Bytes of segment number `index`; false when there is none inside of the file. */
bool pte_segment(struct pte_reading *r, u64 index, const u8 **data, u64 *size);

/* Fills v, all zeros before, from a value's table; v->items is pte_free()'s to give back. Sets r->fb.bad when the
 * value makes no sense. */
void pte_read_value(struct pte_reading *r, struct fb_table t, struct pte_value *v);

#endif
