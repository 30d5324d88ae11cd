/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended, told to people. */
#ifndef SIM_VERDICT_H
#define SIM_VERDICT_H

#include "sim/report/origin.h"

/* Explains such an end on standard error: cause, place, registers, how it came there. o NULL: it needs no explanation. */
void verdict_print(struct machine *m, const struct origin *o);

#endif
