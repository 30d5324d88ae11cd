/* SPDX-License-Identifier: Apache-2.0 */
/* The status line of a long run. */
#ifndef SIM_CLI_PROGRESS_H
#define SIM_CLI_PROGRESS_H

#include "sim/machine.h"

#include <time.h>

struct progress {
	struct timespec start;
	double next; /* host seconds since the start */
	bool shown;
};

void progress_start(struct progress *p); /* from now */

/* On standard error, once a second of host time at most; `progress` is a struct progress. */
void progress_show(void *progress, struct machine *m);

/* Takes the line away. */
void progress_end(const struct progress *p);

#endif
