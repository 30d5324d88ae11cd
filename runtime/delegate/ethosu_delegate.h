/* SPDX-License-Identifier: Apache-2.0 */
/* The backend "EthosUBackend": parts of a program that Vela has compiled for the NPU. */
#ifndef RUNTIME_DELEGATE_ETHOSU_DELEGATE_H
#define RUNTIME_DELEGATE_ETHOSU_DELEGATE_H

#include "runtime/ethosu/ethosu.h"
#include "runtime/executor/method.h"

/* Where the NPU works. All delegates share this memory: they run one after the other. */
struct ethosu_places {
	uint8_t *fast;         /* SRAM */
	size_t fast_bytes;
	bool fast_is_scratch;  /* Shared_Sram: scratch lies there when it fits; else fast is for region 2 alone */
	struct memory *large;  /* where scratch lies otherwise */
};

/* What the delegates of a run took together. */
struct ethosu_totals {
	uint32_t runs;
	uint64_t cycles;       /* of the NPU */
	uint64_t wait_cycles;  /* of the processor, from start to end of the NPU's work */
	struct ethosu_counters counters; /* sums of events; cycles of the last run */
};

extern const struct backend ethosu_backend;

/* Before a method with such delegates is loaded. `places` must stay. */
void ethosu_delegate_init(struct ethosu_places *places);

/* Since the last call of ethosu_totals_clear(). */
struct ethosu_totals ethosu_totals_get(void);
void ethosu_totals_clear(void);

#endif
