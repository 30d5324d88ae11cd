/* SPDX-License-Identifier: Apache-2.0 */
/* A core in Lockup state. */
#ifndef SIM_LOCKUP_H
#define SIM_LOCKUP_H

#include "memory/types.h"

struct machine;

/* The core is in that state, which the system control block is told: will a watchdog reset the system? */
bool lockup_is_watched(struct machine *m);

#endif
