/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/profile_places.h"

#include <stdlib.h>

struct list {
	struct profile_place *place;
	u32 count, room;
	bool contexts, failed;
};

static void add(void *ctx, u32 context, u32 pc, const struct profile_cost *c)
{
	struct list *l = ctx;

	if (l->count == l->room) {
		const u32 room = l->room ? 2 * l->room : 4096;
		struct profile_place *more = realloc(l->place, room * sizeof *more);

		if (!more) {
			l->failed = true;
			return;
		}
		l->place = more;
		l->room = room;
	}
	l->place[l->count++] = (struct profile_place){ l->contexts ? context : 0, pc, *c };
}

static int order(const void *a, const void *b)
{
	const struct profile_place *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

struct profile_place *profile_places(const struct profile *p, bool contexts, u32 *count)
{
	struct list l = { .contexts = contexts };
	u32 n = 0;

	profile_each(p, add, &l);
	if (l.failed || !l.count) {
		free(l.place);
		*count = 0;
		return l.failed ? NULL : calloc(1, sizeof *l.place);
	}
	qsort(l.place, l.count, sizeof *l.place, order);
	for (u32 i = 1; i < l.count; i++)
		if (order(&l.place[n], &l.place[i]) == 0)
			profile_cost_add(&l.place[n].cost, &l.place[i].cost);
		else
			l.place[++n] = l.place[i];
	*count = n + 1;
	return l.place;
}
