/* SPDX-License-Identifier: Apache-2.0 */
/* Where an end came from, for people and for the report: who called whom, the last branches, the NPU's last operations. */
#ifndef SIM_REPORT_ORIGIN_H
#define SIM_REPORT_ORIGIN_H

#include "sim/backtrace.h"
#include "sim/history/trail.h"
#include "traces/json.h"

struct origin {
	struct machine *machine;
	const struct trail *trail; /* NULL: nothing of the past is known */
	struct backtrace_frame frame[BACKTRACE_MOST];
	unsigned frames;
	struct trail_branches branches; /* none: not known */
};

/* Did the program end the run itself? */
bool origin_is_own_end(const struct machine *m);
/* Is the end one to be explained: not the program's own, or its own with a failure after a fault? */
bool origin_is_wanted(const struct machine *m);

/* Of a machine whose run has ended. `trail` may be NULL; the last stretch of the run is repeated, the machine stays as it is. Not
 * where an end is asked for (machine_ask_stop), before or meanwhile: then there are no branches. */
void origin_find(struct origin *o, struct machine *m, struct trail *trail);
/* Arrays "backtrace", "branches" and "npu_operations" of the open object. */
void origin_report(const struct origin *o, struct json *j);

#endif
