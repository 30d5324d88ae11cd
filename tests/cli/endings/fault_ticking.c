/* SPDX-License-Identifier: Apache-2.0 */
/* Faults while a timer runs whose exceptions cannot preempt the handler. */
#include "guest.h"

void ending(void)
{
	start_systick(1);
	__asm volatile("udf #0");
}
