/* SPDX-License-Identifier: Apache-2.0 */
/* A core in Lockup state: only a reset or an NMI brings it out, so that the run is over unless a watchdog is there for that. */
#include "sim/lockup.h"

#include "devices/cmsdk_watchdog.h"
#include "devices/sys_watchdog.h"
#include "devices/sysctrl.h"
#include "sim/machine.h"

bool lockup_is_watched(struct machine *m)
{
	struct device *control = device_set_find(m->devices, "SYSCTRL");
	const struct device *secure = device_set_find(m->devices, "S_WATCHDOG"), *slow = device_set_find(m->devices, "SLOWCLK_WATCHDOG");
	const bool watched = control && sysctrl_core_locked_up(control);

	return watched || (secure && sys_watchdog_runs(secure)) || (slow && cmsdk_watchdog_will_reset(slow));
}
