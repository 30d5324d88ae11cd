/* SPDX-License-Identifier: Apache-2.0 */
/* The status line of a long run. */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include "include/fvpsim.h"

#include <time.h>

struct progress {
	struct timespec start;
	struct fvpsim_machine *machine;
	double next; /* host seconds since the start */
	bool shown;
};

void progress_start(struct progress *p, struct fvpsim_machine *m); /* from now */

/* On standard error, once a second of host time at most. */
void progress_show(struct progress *p);

/* Takes the line away. */
void progress_end(const struct progress *p);

#endif
