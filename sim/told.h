/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a run, kept for its report. */
#ifndef SIM_TOLD_H
#define SIM_TOLD_H

#include "memory/diag.h"

enum { TOLD_MOST = 100 };

struct told_message { enum diag_kind kind; char *id, *text; };

struct told {
	struct told_message message[TOLD_MOST];
	unsigned count;
	u64 left_out; /* there were more than TOLD_MOST, or host memory was short */
};

/* Keeps a copy of one that is told. */
void told_add(struct told *t, enum diag_kind kind, const char *id, const char *text);
void told_free(struct told *t);

/* "guest", "not modelled", ... */
const char *told_kind(enum diag_kind kind);

#endif
