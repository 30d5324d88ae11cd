/* SPDX-License-Identifier: Apache-2.0 */
/* What a core that can do nothing any more needs to know of the slow clock's watchdog. */
#ifndef DEVICES_CMSDK_WATCHDOG_H
#define DEVICES_CMSDK_WATCHDOG_H

#include "devices/device.h"

/* It runs, and will reset the system when nobody clears its interrupt. */
bool cmsdk_watchdog_will_reset(const struct device *watchdog);

#endif
