/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines read by a table: -x VALUE, -xVALUE, -xyz, --long VALUE, --long=VALUE, and plain words. */
#ifndef SIM_OPTION_H
#define SIM_OPTION_H

#include <stddef.h>

/* What an option does with its value; the member of the caller's structure that it fills. */
enum option_type {
	OPTION_IGNORED, /* nothing */
	OPTION_FLAG,    /* bool: true, whatever the value */
	OPTION_SWITCH,  /* bool: on, off, 1, 0, true, false */
	OPTION_TEXT,    /* const char *: any text */
	OPTION_NAME,    /* const char *: not empty */
	OPTION_SECONDS, /* double, not negative */
	OPTION_NUMBER,  /* u64 */
	OPTION_THREADS, /* unsigned: THREADS_WANTED */
	OPTION_SETTER,  /* `set` looks after it */
};

enum { OPTION_DONE = -4 }; /* of a setter that has printed what was asked for: the program ends with 0 */

/* 0, OPTION_DONE, or an exit status behind one line on standard error. `into`: the caller's structure. The text is kept and
 * may be cut in place; NULL for an option that takes none. */
typedef int option_setter(void *into, char *value);

struct option {
	char letter;          /* 0: has none */
	const char *name;     /* without its dashes */
	const char *argument; /* what its value is called, NULL: takes none */
	const char *text;     /* what it does: a line of the help */
	enum option_type type;
	size_t member;        /* its offset */
	const char *wanted;   /* what to give instead of a wrong value */
	option_setter *set;
};

struct option_table {
	const struct option *rows;
	unsigned count;
	const char *who;  /* begins messages: "fvp-sim npu" */
	const char *help; /* the command that lists all: "fvp-sim npu --help" */
};

/* Begin with { .table, .argc, .argv, .at = 1 }. */
struct option_reader {
	const struct option_table *table;
	int argc;
	char **argv;
	int at;        /* next word */
	char *letters; /* rest of a word of letters, NULL: none */
};

enum {
	OPTION_END = -1,
	OPTION_PLAIN = -2, /* a word that is no option: *value */
	OPTION_WRONG = -3, /* told on standard error, in one line */
};

/* Index of the next option's row, or one of the above. *value: a string of argv, NULL for an option that takes none. */
int option_next(struct option_reader *r, char **value);

/* Does what the row's type says. 0, or what ends the program: OPTION_DONE, or an exit status behind one line. */
int option_set(const struct option_table *t, int row, void *into, char *value);

/* Says that there is no such option, with the nearest one; returns OPTION_WRONG. */
int option_unknown(const struct option_table *t, const char *word);

/* The help: a line for each option, its text from that column on. */
void option_print(const struct option_table *t, int column);

#endif
