/* SPDX-License-Identifier: Apache-2.0 */
/* The run loop: time, events and the processor, until something ends the run. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/machine.h"

/* Runs until m->stop is set. The limits of host time and signals are looked at between slices
 * of simulated time; where a slice ends does not change results. `progress`: a status line on
 * standard error once a second of host time. */
void machine_run(struct machine *m, const struct limits *limits, bool progress);

/* SIGINT, SIGTERM and others that ask for an end make the run end cleanly; one that comes seconds later ends
 * the process. */
void run_catch_signals(void);

#endif
