/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several names of one address a function goes by: that which the debug information has, as in gdb; else the one that
 * image_function_at finds. */
#include "loader/image_private.h"

#include <dwarf.h>
#include <string.h>

enum { STEPS = 1 << 20 /* damaged files have endless lists */ };

struct alias_question {
	struct image *image;
	const struct image_function *last; /* of those at its address */
	const char *name;
};

/* The symbol's own name: it lives as long as the image, and the debug information may call by it what has no such symbol. */
static const char *name_of_symbol(const struct alias_question *q, const char *name)
{
	for (const struct image_function *f = q->last; f >= q->image->functions && f->addr == q->last->addr; f--)
		if (!strcmp(f->name, name))
			return f->name;
	return NULL;
}

static void ask(void *ctx)
{
	struct alias_question *q = ctx;
	struct image_private *p = q->image->private;
	Dwarf_Die *unit = image_dwarf(p) ? image_unit_of(p, q->last->addr) : NULL, die;
	unsigned steps = STEPS;
	Dwarf_Addr low;

	if (!unit)
		return;
	for (int end = dwarf_child(unit, &die); !end && steps-- && !q->name; end = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_lowpc(&die, &low) == 0 && low == q->last->addr && dwarf_diename(&die))
			q->name = name_of_symbol(q, dwarf_diename(&die));
}

const char *image_function_name(struct image *image, const struct image_function *f)
{
	struct image_function *last = &image->functions[f - image->functions];
	struct alias_question q = { image, last, NULL };

	if (last == image->functions || last[-1].addr != last->addr)
		return last->name;
	if (!last->shown)
		last->shown = image_ask(ask, &q) && q.name ? q.name : last->name;
	return last->shown;
}
