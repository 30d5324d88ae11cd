/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/start/cortex_m.h"

#define LINE 32u
#define TICK_CYCLES 0xffffffu /* the longest that 24 bits give */
#define SYST_ENABLE_CORE_IRQ 7u

/* Flushing this many bytes line by line takes longer than flushing the whole cache. */
#define WHOLE_CACHE_BYTES (128u * 1024)

static volatile uint32_t ticks;
static uint32_t ticks_per_second;
static uint64_t cycles_before;
static uint32_t last_cycles;

void SysTick_Handler(void);

void SysTick_Handler(void)
{
	ticks++;
}

void cortex_m_ticks_start(uint32_t hz)
{
	ticks = 0;
	ticks_per_second = hz / TICK_CYCLES + 1;
	CORTEX_M_SYST_RVR = TICK_CYCLES;
	CORTEX_M_SYST_CVR = 0;
	CORTEX_M_SYST_CSR = SYST_ENABLE_CORE_IRQ;
}

uint32_t cortex_m_seconds(void)
{
	return ticks / ticks_per_second;
}

void cortex_m_ticks_stop(void)
{
	CORTEX_M_SYST_CSR = 0;
}

void cortex_m_cycles_start(void)
{
	CORTEX_M_DWT_CYCCNT = 0;
	CORTEX_M_DWT_CTRL |= 1;
	cycles_before = 0;
	last_cycles = 0;
}

uint64_t cortex_m_cycles(void)
{
	const uint32_t now = CORTEX_M_DWT_CYCCNT;

	cycles_before += now - last_cycles;
	last_cycles = now;
	return cycles_before;
}

/* All sets and ways of the data cache, to one of the registers that take them (CCSIDR: Armv8-M ARM D1.2.12). */
static void all_lines(volatile uint32_t *operation)
{
	uint32_t size, sets, ways, way_shift;

	CORTEX_M_CSSELR = 0; /* level 1, data */
	cortex_m_barrier();
	size = CORTEX_M_CCSIDR;
	sets = size >> 13 & 0x7fff;
	ways = size >> 3 & 0x3ff;
	way_shift = ways ? (uint32_t)__builtin_clz(ways) : 0;
	for (uint32_t set = 0; set <= sets; set++)
		for (uint32_t way = 0; way <= ways; way++)
			*operation = way << way_shift | set << 5;
	cortex_m_barrier();
}

void cortex_m_caches_on(void)
{
	cortex_m_barrier();
	CORTEX_M_ICIALLU = 0;
	all_lines(&CORTEX_M_DCISW);
	CORTEX_M_CCR |= CORTEX_M_CCR_DC | CORTEX_M_CCR_IC;
	cortex_m_barrier();
}

void cortex_m_cache_flush(const void *data, size_t bytes)
{
	const uintptr_t end = (uintptr_t)data + bytes;

	if (!(CORTEX_M_CCR & CORTEX_M_CCR_DC) || !bytes)
		return;
	if (bytes >= WHOLE_CACHE_BYTES) {
		all_lines(&CORTEX_M_DCCISW);
		return;
	}
	cortex_m_barrier();
	for (uintptr_t at = (uintptr_t)data & ~(uintptr_t)(LINE - 1); at < end; at += LINE)
		CORTEX_M_DCCIMVAC = at;
	cortex_m_barrier();
}

void cortex_m_cache_drop(const void *data, size_t bytes)
{
	const uintptr_t start = (uintptr_t)data, end = start + bytes;

	if (!(CORTEX_M_CCR & CORTEX_M_CCR_DC) || !bytes)
		return;
	cortex_m_barrier();
	for (uintptr_t at = start & ~(uintptr_t)(LINE - 1); at < end; at += LINE) {
		if (at < start || end - at < LINE)
			CORTEX_M_DCCIMVAC = at;
		else
			CORTEX_M_DCIMVAC = at;
	}
	cortex_m_barrier();
}
