/* SPDX-License-Identifier: Apache-2.0 */
/* The few core registers and instructions the runtime needs (Armv8-M ARM, D1.2). */
#ifndef RUNTIME_CORTEX_M_H
#define RUNTIME_CORTEX_M_H

#include <stddef.h>
#include <stdint.h>

#define CORTEX_M_REG(address) (*(volatile uint32_t *)(address))
#define CORTEX_M_DWT_CTRL CORTEX_M_REG(0xe0001000)
#define CORTEX_M_DWT_CYCCNT CORTEX_M_REG(0xe0001004)
#define CORTEX_M_SYST_CSR CORTEX_M_REG(0xe000e010)
#define CORTEX_M_SYST_RVR CORTEX_M_REG(0xe000e014)
#define CORTEX_M_SYST_CVR CORTEX_M_REG(0xe000e018)
#define CORTEX_M_NVIC_ISER(n) CORTEX_M_REG(0xe000e100 + 4 * (n))
#define CORTEX_M_CCR CORTEX_M_REG(0xe000ed14)
#define CORTEX_M_CFSR CORTEX_M_REG(0xe000ed28)
#define CORTEX_M_BFAR CORTEX_M_REG(0xe000ed38)
#define CORTEX_M_CCSIDR CORTEX_M_REG(0xe000ed80)
#define CORTEX_M_CSSELR CORTEX_M_REG(0xe000ed84)
#define CORTEX_M_CPACR CORTEX_M_REG(0xe000ed88)
#define CORTEX_M_DEMCR CORTEX_M_REG(0xe000edfc)
#define CORTEX_M_ICIALLU CORTEX_M_REG(0xe000ef50)
#define CORTEX_M_DCIMVAC CORTEX_M_REG(0xe000ef5c)
#define CORTEX_M_DCISW CORTEX_M_REG(0xe000ef60)
#define CORTEX_M_DCCIMVAC CORTEX_M_REG(0xe000ef70)
#define CORTEX_M_DCCISW CORTEX_M_REG(0xe000ef74)

#define CORTEX_M_CCR_DC (1u << 16)
#define CORTEX_M_CCR_IC (1u << 17)
#define CORTEX_M_CCR_LOB (1u << 19)

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

/* SysTick counts while something is waited for, so that a sleep ends. */
void cortex_m_ticks_start(uint32_t hz); /* hz: of the core */
uint32_t cortex_m_seconds(void); /* since the start, a little less at most */
void cortex_m_ticks_stop(void); /* as it was before the start */

/* Cycles since cortex_m_cycles_start(), 64 bits; must be asked at least once per 2^32 cycles. */
void cortex_m_cycles_start(void);
uint64_t cortex_m_cycles(void); /* cycles of the core */

/* Both caches, invalidated and on; a core without them ignores it. */
void cortex_m_caches_on(void);

/* Writes back and drops the data cache's lines of these bytes: before another manager of the bus reads or writes them. */
void cortex_m_cache_flush(const void *data, size_t bytes);

/* Drops the lines: before the core reads what another manager wrote. Lines that are not wholly inside are written back. */
void cortex_m_cache_drop(const void *data, size_t bytes);

#endif
