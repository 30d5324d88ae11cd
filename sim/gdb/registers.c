/* SPDX-License-Identifier: Apache-2.0 */
/* Packets g, G, p and P. */
#include "sim/gdb/session.h"

#include <string.h>

void registers_read(struct gdb *g, const char *rest)
{
	unsigned bytes;
	u64 value;

	(void)rest;
	for (unsigned i = 0; register_get(g->machine, i, &value, &bytes); i++)
		text_hex(&g->reply, &value, bytes);
}

void registers_write(struct gdb *g, const char *rest)
{
	unsigned bytes;
	u64 value, before;

	reverse_over_fault(g);
	session_changed(g);
	for (unsigned i = 0; *rest && register_get(g->machine, i, &before, &bytes); i++, rest += 2 * bytes) {
		value = 0;
		if (!hex_bytes(rest, (u8 *)&value, bytes)) {
			answer_error(g, ERROR_WRONG);
			return;
		}
		if (value != before) /* a register of the NPU may start a job */
			register_set(g->machine, i, value);
	}
	answer_ok(g);
}

void register_read(struct gdb *g, const char *rest)
{
	unsigned bytes;
	u64 number, value;

	if (hex_number(&rest, &number) && number < UINT32_MAX && register_get(g->machine, (unsigned)number, &value, &bytes) && bytes)
		text_hex(&g->reply, &value, bytes);
	else
		answer_error(g, ERROR_WRONG);
}

void register_write(struct gdb *g, const char *rest)
{
	unsigned bytes;
	u64 number, value = 0, before;

	reverse_over_fault(g);
	session_changed(g);
	if (!hex_number(&rest, &number) || *rest++ != '=' || number > UINT32_MAX ||
	    !register_get(g->machine, (unsigned)number, &before, &bytes) || strlen(rest) != 2 * (size_t)bytes ||
	    !hex_bytes(rest, (u8 *)&value, bytes) || !register_set(g->machine, (unsigned)number, value))
		answer_error(g, ERROR_WRONG);
	else
		answer_ok(g);
}
