/* SPDX-License-Identifier: Apache-2.0 */
/* What the refresh frame asks of the system watchdog's control frame. */
#ifndef DEVICES_SYS_WATCHDOG_H
#define DEVICES_SYS_WATCHDOG_H

#include "devices/device.h"

/* Drops WS0 and WS1 and starts a new period. */
void sys_watchdog_refresh(struct device *control_frame);

/* It is enabled: it will expire when nobody refreshes it. */
bool sys_watchdog_runs(const struct device *control_frame);

/* It has expired twice (WS1). */
bool sys_watchdog_requests_reset(const struct device *control_frame);

#endif
