/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended and all counters, as JSON. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/name_list.h"
#include "sim/report/inferences.h"
#include "sim/report/origin.h"

/* What a report tells besides the machine. */
struct report {
	const struct origin *origin;   /* NULL: the end needs no explanation */
	const struct inferences *jobs; /* NULL: the NPU's jobs are not listed */
	const struct told *said;       /* NULL: messages are not listed */
	int status;                    /* exit status of the run */
	const struct name_list *dumps; /* files of memory that were written; NULL: none */
};

/* The members of the object that is open (schema in docs/reference/formats.md). */
void report_write(struct json *j, struct machine *m, const struct report *r);

#endif
