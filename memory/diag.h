/* SPDX-License-Identifier: Apache-2.0 */
/* Where messages about the guest, the host files and ourselves go.
 * Everyone may report; only sim/ decides where a message ends (stderr, report file).
 * Nothing here ever prints to stdout: that belongs to the guest. */
#ifndef MEMORY_DIAG_H
#define MEMORY_DIAG_H

#include "memory/types.h"

enum diag_kind {
	DIAG_USER,        /* bad option, bad file */
	DIAG_GUEST,       /* the guest did something wrong */
	DIAG_NOT_MODELLED, /* correct guest, missing model */
	DIAG_NOTE,
};

struct diag {
	void (*emit)(void *ctx, enum diag_kind kind, const char *id, const char *text);
	void *ctx;
};

/* Formats and emits one line. `id` is a stable name such as "NPU003"; a NULL diag drops it. */
void diag_report(const struct diag *d, enum diag_kind kind, const char *id, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

#endif
