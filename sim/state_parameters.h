/* SPDX-License-Identifier: Apache-2.0 */
/* What must be the same in the machine that takes a state back. Private to sim/state*.c. */
#ifndef SIM_STATE_PARAMETERS_H
#define SIM_STATE_PARAMETERS_H

#include "memory/state.h"
#include "sim/machine.h"

/* Registers the machine's board, accelerator, parameters and programs as text: they are compared, and the message
 * names the first that differs. */
void parameters_state(struct machine *m, struct state_list *list);

#endif
