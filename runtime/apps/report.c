/* SPDX-License-Identifier: Apache-2.0 */
/* RUNNER_NPU: 1 when the image drives an NPU. RUNNER_SHARED_SRAM: 1 for Vela's memory mode Shared_Sram, where scratch
 * memory lies in SRAM; 0 for Dedicated_Sram, where SRAM is for fast scratch alone. */
#include "runtime/apps/report.h"
#include "runtime/apps/board_memory.h"
#include "runtime/apps/log.h"

#if RUNNER_NPU
#include "runtime/delegate/ethosu_delegate.h"

const struct backend *const runner_backends[] = { &ethosu_backend, NULL };

static struct ethosu_places places;

bool runner_init(void)
{
	const enum ethosu_status status = ethosu_init();

	if (status != ETHOSU_OK)
		LOG('E', "%s", ethosu_status_text(status));
	return status == ETHOSU_OK;
}

void runner_prepare(struct memory *large)
{
	places = (struct ethosu_places){ .fast = __sram_free, .fast_bytes = (size_t)(__sram_end - __sram_free),
					 .fast_is_scratch = RUNNER_SHARED_SRAM, .large = large };
	ethosu_delegate_init(&places);
}

void runner_clear(void)
{
	ethosu_totals_clear();
}

void runner_report(const struct method *m, uint64_t cycles)
{
	const struct ethosu_totals t = ethosu_totals_get();

	LOG('I', "NPU Inferences : %u", (unsigned)t.runs);
	LOG('I', "Instructions of the method : %llu", (unsigned long long)m->steps);
	LOG('I', "Inference runtime: %llu CPU cycles total", (unsigned long long)cycles);
	LOG('I', "cpu_wait_for_npu_cntr : %llu CPU cycles", (unsigned long long)t.wait_cycles);
	LOG('I', "Ethos-U PMU report:");
	LOG('I', "ethosu_pmu_cycle_cntr : %llu", (unsigned long long)t.cycles);
	LOG('I', "ethosu_pmu_cntr0 : %u (NPU_ACTIVE)", (unsigned)t.counters.active);
	LOG('I', "ethosu_pmu_cntr1 : %u (beats read, port 0)", (unsigned)t.counters.axi0_read);
	LOG('I', "ethosu_pmu_cntr2 : %u (beats written, port 0)", (unsigned)t.counters.axi0_write);
	LOG('I', "ethosu_pmu_cntr3 : %u (beats read, port 1)", (unsigned)t.counters.axi1_read);
}
#else
const struct backend *const runner_backends[] = { NULL };

bool runner_init(void)
{
	return true;
}

void runner_prepare(struct memory *large)
{
	(void)large;
}

void runner_clear(void)
{
}

void runner_report(const struct method *m, uint64_t cycles)
{
	LOG('I', "Instructions of the method : %llu", (unsigned long long)m->steps);
	LOG('I', "Inference runtime: %llu CPU cycles total", (unsigned long long)cycles);
}
#endif
