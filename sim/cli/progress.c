/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/progress.h"
#include "sim/params/message.h"

#include <stdio.h>

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

void progress_start(struct progress *p, struct fvpsim_machine *m)
{
	*p = (struct progress){ .machine = m, .next = 1 };
	clock_gettime(CLOCK_MONOTONIC, &p->start);
}

void progress_show(struct progress *p)
{
	const double host = seconds_since(&p->start);
	struct fvpsim_counts counts = { .size = sizeof counts };
	struct fvpsim_end at = { .size = sizeof at };
	char shown[4 * sizeof at.place];

	if (host < p->next)
		return;
	p->next = host + 1;
	p->shown = true;
	fvpsim_get_counts(p->machine, &counts, NULL);
	fvpsim_get_end(p->machine, &at, NULL);
	message_escape(shown, sizeof shown, at.place);
	fprintf(stderr, "\r%8.1f s  %8.3f s simulated  %6.0f MIPS  %.60s\033[K", host,
		(double)counts.ticks / (double)fvpsim_ticks_per_second(), (double)counts.instructions / host / 1e6, shown);
}

void progress_end(const struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
