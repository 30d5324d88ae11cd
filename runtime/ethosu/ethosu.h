/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of one Ethos-U55, U65 or U85: reset, run a Vela payload, sleep until its interrupt, counters. */
#ifndef RUNTIME_ETHOSU_H
#define RUNTIME_ETHOSU_H

#include <stdint.h>

#define ETHOSU_REGIONS 8
#define ETHOSU_REGIONS_SEPARATE 5 /* what payloads of Vela's --separate-io-regions need */
#define ETHOSU_COUNTERS 4

enum ethosu_status {
	ETHOSU_OK,
	ETHOSU_NO_DEVICE,       /* reset does not end, or PROT is not what was asked for */
	ETHOSU_BAD_PAYLOAD,     /* not a payload of Vela's, or damaged */
	ETHOSU_SEPARATE_IO,     /* inputs and outputs are to lie in regions that were not given */
	ETHOSU_OTHER_HARDWARE,  /* compiled for another product or MAC count */
	ETHOSU_RUN_FAILED,      /* the NPU stopped with an error: see ethosu_last_fault */
	ETHOSU_TIMED_OUT,       /* no interrupt within ETHOSU_LIMIT_SECONDS */
};

/* Performance counters of the last run. */
struct ethosu_counters {
	uint64_t cycles;  /* PMCCNTR */
	uint32_t active;  /* NPU_ACTIVE, cycles */
	uint32_t axi0_read, axi0_write, axi1_read; /* data beats; U85: SRAM and EXT ports */
};

/* Registers as the last run left them. */
struct ethosu_fault {
	uint32_t status;   /* STATUS */
	uint32_t position; /* QREAD: bytes into the command stream */
};

/* Resets the NPU to privileged Secure state and enables its interrupt. */
enum ethosu_status ethosu_init(void);

/* Runs a payload (16-byte aligned, `bytes` long) with these region base addresses (16-byte aligned) and sleeps until it
 * has ended. Regions: 0 constants, 1 scratch, 2 fast scratch. */
enum ethosu_status ethosu_run(const void *payload, uint32_t bytes, const uint32_t bases[], unsigned regions);

void ethosu_read_counters(struct ethosu_counters *out); /* of the last ethosu_run */
struct ethosu_fault ethosu_last_fault(void); /* of the last ethosu_run */
uint32_t ethosu_config(void); /* CONFIG of the NPU that is there */
const char *ethosu_status_text(enum ethosu_status status); /* a constant, in words */

#endif
