/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/told.h"

#include <stdlib.h>
#include <string.h>

void told_add(struct told *t, enum diag_kind kind, const char *id, const char *text)
{
	struct told_message m = { .kind = kind };

	if (t->count < TOLD_MOST) {
		m.id = strdup(id);
		m.text = strdup(text);
	}
	if (!m.id || !m.text) {
		free(m.id);
		free(m.text);
		t->left_out++;
		return;
	}
	t->message[t->count++] = m;
}

void told_free(struct told *t)
{
	for (unsigned i = 0; i < t->count; i++) {
		free(t->message[i].id);
		free(t->message[i].text);
	}
	t->count = 0;
}

const char *told_kind(enum diag_kind kind)
{
	static const char *const kinds[] = { [DIAG_USER] = "user", [DIAG_GUEST] = "guest", [DIAG_NOT_MODELLED] = "not modelled",
					     [DIAG_NOTE] = "note" };

	return kinds[kind];
}
