/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor's resets need to know of the SSE system control block. */
#ifndef DEVICES_SYSCTRL_H
#define DEVICES_SYSCTRL_H

#include "devices/device.h"

/* The Secure vector base for the next reset of the core. */
u32 sysctrl_vector_base(const struct device *sysctrl);

/* What the board ties the vector base to; also the value after a power-on reset. */
void sysctrl_set_vector_base(struct device *sysctrl, u32 base);

/* The core asks for a reset. False: RESET_MASK keeps it; it comes when software allows it later. */
bool sysctrl_core_requests(struct device *sysctrl);

/* The core is in Lockup state: RESET_SYNDROME keeps that. True: the Non-secure watchdog will reset the system. */
bool sysctrl_core_locked_up(struct device *sysctrl);

/* Does the core wait after a reset? An output says when it need not any more. */
bool sysctrl_core_waits(const struct device *sysctrl);

/* What the board ties that to; also the value after a cold reset. */
void sysctrl_set_core_waits(struct device *sysctrl, bool waits);

#endif
