/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, told to people and to files. */
#ifndef SIM_VERDICT_H
#define SIM_VERDICT_H

#include "sim/cli/inferences.h"
#include "sim/cli/origin.h"

/* Is the end one to be explained: not the program's own, or its own with a failure after a fault? */
bool verdict_is_bad(const struct machine *m);

/* Explains such an end on standard error: cause, place, registers, how it came there. o NULL: it needs no explanation. */
void verdict_print(struct machine *m, const struct origin *o);

/* Writes the JSON report config->report (schema in docs/reference/formats.md), with the NPU's jobs unless NULL; false with a line
 * in `why`. `o` as above. */
bool verdict_report(struct machine *m, const struct run_config *config, const struct origin *o, const struct inferences *jobs,
		    int status, char *why, size_t why_size);

#endif
