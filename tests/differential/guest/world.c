/* SPDX-License-Identifier: Apache-2.0 */
/* What sequences may reach: their code page, their data and, on the other side of the Security states, a few
 * gates and functions. All else is a fault. */
#include "guest.h"

#define CCR_USERSETMPEND (1u << 1)

/* A literal that a sequence reads behind its code must not be code of the case before. */
void world_wipe(uint32_t pc, uint32_t words)
{
	volatile uint32_t *to = (volatile uint32_t *)((pc & ~3u) + CODE_ALIAS);

	while (words--)
		*to++ = CASE_END << 16 | CASE_END;
}

/* MPU_RBAR.AP and XN. */
enum access { PRIVILEGED_RW = 0 << 1 | 1, ANY_RW = 1 << 1 | 1, PRIVILEGED_CODE = 2 << 1, ANY_CODE = 3 << 1 };

static void region(uint32_t number, uint32_t base, uint32_t bytes, enum access access)
{
	MPU_RNR = number;
	MPU_RLAR = 0; /* never both ends of different regions */
	MPU_RBAR = base | access;
	MPU_RLAR = bytes ? (base + bytes - 32) | 1 : 0;
	NS(MPU_RNR) = number;
	NS(MPU_RLAR) = 0;
	NS(MPU_RBAR) = base | access;
	NS(MPU_RLAR) = MPU_RLAR;
}

/* SAU_RLAR.ENABLE and NSC. */
enum attribution { ATTRIBUTION_SECURE, ATTRIBUTION_NS = 1, ATTRIBUTION_CALLABLE = 3 };

static void attribute(uint32_t number, uint32_t base, uint32_t bytes, enum attribution attribution)
{
	SAU_RNR = number;
	SAU_RLAR = 0;
	SAU_RBAR = base;
	SAU_RLAR = attribution ? (base + bytes - 32) | attribution : 0;
}

void world_state(uint32_t nonsecure)
{
	static uint32_t present; /* 1: Secure, 2: Non-secure; there is no initialised data */

	if (nonsecure + 1 == present)
		return;
	present = nonsecure + 1;
	attribute(0, CASE_CODE, CASE_GATES - CASE_CODE, nonsecure ? ATTRIBUTION_NS : ATTRIBUTION_SECURE);
	attribute(1, CASE_MOAT, CASE_MOAT_BYTES, nonsecure ? ATTRIBUTION_NS : ATTRIBUTION_SECURE);
}

static void install_entries(void)
{
	extern const uint32_t gates[], functions[];
	uint32_t *vectors = (uint32_t *)(CASE_VECTORS_NS + CODE_ALIAS);

	copy((uint32_t *)(CASE_GATES + CODE_ALIAS), gates, CASE_GATE_COUNT * CASE_ENTRY_BYTES / 4);
	copy((uint32_t *)(CASE_FUNCTIONS + CODE_ALIAS), functions, CASE_FUNCTION_COUNT * CASE_ENTRY_BYTES / 4);
	for (uint32_t i = 1; i < 32; i++)
		vectors[i] = (CASE_VECTORS_NS + 128) | 1;
	vectors[32] = 0xdf00df00; /* SVC: in a handler of that priority a HardFault */
}

void world_moat(uint32_t hole)
{
	static uint32_t present;

	if (hole == present)
		return;
	present = hole;
	region(1, CASE_MOAT, hole ? hole - CASE_MOAT : CASE_MOAT_BYTES, ANY_RW);
	region(2, hole + 32, hole ? CASE_MOAT + CASE_MOAT_BYTES - hole - 32 : 0, ANY_RW);
}

void world_open(void)
{
	CPACR = 0xf << 20;
	FPCCR = 0;       /* no automatic, no lazy state preservation */
	SHCSR = 0xf << 16; /* MemManage, BusFault, UsageFault, SecureFault enabled */
	MPU_MAIR0 = 0xff;
	region(0, CASE_CODE, CASE_CODE_BYTES, ANY_CODE);
	region(1, CASE_MOAT, CASE_MOAT_BYTES, ANY_RW);
	region(3, 0, CASE_CODE, PRIVILEGED_CODE);
	region(4, CODE_ALIAS + CASE_CODE, CASE_CODE_BYTES, PRIVILEGED_RW);
	region(5, CASE_MAIN_STACK, CASE_MSP - CASE_MAIN_STACK, PRIVILEGED_RW);
	region(7, CASE_STACK_NS, CASE_MSP_NS - CASE_STACK_NS, ANY_RW);
	world_wipe(CASE_CODE, CASE_CODE_BYTES / 4);
	install_entries();
	attribute(2, CASE_GATES, CASE_FUNCTIONS - CASE_GATES, ATTRIBUTION_CALLABLE);
	attribute(3, CASE_FUNCTIONS, CASE_CODE + CASE_CODE_BYTES - CASE_FUNCTIONS, ATTRIBUTION_NS);
	attribute(4, CASE_STACK_NS, CASE_MSP_NS - CASE_STACK_NS, ATTRIBUTION_NS);
	world_state(0);
	SAU_CTRL = 1;
	NSACR = 3 << 10; /* floating point for both */
	NS(CPACR) = 0xf << 20;
	NS(FPCCR) = 0;
	NS(CCR) |= CCR_USERSETMPEND;
	NS(SHCSR) = SHCSR_NS_ENABLED;
	NS(VTOR) = CASE_VECTORS_NS;
	NS(MPU_MAIR0) = 0xff;
	NS(MPU_CTRL) = 1;
	MPU_CTRL = 1; /* on, also for privileged sequences; off in handlers, which set FAULTMASK */
	NVIC_ISER = 1;
	CCR |= CCR_USERSETMPEND;
	__asm__ volatile("dsb; isb" ::: "memory");
}
