/* SPDX-License-Identifier: Apache-2.0 */
/* What cut-stencils (cpu/stencil/cut.c) found, and its table. Private to that program. */
#ifndef CPU_STENCIL_CUT_H
#define CPU_STENCIL_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_HOLES 256
#define MAX_CODE 8192
#define MAX_STENCILS 16384
#define MAX_EXTERNS 128
#define MAX_CONSTANTS 64
#define CONSTANTS "stencil_constants_"

enum { FILL_WORD, FILL_DISTANCE, FILL_BYTE, FILL_SKIP }; /* as stencil_hole_kind */
struct hole { unsigned at, kind; char symbol[64]; long add; };
struct stencil {
	char name[96];
	unsigned char code[MAX_CODE]; /* hot, then cold */
	unsigned hot, cold, holes, apart; /* apart: where in the cold part that of an asm begins */
	struct hole hole[MAX_HOLES];
	const char *why_not;
};
/* A section of constants that stencils read, as an array of the table; its name in holes. */
struct constants { char symbol[32]; const unsigned char *bytes; unsigned size; size_t section; };

struct cut {
	struct name { char *name; unsigned number; } names[MAX_STENCILS]; /* stencils that are equal share a number */
	struct stencil **kept; /* number 1 is the first */
	unsigned name_count, kept_count, left_out;
	struct constants constants[MAX_CONSTANTS];
	unsigned constants_count;
};

/* Ends the program with a message. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);
/* Writes the table; false: it could not be written. */
bool write_table(FILE *out, const struct cut *x);

#endif
