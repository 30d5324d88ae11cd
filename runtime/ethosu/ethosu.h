/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of one Ethos-U55 or U65: reset, run a Vela payload, wait for its interrupt, counters. */
#ifndef RUNTIME_ETHOSU_H
#define RUNTIME_ETHOSU_H

#include <stdint.h>

#define ETHOSU_REGIONS 8

enum ethosu_status {
	ETHOSU_OK,
	ETHOSU_NO_DEVICE,       /* reset does not end, or PROT is not what was asked for */
	ETHOSU_BAD_PAYLOAD,     /* not a COP1 payload, or an unknown driver action */
	ETHOSU_OTHER_HARDWARE,  /* compiled for another product or MAC count */
	ETHOSU_RUN_FAILED,      /* the NPU stopped with an error: see ethosu_last_status */
};

/* Performance counters of the last run; the order of programming in ethosu.c. */
struct ethosu_counters {
	uint64_t cycles;  /* PMCCNTR */
	uint32_t active;  /* NPU_ACTIVE, cycles */
	uint32_t axi0_read, axi0_write, axi1_read; /* data beats */
};

/* Resets the NPU to privileged Secure state and enables its interrupt. */
enum ethosu_status ethosu_init(void);

/* Runs the command stream of a driver payload ("COP1", 16-byte aligned, `bytes` long) with
 * these region base addresses (16-byte aligned) and sleeps until it has ended. */
enum ethosu_status ethosu_run(const void *payload, uint32_t bytes, const uint32_t bases[], unsigned regions);

void ethosu_read_counters(struct ethosu_counters *out); /* of the last ethosu_run */
uint32_t ethosu_last_status(void); /* STATUS as the last run left it */
const char *ethosu_status_text(enum ethosu_status status); /* a constant, in words */

#endif
