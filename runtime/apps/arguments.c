/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/apps/arguments.h"
#include "runtime/core/format.h"

#include <string.h>

#define USAGE "usage: executor_runner -m program.pte -o out -i i0.bin [-i i1.bin ...] [-d data.ptd]"

/* The next word, or NULL. Quotes around the whole line come with it when a parameter was given in them. */
static char *next_word(char **at)
{
	char *word;

	*at += strspn(*at, " '\"");
	if (!**at)
		return NULL;
	word = *at;
	*at += strcspn(*at, " '\"");
	if (**at)
		*(*at)++ = 0;
	return word;
}

static bool take(struct arguments *a, const char *option, const char *value)
{
	if (!strcmp(option, "-m"))
		a->model = value;
	else if (!strcmp(option, "-d"))
		a->data = value;
	else if (!strcmp(option, "-o"))
		a->output = value;
	else if (!strcmp(option, "-i") && a->input_count++ < ARGUMENTS_MAX_INPUTS)
		a->inputs[a->input_count - 1] = value;
	else
		return false;
	return true;
}

bool arguments_read(struct arguments *a, char *text, char *why, size_t why_bytes)
{
	const char *option, *value;

	*a = (struct arguments){ 0 };
	next_word(&text); /* the program's name */
	while ((option = next_word(&text))) {
		value = next_word(&text);
		if (!value || !take(a, option, value)) {
			if (a->input_count > ARGUMENTS_MAX_INPUTS)
				format_text(why, why_bytes, "more than %d inputs are given by -i", ARGUMENTS_MAX_INPUTS);
			else
				format_text(why, why_bytes, "argument %s is not understood; " USAGE, option);
			return false;
		}
	}
	if (!a->model || !a->output) {
		format_text(why, why_bytes, "-m and -o are needed; " USAGE);
		return false;
	}
	return true;
}
