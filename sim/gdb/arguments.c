/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of gdb's "run" and "start": vRun;FILE;ARGUMENT..., each in hexadecimal digits, the file often empty. They become the command
 * line that the program asks for (SYS_GET_CMDLINE), which is one text: an argument that is no single word in it is put in quotes, which
 * newlib's start-up code takes off again. */
#include "sim/gdb/session.h"

#include <string.h>

/* Up to the next `;`, or the end, to which *at points then. */
static bool next_text(const char **at, struct text *out)
{
	u8 byte;

	text_clear(out);
	text_bytes(out, "", 0);
	for (; **at && **at != ';'; *at += 2) {
		if (!hex_bytes(*at, &byte, 1) || !byte)
			return false;
		text_bytes(out, &byte, 1);
	}
	return out->data != NULL;
}

/* False: it has quotes of both kinds, which no line can have. */
static bool add_argument(struct text *line, const struct text *argument)
{
	const bool quoted = strchr(argument->data, '"'), plain = argument->bytes && !strpbrk(argument->data, " \t\n'\"");
	const char *quotes = plain ? "" : quoted ? "'" : "\"";

	if (quoted && strchr(argument->data, '\''))
		return false;
	text_add(line, " %s", quotes);
	text_bytes(line, argument->data, argument->bytes);
	text_add(line, "%s", quotes);
	return true;
}

/* The program's name as the client gives it (set remote exec-file), else as the options do, else that of its file. */
static void add_name(struct text *line, const struct gdb *g, const struct text *given)
{
	const struct machine *m = g->machine;
	const char *option = m->config.semihosting.command_line, *path = m->image_count ? m->images[0].path : "", *slash = strrchr(path, '/');

	if (given->bytes)
		text_bytes(line, given->data, given->bytes);
	else if (option && strcspn(option, " "))
		text_bytes(line, option, strcspn(option, " "));
	else
		text_add(line, "%s", slash ? slash + 1 : path);
}

bool arguments_take(struct gdb *g, const char *rest)
{
	struct text word = { 0 }, line = { 0 };
	bool ok, any;

	rest += *rest == ';';
	ok = next_text(&rest, &word);
	any = ok && *rest;
	if (any)
		add_name(&line, g, &word);
	while (ok && *rest == ';') {
		rest++;
		ok = next_text(&rest, &word) && add_argument(&line, &word);
	}
	text_free(&word);
	if (!ok) {
		text_free(&line);
		return false;
	}
	text_free(&g->arguments);
	g->arguments = line;
	if (g->machine->semihosting)
		semihosting_set_command_line(g->machine->semihosting, g->arguments.data);
	return true;
}

void arguments_end(struct gdb *g)
{
	if (g->machine->semihosting)
		semihosting_set_command_line(g->machine->semihosting, NULL);
	text_free(&g->arguments);
}
