/* SPDX-License-Identifier: Apache-2.0 */
/* A Non-secure vector table in RAM, so that a scenario can choose the handler of irq 5. Included
 * by one file per program. */
#ifndef TESTS_EXCEPTIONS_TZ_TABLE_H
#define TESTS_EXCEPTIONS_TZ_TABLE_H

#include "tz.h"

static void (*ns_table[64])(void) __attribute__((section(".ns_data"), aligned(256)));

static void use_table(void (*irq5)(void))
{
	for (u32 i = 0; i < 63; i++)
		ns_table[i + 1] = (void (*)(void))((u32)ns_handler | 1);
	ns_table[21] = (void (*)(void))((u32)irq5 | 1);
	NS_ALIAS(VTOR) = (u32)ns_table;
	BARRIER();
}

#endif
