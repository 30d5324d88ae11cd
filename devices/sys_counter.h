/* SPDX-License-Identifier: Apache-2.0 */
/* What system timers ask of the system counter. */
#ifndef DEVICES_SYS_COUNTER_H
#define DEVICES_SYS_COUNTER_H

#include "devices/device.h"

/* Count at sched->now. */
u64 sys_counter_value(struct device *counter);

/* First tick at which the count is `value` or more; SCHED_NEVER when it stands still before. */
u64 sys_counter_when(struct device *counter, u64 value);

/* It runs from now on, and after each reset, without software's doing. */
void sys_counter_run_at_reset(struct device *counter);

#endif
