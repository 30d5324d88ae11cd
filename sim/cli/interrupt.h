/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a run from outside: signals, and the limits of host time. */
#ifndef SIM_CLI_INTERRUPT_H
#define SIM_CLI_INTERRUPT_H

#include "include/fvpsim.h"

enum { INTERRUPT_MS = 25 };

/* Before the run: files of the command line that keep it waiting, pipes without another end, fail once the limit of host time has
 * passed. Loading does not count. */
void interrupt_waits(double host_seconds);

/* From now on SIGINT, SIGTERM and others that ask for an end, and the limits of wall-clock and CPU time, make the run of
 * `m` end cleanly; 0: no limit. A person who insists, with a second signal a second later, ends the process. Once an end is asked for, no
 * call of the host waits on: it is interrupted (EINTR) each INTERRUPT_MS. */
void interrupt_start(struct fvpsim_machine *m, double host_seconds, double cpu_seconds);

/* Has an end been asked for? */
bool interrupt_asked(void);

/* The run has ended: limits no longer count, signals no longer reach `m`. */
void interrupt_stop(void);

#endif
