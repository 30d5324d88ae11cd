/* SPDX-License-Identifier: Apache-2.0 */
/* The payload is what Vela writes: a fourcc, then driver actions, one of which is the command
 * stream (Vela, driver_actions). */
#include "runtime/ethosu/ethosu.h"
#include "runtime/ethosu/registers.h"
#include "runtime/start/cortex_m.h"

#include <stdbool.h>

#define FOURCC_COP1 0x31504f43u
#define RESET_POLLS 100000
#define PMU_COUNTERS 4

/* Outstanding transactions that the ports can take: 32 reads and 16 writes on U55, 64 and 32 on U65. */
#define AXI_LIMIT_U55 0x0f1f0000u
#define AXI_LIMIT_U65 0x1f3f0000u
#define AXI_LIMITS 4
#define PRODUCT_U65 1u

enum action { ACTION_CONFIG = 1, ACTION_COMMAND_STREAM = 2, ACTION_NOP = 5 };

static const uint16_t counted_events[PMU_COUNTERS] = {
	35,  /* NPU_ACTIVE */
	130, /* AXI0_RD_DATA_BEAT_RECEIVED */
	135, /* AXI0_WR_DATA_BEAT_WRITTEN */
	386, /* AXI1_RD_DATA_BEAT_RECEIVED */
};

static volatile bool irq_seen;
static volatile uint32_t irq_status;

void ethosu_irq(void);

void ethosu_irq(void)
{
	irq_status = ETHOSU_STATUS;
	ETHOSU_CMD = (ETHOSU_CMD & (ETHOSU_CMD_CLOCK_Q | ETHOSU_CMD_POWER_Q)) | ETHOSU_CMD_CLEAR_IRQ;
	irq_seen = true;
	cortex_m_sev();
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
	ETHOSU_PMCR = 0x7; /* enable, both resets */
	ETHOSU_PMCCNTR_CFG = 0; /* free running */
	for (unsigned i = 0; i < PMU_COUNTERS; i++)
		ETHOSU_PMEVTYPER(i) = counted_events[i];
	ETHOSU_PMCNTENSET = 1u << 31 | ((1u << PMU_COUNTERS) - 1);
}

void ethosu_read_counters(struct ethosu_counters *out)
{
	uint32_t high;

	do {
		high = ETHOSU_PMCCNTR_HI;
		out->cycles = (uint64_t)high << 32 | ETHOSU_PMCCNTR;
	} while (high != ETHOSU_PMCCNTR_HI);
	out->active = ETHOSU_PMEVCNTR(0);
	out->axi0_read = ETHOSU_PMEVCNTR(1);
	out->axi0_write = ETHOSU_PMEVCNTR(2);
	out->axi1_read = ETHOSU_PMEVCNTR(3);
}

static void set_axi_limits(void)
{
	const uint32_t limit = ETHOSU_CONFIG >> 28 == PRODUCT_U65 ? AXI_LIMIT_U65 : AXI_LIMIT_U55;

	for (unsigned i = 0; i < AXI_LIMITS; i++)
		ETHOSU_AXI_LIMIT(i) = limit;
}

/* Attribute of each region: constants through AXI1, everything else through AXI0. */
static uint32_t region_config(unsigned regions)
{
	uint32_t config = 3;

	for (unsigned i = 2; i < regions; i++)
		config |= 1u << 2 * i;
	return config;
}

static enum ethosu_status run_stream(const uint32_t *stream, uint32_t words, const uint32_t bases[], unsigned regions)
{
	enum ethosu_status status = reset();

	if (status != ETHOSU_OK)
		return status;
	ETHOSU_CMD = 0; /* stay powered and clocked */
	set_axi_limits();
	start_counters();
	ETHOSU_QBASE = (uint32_t)stream;
	ETHOSU_QBASE_HI = 0;
	ETHOSU_QSIZE = words * 4;
	ETHOSU_QCONFIG = 2;
	for (unsigned i = 0; i < regions; i++) {
		ETHOSU_BASEP(i) = bases[i];
		ETHOSU_BASEP_HI(i) = 0;
	}
	ETHOSU_REGIONCFG = region_config(regions);
	irq_seen = false;
	cortex_m_barrier();
	ETHOSU_CMD = ETHOSU_CMD_RUN;
	while (!irq_seen)
		cortex_m_wfe();
	return (irq_status & ETHOSU_STATUS_ERRORS) || !(irq_status & ETHOSU_STATUS_END) ? ETHOSU_RUN_FAILED : ETHOSU_OK;
}

/* Product and MACs per cycle must agree (CONFIG[31:28], CONFIG[3:0]). */
static bool config_matches(uint32_t wanted)
{
	return ((wanted ^ ETHOSU_CONFIG) & 0xf000000fu) == 0;
}

enum ethosu_status ethosu_run(const void *payload, uint32_t bytes, const uint32_t bases[], unsigned regions)
{
	const uint32_t *word = payload;
	const uint32_t *end = word + bytes / 4;

	if (bytes < 4 || *word++ != FOURCC_COP1 || regions > ETHOSU_REGIONS)
		return ETHOSU_BAD_PAYLOAD;
	while (word < end) {
		const uint32_t tag = *word++;

		switch (tag & 0xff) {
		case ACTION_NOP:
			break;
		case ACTION_CONFIG:
			if (end - word < 2)
				return ETHOSU_BAD_PAYLOAD;
			if (!config_matches(word[0]))
				return ETHOSU_OTHER_HARDWARE;
			word += 2;
			break;
		case ACTION_COMMAND_STREAM: {
			const uint32_t words = (tag >> 8 & 0xff) << 16 | tag >> 16;
			enum ethosu_status status;

			if (words > (uint32_t)(end - word))
				return ETHOSU_BAD_PAYLOAD;
			status = run_stream(word, words, bases, regions);
			if (status != ETHOSU_OK)
				return status;
			word += words;
			break;
		}
		default:
			return ETHOSU_BAD_PAYLOAD;
		}
	}
	return ETHOSU_OK;
}

uint32_t ethosu_last_status(void)
{
	return irq_status;
}

const char *ethosu_status_text(enum ethosu_status status)
{
	static const char *const text[] = {
		[ETHOSU_OK] = "ok",
		[ETHOSU_NO_DEVICE] = "the NPU does not come out of reset",
		[ETHOSU_BAD_PAYLOAD] = "the model's driver payload is damaged",
		[ETHOSU_OTHER_HARDWARE] = "the model was compiled for another Ethos-U configuration",
		[ETHOSU_RUN_FAILED] = "the NPU stopped with an error",
	};

	return text[status];
}
