/* SPDX-License-Identifier: Apache-2.0 */
/* Vector table and reset code for Armv8.1-M (Armv8-M Architecture Reference Manual, B3.30).
 *
 * Reset: stack limit, FPU and MVE on, low-overhead loops on, data copied and cleared, then main;
 * main's result is the exit status of the run. */
#include "runtime/console/console.h"
#include "runtime/console/semihosting.h"
#include "runtime/start/cortex_m.h"

#include BOARD_HEADER

extern uint32_t __data_load[], __data_start[], __data_end[], __bss_start[], __bss_end[];
extern uint32_t __stack_top[], __stack_limit[];

enum { STATUS_FAULT = 124, STATUS_UNEXPECTED = 125 };
enum { CFSR_BFARVALID = 1 << 15, ETHOSU_WINDOW = 0x1000 /* bytes of registers */ };

int main(void);
void Reset_Handler(void);
void HardFault_Handler(void);
void fault_report(const uint32_t *frame, uint32_t exc_return);
void ethosu_irq(void); /* runtime/ethosu */
void SysTick_Handler(void); /* cortex_m.c */

static void unexpected_exception(void)
{
	semihosting_exit(STATUS_UNEXPECTED);
}

/* A BKPT that nobody serves (no debugger, no semihosting) ends in a HardFault: step over it and
 * say -1, so that programs can find out whether semihosting is there. Everything else is fatal. */
__attribute__((naked)) void HardFault_Handler(void)
{
	__asm volatile("tst lr, #4\n"
		       "ite eq\n"
		       "mrseq r0, msp\n"
		       "mrsne r0, psp\n"
		       "ldr r1, [r0, #24]\n"
		       "ldrh r2, [r1]\n"
		       "movw r3, #0xbeab\n"
		       "cmp r2, r3\n"
		       "bne 1f\n"
		       "adds r1, #2\n"
		       "str r1, [r0, #24]\n"
		       "mvn r1, #0\n"
		       "str r1, [r0]\n"
		       "bx lr\n"
		       "1: mov r1, lr\n"
		       "b fault_report\n");
}

void fault_report(const uint32_t *frame, uint32_t exc_return)
{
	console_printf("Hard fault: pc %08x lr %08x cfsr %08x exc_return %08x\n", (unsigned)frame[6], (unsigned)frame[5],
		       (unsigned)CORTEX_M_CFSR, (unsigned)exc_return);
	if ((CORTEX_M_CFSR & CFSR_BFARVALID) && CORTEX_M_BFAR - BOARD_ETHOSU_BASE < ETHOSU_WINDOW)
		console_printf("error: there is no Ethos-U at %08x: this image is for a board with one\n", BOARD_ETHOSU_BASE);
	semihosting_exit(STATUS_FAULT);
	for (;;)
		cortex_m_wfi();
}

void Reset_Handler(void)
{
	cortex_m_set_msplim((uint32_t)__stack_limit);
	CORTEX_M_CPACR |= 0xfu << 20;     /* CP10, CP11: full access */
	CORTEX_M_CCR |= CORTEX_M_CCR_LOB;
	CORTEX_M_DEMCR |= 1u << 24;       /* TRCENA: DWT counts */
	cortex_m_caches_on();
	for (uint32_t *from = __data_load, *to = __data_start; to < __data_end;)
		*to++ = *from++;
	for (uint32_t *to = __bss_start; to < __bss_end;)
		*to++ = 0;
	semihosting_exit(main());
	for (;;)
		cortex_m_wfi();
}

typedef void vector(void);

__attribute__((section(".vectors"), used)) static vector *const vectors[16 + BOARD_IRQS] = {
	[0] = (vector *)__stack_top,
	[1] = Reset_Handler,
	[2] = unexpected_exception,
	[3] = HardFault_Handler,
	[4] = unexpected_exception,
	[5] = unexpected_exception,
	[6] = unexpected_exception,
	[7] = unexpected_exception,
	[11] = unexpected_exception,
	[12] = unexpected_exception,
	[14] = unexpected_exception,
	[15] = SysTick_Handler,
	[16 + BOARD_ETHOSU_IRQ] = ethosu_irq,
};
