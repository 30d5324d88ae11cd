/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a run from outside: signals, and the limits of host time. */
#ifndef SIM_CLI_INTERRUPT_H
#define SIM_CLI_INTERRUPT_H

#include "sim/machine.h"

/* From now on SIGINT, SIGTERM and others that ask for an end, and the limits of wall-clock and CPU time, make the run of
 * `m` end cleanly. A person who insists, with a second signal a second later, ends the process. */
void interrupt_start(struct machine *m, const struct limits *limits);

/* The run has ended: limits no longer count, signals no longer reach `m`. */
void interrupt_stop(void);

#endif
