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

void progress_start(struct progress *p)
{
	*p = (struct progress){ .next = 1 };
	clock_gettime(CLOCK_MONOTONIC, &p->start);
}

void progress_show(void *progress, struct machine *m)
{
	struct progress *p = progress;
	const double host = seconds_since(&p->start);
	char where[128], shown[4 * sizeof where];

	if (host < p->next)
		return;
	p->next = host + 1;
	p->shown = true;
	machine_describe(m, cpu_get_reg(m->cpu, REG_PC), where, sizeof where);
	message_escape(shown, sizeof shown, where);
	fprintf(stderr, "\r%8.1f s  %8.3f s simulated  %6.0f MIPS  %.60s\033[K", host,
		(double)machine_cycles(m) / (double)m->config.cpu.clock_hz, (double)cpu_instructions(m->cpu) / host / 1e6, shown);
}

void progress_end(const struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
