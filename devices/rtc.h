/* SPDX-License-Identifier: Apache-2.0 */
/* The date at which a real-time clock starts. */
#ifndef DEVICES_RTC_H
#define DEVICES_RTC_H

#include "devices/device.h"

/* Seconds that it shows when simulated time begins; it goes on through resets. A program that sets the clock has its own. */
void rtc_set_start(struct device *rtc, u32 seconds);

#endif
