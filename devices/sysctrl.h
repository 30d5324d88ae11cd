/* SPDX-License-Identifier: Apache-2.0 */
/* The vector base in the SSE system control block. */
#ifndef DEVICES_SYSCTRL_H
#define DEVICES_SYSCTRL_H

#include "devices/device.h"

/* The Secure vector base for the next reset of the core. */
u32 sysctrl_vector_base(const struct device *sysctrl);

/* What the board ties the vector base to; also the value after a power-on reset. */
void sysctrl_set_vector_base(struct device *sysctrl, u32 base);

#endif
