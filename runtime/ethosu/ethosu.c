/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/ethosu/ethosu.h"
#include "runtime/ethosu/payload.h"
#include "runtime/ethosu/registers.h"
#include "runtime/start/cortex_m.h"

#include <stdbool.h>

#define RESET_POLLS 100000
#ifndef ETHOSU_LIMIT_SECONDS
#define ETHOSU_LIMIT_SECONDS 60
#endif

/* Outstanding transactions that the ports can take: 32 reads and 16 writes on U55, 64 and 32 on U65. On U85 the SRAM
 * ports take 64 and 32, the EXT ports 64 and 32, bursts of 256 bytes. */
#define AXI_LIMIT_U55 0x0f1f0000u
#define AXI_LIMIT_U65 0x1f3f0000u
#define AXI_LIMITS 4
#define AXI_U85 0x00021f3fu

#define ALL_COUNTERS (1u << 31 | ((1u << ETHOSU_COUNTERS) - 1))

enum { PRODUCT_U55, PRODUCT_U65, PRODUCT_U85 };
enum { PMU_U55 = 0, PMU_U85 = 0x1000 };

static const uint16_t counted_events[ETHOSU_COUNTERS] = {
	35,  /* NPU_ACTIVE */
	130, /* AXI0_RD_DATA_BEAT_RECEIVED, on U85 SRAM_... */
	135, /* AXI0_WR_DATA_BEAT_WRITTEN */
	386, /* AXI1_RD_DATA_BEAT_RECEIVED, on U85 EXT_... */
};

static volatile bool irq_seen;
static volatile struct ethosu_fault last;

void ethosu_irq(void);

void ethosu_irq(void)
{
	last.status = ETHOSU_STATUS;
	last.position = ETHOSU_QREAD;
	ETHOSU_CMD = (ETHOSU_CMD & (ETHOSU_CMD_CLOCK_Q | ETHOSU_CMD_POWER_Q)) | ETHOSU_CMD_CLEAR_IRQ;
	irq_seen = true;
	cortex_m_sev();
}

uint32_t ethosu_config(void)
{
	return ETHOSU_CONFIG;
}

static bool is_u85(void)
{
	return ETHOSU_PRODUCT(ETHOSU_CONFIG) == PRODUCT_U85;
}

static uint32_t pmu(void)
{
	return is_u85() ? PMU_U85 : PMU_U55;
}

static enum ethosu_status reset(void)
{
	ETHOSU_RESET = ETHOSU_RESET_PRIVILEGED_SECURE;
	for (int polls = 0; ETHOSU_STATUS & ETHOSU_STATUS_RESET; polls++)
		if (polls == RESET_POLLS)
			return ETHOSU_NO_DEVICE;
	return ETHOSU_PROT == ETHOSU_RESET_PRIVILEGED_SECURE ? ETHOSU_OK : ETHOSU_NO_DEVICE;
}

enum ethosu_status ethosu_init(void)
{
	const enum ethosu_status status = reset();

	if (status == ETHOSU_OK)
		cortex_m_enable_irq(BOARD_ETHOSU_IRQ);
	return status;
}

static void start_counters(void)
{
	const uint32_t at = pmu();

	ETHOSU_PMCR(at) = 0x7; /* enable, both resets */
	ETHOSU_PMCCNTR_CFG(at) = 0; /* free running */
	for (unsigned i = 0; i < ETHOSU_COUNTERS; i++)
		ETHOSU_PMEVTYPER(at, i) = counted_events[i];
	ETHOSU_PMCNTENSET(at) = ALL_COUNTERS;
}

void ethosu_read_counters(struct ethosu_counters *out)
{
	const uint32_t at = pmu();
	uint32_t high;

	do {
		high = ETHOSU_PMCCNTR_HI(at);
		out->cycles = (uint64_t)high << 32 | ETHOSU_PMCCNTR(at);
	} while (high != ETHOSU_PMCCNTR_HI(at));
	out->active = ETHOSU_PMEVCNTR(at, 0);
	out->axi0_read = ETHOSU_PMEVCNTR(at, 1);
	out->axi0_write = ETHOSU_PMEVCNTR(at, 2);
	out->axi1_read = ETHOSU_PMEVCNTR(at, 3);
}

