/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/diag.h"

#include <stdarg.h>
#include <stdio.h>

void diag_report(const struct diag *d, enum diag_kind kind, const char *id, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	if (!d || !d->emit)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	d->emit(d->ctx, kind, id, text);
}
