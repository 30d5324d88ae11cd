/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run ends, and with which exit status; sim/stop.def is the table. */
#ifndef SIM_STOP_H
#define SIM_STOP_H

#include "memory/types.h"
#include "sim/exit.h"

enum stop_reason {
#define S(name, code, fvp_code, text) STOP_##name,
#include "sim/stop.def"
#undef S
	STOP_REASONS
};

const char *stop_name(enum stop_reason r); /* "CYCLE_LIMIT": for reports */
const char *stop_text(enum stop_reason r); /* for messages: a clause without a full stop */
/* Nothing ended the run: the program can do nothing more. */
bool stop_is_endless(enum stop_reason r);

/* Exit status of the process; `guest` is the program's own. */
int stop_status(enum stop_reason r, bool fvp, int guest);

#endif
