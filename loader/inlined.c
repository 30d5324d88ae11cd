/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the compiler put in place of their calls. libdw's own dwarf_getscopes tells the innermost one only, none whose
 * definition lies in another unit (link-time optimisation), and asserts of damaged files what need not be. */
#include "loader/image_private.h"

#include <dwarf.h>

enum { NESTED = 64, STEPS = 1 << 20 /* damaged files have endless lists */ };

struct inlined_question {
	struct image_private *p;
	u32 addr;
	const char *name[NESTED]; /* outermost first */
	unsigned count;
};

/* The entry inside `outer` that contains the address. */
static bool find_inner(Dwarf_Die *outer, u32 addr, unsigned *steps, Dwarf_Die *inner)
{
	for (int end = dwarf_child(outer, inner); !end && *steps; end = dwarf_siblingof(inner, inner), --*steps)
		if (dwarf_haspc(inner, addr) > 0)
			return true;
	return false;
}

static void ask(void *ctx)
{
	struct inlined_question *q = ctx;
	Dwarf_Die *unit = image_dwarf(q->p) ? image_unit_of(q->p, q->addr) : NULL, outer, inner;
	unsigned steps = STEPS;

	if (!unit)
		return;
	for (outer = *unit; q->count < NESTED && find_inner(&outer, q->addr, &steps, &inner); outer = inner) {
		if (dwarf_tag(&inner) == DW_TAG_subprogram)
			q->count = 0;
		if (dwarf_tag(&inner) == DW_TAG_inlined_subroutine && dwarf_diename(&inner))
			q->name[q->count++] = dwarf_diename(&inner);
	}
}

unsigned image_inlined_at(struct image *image, u32 addr, const char **names, unsigned most)
{
	struct inlined_question q = { .p = image->private, .addr = addr & ~1u };
	unsigned n = 0;

	if (!image_ask(ask, &q))
		return 0;
	for (; n < most && n < q.count; n++)
		names[n] = q.name[q.count - 1 - n];
	return n;
}
