/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, told to people and to files. */
#ifndef SIM_VERDICT_H
#define SIM_VERDICT_H

#include "sim/machine.h"

/* Explains an end that is not the program's own on standard error: cause, place, registers. */
void verdict_print(struct machine *m);

/* Writes the JSON report (schema in docs/formats.md); false with a line in `why`. */
bool verdict_report(struct machine *m, const struct run_config *config, int status, const char *path, char *why,
		    size_t why_size);

#endif
