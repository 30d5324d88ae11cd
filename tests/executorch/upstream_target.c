/* SPDX-License-Identifier: Apache-2.0 */
/* What ExecuTorch's own runner needs of a board, for upstream.py: reset, vectors, and the accelerator's driver. */
#include "upstream_device.h"

#include <ethosu_driver.h>

extern uint32_t __StackTop;
extern unsigned char *ethosu_fast_scratch;
extern size_t ethosu_fast_scratch_size;

static struct ethosu_driver driver;

static void reset(void)
{
	SCB->CPACR |= 0xfU << 20; /* floating point and vectors */
	SCB->CCR |= SCB_CCR_LOB_Msk;
	__DSB();
	__ISB();
	__PROGRAM_START();
}

/* The simulator sees a fault handler that loops for ever. */
static void fault(void)
{
	for (;;)
		;
}

static void npu_interrupt(void)
{
	ethosu_irq_handler(&driver);
}

typedef void vector(void);

vector *const vectors[16 + NPU_IRQ + 1] __attribute__((used, section(".vectors"))) = {
	[0] = (vector *)&__StackTop,
	[1] = reset,
	[2 ... 15] = fault,
	[16 + NPU_IRQ] = npu_interrupt,
};

__attribute__((constructor)) static void start_npu(void)
{
	if (ethosu_init(&driver, (void *)NPU_BASE, ethosu_fast_scratch, ethosu_fast_scratch_size, 1, 1))
		return;
	NVIC_EnableIRQ(ethosu_IRQn);
}

/* The linker script's entry. */
void Reset_Handler(void) __attribute__((alias("reset")));
