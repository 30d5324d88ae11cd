/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/name_list.h"

#include <stdlib.h>
#include <string.h>

bool name_list_add(struct name_list *l, const char *name)
{
	char **more = realloc(l->name, (l->count + 1) * sizeof *more);

	if (!more)
		return false;
	l->name = more;
	l->name[l->count] = strdup(name);
	if (!l->name[l->count])
		return false;
	l->count++;
	return true;
}

void name_list_free(struct name_list *l)
{
	for (unsigned i = 0; i < l->count; i++)
		free(l->name[i]);
	free(l->name);
}