struct ethosu_fault ethosu_last_fault(void)
{
	return (struct ethosu_fault){ last.status, last.position };
}

static void set_limits(void)
{
	const uint32_t limit = ETHOSU_PRODUCT(ETHOSU_CONFIG) == PRODUCT_U65 ? AXI_LIMIT_U65 : AXI_LIMIT_U55;

	if (is_u85()) {
		for (unsigned i = 0; i < AXI_LIMITS; i++)
			ETHOSU_MEM_ATTR(i) = i & 1 ? 1u << 2 : 0; /* odd ones: EXT ports */
		ETHOSU_AXI_SRAM = AXI_U85;
		ETHOSU_AXI_EXT = AXI_U85;
		return;
	}
	for (unsigned i = 0; i < AXI_LIMITS; i++)
		ETHOSU_AXI_LIMIT(i) = limit;
}

/* Attribute of each region: constants through the second port, everything else through the first. */
static uint32_t region_config(unsigned regions)
{
	uint32_t config = 3;

	for (unsigned i = 2; i < regions; i++)
		config |= (is_u85() ? 2u : 1u) << 2 * i;
	return config;
}

/* Sleeps until the interrupt, at most for the limit. */
static bool wait_for_end(void)
{
	cortex_m_ticks_start(BOARD_CPU_HZ);
	while (!irq_seen && cortex_m_seconds() < ETHOSU_LIMIT_SECONDS)
		cortex_m_wfe();
	cortex_m_ticks_stop();
	return irq_seen;
}

static enum ethosu_status run_stream(const struct ethosu_payload *p, const uint32_t bases[], unsigned regions)
{
	enum ethosu_status status = reset();
	bool ended;

	if (status != ETHOSU_OK)
		return status;
	ETHOSU_CMD = 0; /* stay powered and clocked */
	set_limits();
	start_counters();
	ETHOSU_QBASE = (uint32_t)p->stream;
	ETHOSU_QBASE_HI = 0;
	ETHOSU_QSIZE = p->stream_bytes;
	ETHOSU_QCONFIG = is_u85() ? 3 : 2;
	for (unsigned i = 0; i < regions; i++) {
		ETHOSU_BASEP(i) = bases[i];
		ETHOSU_BASEP_HI(i) = 0;
	}
	ETHOSU_REGIONCFG = region_config(regions);
	irq_seen = false;
	cortex_m_barrier();
	ETHOSU_CMD = ETHOSU_CMD_RUN;
	ended = wait_for_end();
	ETHOSU_PMCNTENCLR(pmu()) = ALL_COUNTERS;
	if (!ended) {
		last.status = ETHOSU_STATUS;
		last.position = ETHOSU_QREAD;
		return ETHOSU_TIMED_OUT;
	}
	return (last.status & ETHOSU_STATUS_ERRORS) || !(last.status & ETHOSU_STATUS_END) ? ETHOSU_RUN_FAILED : ETHOSU_OK;
}

enum ethosu_status ethosu_run(const void *payload, uint32_t bytes, const uint32_t bases[], unsigned regions)
{
	struct ethosu_payload p;

	if (regions > ETHOSU_REGIONS || !ethosu_payload_read(payload, bytes, &p))
		return ETHOSU_BAD_PAYLOAD;
	if (p.separate_io && regions < ETHOSU_REGIONS_SEPARATE)
		return ETHOSU_SEPARATE_IO;
	if (!ethosu_payload_fits(&p, ETHOSU_CONFIG))
		return ETHOSU_OTHER_HARDWARE;
	return run_stream(&p, bases, regions);
}

const char *ethosu_status_text(enum ethosu_status status)
{
	static const char *const text[] = {
		[ETHOSU_OK] = "ok",
		[ETHOSU_NO_DEVICE] = "the NPU does not come out of reset",
		[ETHOSU_BAD_PAYLOAD] = "the command stream's payload is damaged",
		[ETHOSU_SEPARATE_IO] = "it was compiled with --separate-io-regions, which is not possible here",
		[ETHOSU_OTHER_HARDWARE] = "it was compiled for another Ethos-U configuration than this one",
		[ETHOSU_RUN_FAILED] = "the NPU stopped with an error",
		[ETHOSU_TIMED_OUT] = "the NPU did not end in time",
	};

	return text[status];
}
