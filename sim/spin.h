/* SPDX-License-Identifier: Apache-2.0 */
/* Finds programs that loop for ever. */
#ifndef SIM_SPIN_H
#define SIM_SPIN_H

#include "sim/machine.h"

/* Call when no event is scheduled. Steps the core through a few hundred instructions: when all
 * its registers come back to a state already seen and nothing was stored in between, the state
 * can never change again, and the run ends with STOP_SPIN (STOP_FAULT inside a fault handler).
 * A loop that reads a running counter is not taken for one: its registers differ. */
void spin_check(struct machine *m);

#endif
