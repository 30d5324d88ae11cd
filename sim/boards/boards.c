/* SPDX-License-Identifier: Apache-2.0 */
/* The list of boards. */
#include "sim/boards/corstone_300.h"

#include <string.h>

const struct board *const boards[] = {&corstone_300, NULL};

const struct board *board_find(const char *name)
{
	for (const struct board *const *b = boards; *b; b++)
		if (!strcmp((*b)->name, name))
			return *b;
	return NULL;
}
