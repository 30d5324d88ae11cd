/* SPDX-License-Identifier: Apache-2.0 */
/* What a configuration and its machines keep together: texts of parameters, and the record to repeat. */
#include "sim/api/private.h"

#include <stdlib.h>
#include <string.h>

struct text {
	struct text *next;
	char bytes[];
};

struct api_texts {
	unsigned users; /* only atomic accesses: machines may be freed on any thread */
	struct text *first;
	struct record record; /* which has texts of its own */
	bool repeats;         /* there is one */
};

struct api_texts *api_texts_new(void)
{
	struct api_texts *t = calloc(1, sizeof *t);

	return t ? api_texts_share(t) : NULL;
}

struct api_texts *api_texts_share(struct api_texts *t)
{
	__atomic_add_fetch(&t->users, 1, __ATOMIC_RELAXED);
	return t;
}

void api_texts_drop(struct api_texts *t)
{
	if (!t || __atomic_sub_fetch(&t->users, 1, __ATOMIC_ACQ_REL))
		return;
	for (struct text *x = t->first, *next; x; x = next) {
		next = x->next;
		free(x);
	}
	record_free(&t->record);
	free(t);
}

char *api_texts_keep(struct api_texts *t, const char *text)
{
	const size_t bytes = strlen(text) + 1;
	struct text *x = malloc(sizeof *x + bytes);

	if (!x)
		return NULL;
	memcpy(x->bytes, text, bytes);
	x->next = t->first;
	t->first = x;
	return x->bytes;
}

const struct record *api_texts_record(const struct api_texts *t)
{
	return t->repeats ? &t->record : NULL;
}

struct record *api_texts_repeat(struct api_texts *t)
{
	t->repeats = true;
	return &t->record;
}
