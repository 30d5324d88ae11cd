/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses of the program; sim/exit.def is the table. */
#ifndef SIM_EXIT_H
#define SIM_EXIT_H

#include <stdio.h>

enum {
#define E(name, status, meaning, advice) EXIT_##name = status,
#include "sim/exit.def"
#undef E
};

/* Writes the table as text for --help: one line per status. */
void exit_print(FILE *out);

/* What to do about the end of a run with that status; NULL: nothing, or it was not the program that ended. */
const char *exit_advice(int status);

#endif
