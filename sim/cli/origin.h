/* SPDX-License-Identifier: Apache-2.0 */
/* Where an end came from, for people and for the report: who called whom, the last branches, the NPU's last operations. */
#ifndef SIM_CLI_ORIGIN_H
#define SIM_CLI_ORIGIN_H

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

/* Of a machine whose run has ended. `trail` may be NULL; the last stretch of the run is repeated, the machine stays as it is. Not
 * where the end was asked for (machine_ask_stop): then there are no branches. */
void origin_find(struct origin *o, struct machine *m, struct trail *trail);
/* On standard error; `branches`: that many of the last. */
void origin_print(const struct origin *o, unsigned branches);
/* Arrays "backtrace", "branches" and "npu_operations" of the open object. */
void origin_report(const struct origin *o, struct json *j);

#endif
