/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run ends, and with which exit status; sim/stop.def is the table.
 *
 * Statuses of our own (docs/exit-codes.md): 64 wrong use, 65 damaged input, 66 input cannot be
 * read, 70 our own failure, 73 output cannot be written, 80.. see stop.def. */
#ifndef SIM_STOP_H
#define SIM_STOP_H

#include "memory/types.h"

enum stop_reason {
#define S(name, code, fvp_code, text) STOP_##name,
#include "sim/stop.def"
#undef S
	STOP_REASONS
};

enum { EXIT_USAGE = 64, EXIT_BAD_INPUT = 65, EXIT_NO_INPUT = 66, EXIT_INTERNAL = 70, EXIT_NO_OUTPUT = 73 };

const char *stop_name(enum stop_reason r); /* "CYCLE_LIMIT": for reports */
const char *stop_text(enum stop_reason r);

/* Exit status of the process; `guest` is the program's own. */
int stop_status(enum stop_reason r, bool fvp, int guest);

#endif
