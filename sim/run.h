/* SPDX-License-Identifier: Apache-2.0 */
/* The run loop: time, events and the processor, until something ends the run. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/machine.h"

/* The program around the run. */
struct run_host {
	void (*look)(void *ctx, struct machine *m); /* called now and then, while nothing changes; NULL: not */
	void *ctx;
};

/* Runs until m->stop is set, or m->pause: a breakpoint, the last instruction, machine_pause; it can be called again then.
 * The limits of host time only say as what an idle program ends: who has a clock ends the
 * run with machine_ask_stop. `host` may be NULL. */
void machine_run(struct machine *m, const struct limits *limits, const struct run_host *host);

/* The same, but comes back after some milliseconds of the host at the latest; why: PAUSE_NONE: the run has ended. */
enum machine_pause machine_run_on(struct machine *m, const struct limits *limits);

/* A machine that sleeps goes on to its next event, which is handled, whatever cpu_set_last_instruction says. */
enum machine_pause machine_sleep_on(struct machine *m, const struct limits *limits);

/* A reset of everything, as the core's own request makes it. */
void machine_reset(struct machine *m);

/* The core alone: resets it and sets the start; makes it wait where CPUWAIT says so. */
void machine_boot(struct machine *m);
void machine_hold(struct machine *m);

#endif
