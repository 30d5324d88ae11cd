/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/engine/links.h"

#include <string.h>

static unsigned bucket_of(u32 to)
{
	return (to >> 1) % LINK_BUCKETS;
}

void links_forget_all(struct links *l)
{
	l->count = 0;
	memset(l->bucket, 0, sizeof l->bucket);
}

struct link *links_add(struct links *l, u32 to, i32 stub)
{
	u16 *latest = &l->bucket[bucket_of(to)];

	if (l->count == LINKS)
		return NULL;
	struct link *link = &l->list[l->count++];
	*link = (struct link){ .to = to, .stub = stub, .next = *latest };
	*latest = l->count;
	return link;
}

static struct link *from(struct links *l, u16 number, u32 to)
{
	while (number && l->list[number - 1].to != to)
		number = l->list[number - 1].next;
	return number ? &l->list[number - 1] : NULL;
}

struct link *links_first(struct links *l, u32 to)
{
	return from(l, l->bucket[bucket_of(to)], to);
}

struct link *links_next(struct links *l, const struct link *link)
{
	return from(l, link->next, link->to);
}
