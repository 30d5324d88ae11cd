/* SPDX-License-Identifier: Apache-2.0 */
/* Finds programs that loop for ever. */
#ifndef SIM_SPIN_H
#define SIM_SPIN_H

#include "sim/machine.h"

/* Instructions that a check steps at most. A loop is found that fits in a quarter of them. Each takes the host a tenth of a microsecond. */
enum spin_depth { SPIN_SHORT = 256, SPIN_LONG = 2048 };

/* Steps the core through some instructions, looking for a loop that nothing can ever end, and
 * returns STOP_SPIN (STOP_FAULT inside a fault handler), else STOP_NONE. Such a loop comes back to the
 * same registers, leaves memory as it was, writes to no device, reads no register that changes
 * with time alone, and either no event is scheduled or only the core's own timers, whose
 * exceptions cannot preempt (a fault handler, interrupts disabled). Anything else is left running.
 *
 * Call now and then. Results do not depend on when it is called. */
enum stop_reason spin_check(struct machine *m, enum spin_depth depth);

#endif
