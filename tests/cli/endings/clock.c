/* SPDX-License-Identifier: Apache-2.0 */
/* Semihosting's clocks in a system of 1 Hz: more than a second has passed since the 1st of January 2026, and the RTC
 * shows the same date. */
#include "guest.h"

void ending(void)
{
	const uint32_t before = R32(0x5930b000u), seconds = (uint32_t)call(TIME, 0), after = R32(0x5930b000u);

	leave(call(CLOCK, 0) >= 100 && before > 1767225600u && before <= seconds && seconds <= after ? 5 : 6);
}
