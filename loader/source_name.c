/* SPDX-License-Identifier: Apache-2.0 */
/* Full names of source files. Line tables of DWARF 5 have names below the folder in which the compiler ran (6.2.4.1), which mean nothing
 * elsewhere, and a file that is reached by several ways has several. "x/.." is left out by the letter, as geninfo(1) does. */
#include "loader/image_private.h"

#include <dwarf.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libdw calls the file, one address for each entry of a table of files, and what we do. */
struct source_name {
	const char *given;
	char *full;
};

static int by_place(const void *a, const void *b)
{
	const struct source_name *x = a, *y = b;

	return (x->given > y->given) - (x->given < y->given);
}

/* Leaves out "." and "x/.." of a name that begins with "/". */
static void shorten(char *name)
{
	char *to = name, *from = name;

	while (*from) {
		const size_t n = 1 + strcspn(from + 1, "/");
		const bool up = n == 3 && !memcmp(from, "/..", 3), nothing = n == 1 || (n == 2 && from[1] == '.');

		while (up && to > name && *--to != '/')
			;
		if (!up && !nothing) {
			memmove(to, from, n);
			to += n;
		}
		from += n;
	}
	*to = 0;
}

static const char *folder_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));

	return folder && *folder == '/' ? folder : NULL;
}

static char *full_name(Dwarf_Die *unit, const char *given)
{
	const char *folder = *given == '/' ? "" : folder_of(unit);
	char *full;

	if (!folder || asprintf(&full, "%s%s%s", folder, *folder ? "/" : "", given) < 0)
		return NULL;
	shorten(full);
	return full;
}

const char *image_source_name(struct image_private *p, Dwarf_Die *unit, const char *given)
{
	struct source_name asked = { .given = given }, *made, **known;

	if (*given == '/' && !strstr(given, "/."))
		return given;
	known = tfind(&asked, &p->source_names, by_place);
	if (known)
		return (*known)->full ? (*known)->full : given;
	made = malloc(sizeof *made);
	if (!made)
		return given;
	*made = (struct source_name){ given, full_name(unit, given) };
	if (!tsearch(made, &p->source_names, by_place)) {
		free(made->full);
		free(made);
		return given;
	}
	return made->full ? made->full : given;
}

static void free_name(void *node)
{
	struct source_name *name = node;

	free(name->full);
	free(name);
}

void image_free_source_names(struct image_private *p)
{
	tdestroy(p->source_names, free_name);
}
