/* SPDX-License-Identifier: Apache-2.0 */
/* The Secure half of a pair: gives the Non-secure program its memory, starts it, serves its calls through
 * gateways and survives its forbidden accesses. */
#include "tests/firmware/firmware.h"
#include "tests/firmware/secure.h"

#include <arm_cmse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GATEWAY __attribute__((cmse_nonsecure_entry))
#define NSCCFG R32(0x50080014) /* Non-secure callable code (bit 0) and SRAM */

typedef void (*nonsecure_start)(void) __attribute__((cmse_nonsecure_call));
typedef void (*nonsecure_visitor)(uint32_t) __attribute__((cmse_nonsecure_call));

extern char gateway_first[], gateway_last[];

static u32 total, faults, expected;

GATEWAY uint32_t secure_add(uint32_t a, uint32_t b)
{
	return total += a + b;
}

GATEWAY float secure_scale(float x)
{
	return x * 1.5f;
}

GATEWAY int secure_checksum(const uint8_t *p, uint32_t n)
{
	int sum = 0;

	if (!cmse_check_address_range((void *)p, n, CMSE_NONSECURE | CMSE_MPU_READ))
		return -1;
	while (n--)
		sum += *p++;
	return sum;
}

GATEWAY void secure_visit(visitor v, uint32_t count)
{
	const nonsecure_visitor call = (nonsecure_visitor)cmse_nsfptr_create(v);

	for (u32 i = 0; i < count; i++)
		call(i);
}

GATEWAY void secure_expect_fault(uint32_t addr) { expected = addr; }

GATEWAY uint32_t secure_faults(void) { return faults; }

GATEWAY void secure_print(const char *text)
{
	if (cmse_check_address_range((void *)text, 64, CMSE_NONSECURE | CMSE_MPU_READ))
		printf("%.63s\n", text);
}

GATEWAY void secure_exit(uint32_t status) { exit((int)status); }

/* The access that was announced is stepped over: its instruction is two halfwords (ldr.w). */
__attribute__((used)) static void refused(u32 *frame)
{
	if (!(SFSR & 8) || !(SFSR & 0x40) || SFAR != expected)
		semihosting_exit(99);
	SFSR = SFSR;
	faults++;
	frame[6] += 4;
}

__attribute__((naked)) void SecureFault_Handler(void)
{
	__asm("tst lr, #0x40\n bne 1f\n" /* the frame is on a Non-secure stack */
	      "mrs r0, msp_ns\n tst lr, #4\n it ne\n mrsne r0, psp_ns\n b refused\n"
	      "1: mrs r0, msp\n b refused\n");
}

static void sau_region(u32 number, u32 first, u32 last, u32 callable)
{
	SAU_RNR = number;
	SAU_RBAR = first;
	SAU_RLAR = (last & ~31u) | callable << 1 | 1;
}

int main(void)
{
	volatile u32 *const table = (u32 *)NONSECURE_CODE;

	NSCCFG = 1;
	sau_region(0, NONSECURE_CODE, NONSECURE_CODE + 0xffff, 0);
	sau_region(1, NONSECURE_DATA, NONSECURE_DATA + 0xffff, 0);
	sau_region(2, (u32)gateway_first, (u32)gateway_last, 1);
	sau_region(3, 0x40000000, 0x4fffffff, 0);
	SAU_CTRL = 1;
	SHCSR |= SHCSR_SECUREFAULTENA;
	NSACR |= 0xc00; /* floating point for both */
	VTOR_NS = NONSECURE_CODE;
	MSR(msp_ns, table[0]);
	BARRIER();
	printf("secure: start\n");
	((nonsecure_start)cmse_nsfptr_create(table[1]))();
	return 1;
}
