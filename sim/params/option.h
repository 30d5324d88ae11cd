/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines read by a table: -x VALUE, -xVALUE, -xyz, --long VALUE, --long=VALUE, and plain words. */
#ifndef SIM_OPTION_H
#define SIM_OPTION_H

struct option {
	char letter;          /* 0: has none */
	const char *name;     /* without its dashes */
	const char *argument; /* what its value is called, NULL: takes none */
	const char *text;     /* what it does: a line of the help */
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

/* Says that there is no such option, with the nearest one; returns OPTION_WRONG. */
int option_unknown(const struct option_table *t, const char *word);

/* The help: a line for each option, its text from that column on. */
void option_print(const struct option_table *t, int column);

#endif
