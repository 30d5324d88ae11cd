/* SPDX-License-Identifier: Apache-2.0 */
/* The Non-secure half of a pair. */
#include "tests/firmware/firmware.h"
#include "tests/firmware/secure.h"

#include <string.h>

static u32 visited;
static volatile u32 ticks;

static void visit(uint32_t number) { visited += number; }

void SysTick_Handler(void) { ticks++; }

static void say(const char *what, int good)
{
	char text[64] = { 0 };

	strcpy(text, good ? "good: " : "BAD: ");
	strcat(text, what);
	secure_print(text);
}

static void forbidden_read(uint32_t addr)
{
	u32 value = 1;

	secure_expect_fault(addr);
	__asm volatile("ldr.w %0, [%1]" : "+r"(value) : "r"(addr) : "memory");
}

int main(void)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4 };
	u32 sum = 0;

	say("entry functions keep their state", secure_add(1, 2) == 3 && secure_add(10, 20) == 33);
	say("floating-point values cross", secure_scale(3.0f) == 4.5f);
	say("a readable range is accepted", secure_checksum(bytes, sizeof bytes) == 10);
	say("a Secure range is refused", secure_checksum((uint8_t *)SECURE_DATA, 4) == -1);
	secure_visit(visit, 5);
	say("callbacks run", visited == 10);
	forbidden_read(SECURE_DATA);
	forbidden_read(SECURE_CODE);
	say("forbidden reads fault", secure_faults() == 2);
	SYST_RVR = 499;
	SYST_CVR = 0;
	SYST_CSR = TIMERS_ENABLE_IRQ;
	for (u32 i = 0; i < 300; i++) /* interrupts come in both states */
		sum = secure_add(0, 1);
	SYST_CSR = 0;
	say("interrupts come while Secure code runs", sum == 333 && ticks > 5);
	secure_exit(7);
	return 1;
}
