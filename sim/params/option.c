/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/option.h"
#include "sim/params/message.h"
#include "sim/params/nearest.h"
#include "sim/params/threads.h"
#include "sim/params/values.h"
#include "sim/exit.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 128 }; /* name of an option that there is not, in its message */

/* A value behind `=` is no part of the name. */
int option_unknown(const struct option_table *t, const char *word)
{
	char name[LONGEST], hint[NEAREST_HINT];
	struct nearest near = { .word = name + strspn(word, "-") };

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	for (unsigned i = 0; i < t->count; i++)
		nearest_offer(&near, t->rows[i].name);
	message("%s: there is no option '%s'%s (%s lists all)\n", t->who, name, nearest_hint(&near, "--", hint),
		t->help);
	return OPTION_WRONG;
}

static int by_letter(const struct option_table *t, char letter)
{
	for (unsigned i = 0; i < t->count; i++)
		if (t->rows[i].letter == letter)
			return (int)i;
	return -1;
}

static int by_name(const struct option_table *t, const char *name, size_t length)
{
	for (unsigned i = 0; i < t->count; i++)
		if (strlen(t->rows[i].name) == length && !strncmp(t->rows[i].name, name, length))
			return (int)i;
	return -1;
}

/* The value of `word`, which ends with the option of that row, is the next word. */
static int take_next(struct option_reader *r, int row, const char *word, char **value)
{
	if (r->at < r->argc) {
		*value = r->argv[r->at++];
		return row;
	}
	message("%s: %s needs a value: %s\n", r->table->who, word, r->table->rows[row].argument);
	return OPTION_WRONG;
}

static int next_letter(struct option_reader *r, char **value)
{
	const char *word = r->argv[r->at - 1];
	const int row = by_letter(r->table, *r->letters++);

	if (row < 0)
		return option_unknown(r->table, word);
	*value = NULL;
	if (*r->letters && !r->table->rows[row].argument)
		return row; /* more letters follow */
	if (*r->letters)
		*value = r->letters;
	r->letters = NULL;
	return *value || !r->table->rows[row].argument ? row : take_next(r, row, word, value);
}

static int next_long(struct option_reader *r, char *word, char **value)
{
	char *equals = strchr(word, '=');
	const int row = by_name(r->table, word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2));

	if (row < 0)
		return option_unknown(r->table, word);
	*value = equals ? equals + 1 : NULL;
	if (!r->table->rows[row].argument == !equals)
		return row;
	if (!equals)
		return take_next(r, row, word, value);
	message("%s: --%s takes no value\n", r->table->who, r->table->rows[row].name);
	return OPTION_WRONG;
}

int option_next(struct option_reader *r, char **value)
{
	char *word;

	if (r->letters)
		return next_letter(r, value);
	if (r->at >= r->argc)
		return OPTION_END;
	word = r->argv[r->at++];
	*value = word;
	if (word[0] != '-')
		return OPTION_PLAIN;
	if (word[1] == '-')
		return next_long(r, word, value);
	if (!word[1])
		return option_unknown(r->table, word);
	r->letters = word + 1;
	return next_letter(r, value);
}

/* False: the value is not possible. */
static bool fill(enum option_type type, void *member, char *value)
{
	switch (type) {
	case OPTION_FLAG: return *(bool *)member = true;
	case OPTION_SWITCH: return value_bool(value, member);
	case OPTION_TEXT: *(const char **)member = value; return true;
	case OPTION_NAME: *(const char **)member = value; return *value;
	case OPTION_SECONDS: return value_seconds(value, member);
	case OPTION_NUMBER: return value_u64(value, member);
	case OPTION_THREADS: return threads_parse(value, member);
	default: return true;
	}
}

int option_set(const struct option_table *t, int row, void *into, char *value)
{
	const struct option *o = &t->rows[row];

	if (o->type == OPTION_SETTER)
		return o->set(into, value);
	if (fill(o->type, (char *)into + o->member, value))
		return 0;
	message("%s: --%s: '%s' is not possible; give %s\n", t->who, o->name, value, o->wanted);
	return EXIT_USAGE;
}

void option_print(const struct option_table *t, int column)
{
	char left[80];

	for (unsigned i = 0; i < t->count; i++) {
		const struct option *o = &t->rows[i];

		const char letter[] = { '-', o->letter, ' ', 0 };

		snprintf(left, sizeof left, "%s--%s %s", o->letter ? letter : "", o->name, o->argument ? o->argument : "");
		printf("  %-*s %s\n", column - 3, left, o->text);
	}
}
