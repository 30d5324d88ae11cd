/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, told to people. */
#ifndef SIM_REPORT_VERDICT_H
#define SIM_REPORT_VERDICT_H

#include "sim/report/lines.h"
#include "sim/report/origin.h"

/* Explains an end that origin_is_wanted, or where a run stands: cause, place, registers, how it came there. */
void verdict_add_lines(const struct lines *out, struct machine *m, const struct origin *o);

#endif
