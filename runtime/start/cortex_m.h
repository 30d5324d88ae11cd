/* SPDX-License-Identifier: Apache-2.0 */
/* The few core registers and instructions the runtime needs (Armv8-M ARM, D1.2). */
#ifndef RUNTIME_CORTEX_M_H
#define RUNTIME_CORTEX_M_H

#include <stdint.h>

#define CORTEX_M_REG(address) (*(volatile uint32_t *)(address))
#define CORTEX_M_DWT_CTRL CORTEX_M_REG(0xe0001000)
#define CORTEX_M_DWT_CYCCNT CORTEX_M_REG(0xe0001004)
#define CORTEX_M_NVIC_ISER(n) CORTEX_M_REG(0xe000e100 + 4 * (n))
#define CORTEX_M_CCR CORTEX_M_REG(0xe000ed14)
#define CORTEX_M_CFSR CORTEX_M_REG(0xe000ed28)
#define CORTEX_M_CPACR CORTEX_M_REG(0xe000ed88)
#define CORTEX_M_DEMCR CORTEX_M_REG(0xe000edfc)

static inline void cortex_m_wfi(void) { __asm volatile("wfi" ::: "memory"); }
static inline void cortex_m_wfe(void) { __asm volatile("wfe" ::: "memory"); }
static inline void cortex_m_sev(void) { __asm volatile("sev" ::: "memory"); }
static inline void cortex_m_barrier(void) { __asm volatile("dsb\n\tisb" ::: "memory"); }

static inline void cortex_m_set_msplim(uint32_t limit)
{
	__asm volatile("msr msplim, %0" ::"r"(limit));
}

static inline void cortex_m_enable_irq(unsigned number)
{
	CORTEX_M_NVIC_ISER(number / 32) = 1u << number % 32;
}

#endif
