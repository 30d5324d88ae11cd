/* SPDX-License-Identifier: Apache-2.0 */
/* What a guest has done to its machine: every engine must end with the same. */
#ifndef TESTS_FUZZ_OUTCOME_H
#define TESTS_FUZZ_OUTCOME_H

#include "sim/machine.h"

enum { OUTCOME_ITCM = 0x10000000, OUTCOME_DTCM = 0x30000000 };

struct outcome {
	u64 cycles, instructions, serial;
	u32 stop, r[17], control, primask, basepri, faultmask, msp, psp, fpscr, vpr, s[32], memory, extra;
};

/* Of a machine that has stopped; ITCM and DTCM go into `memory`, `extra` is the caller's. */
void outcome_take(struct machine *m, struct outcome *o);

/* IT instructions in code (NULL: there is none) become NOPs: arbitrary branches lead into the middle of IT blocks, which is UNPREDICTABLE and where
 * engines may differ (docs/design/cpu-engine.md). What stands in IT blocks is compared by tests/engine. */
void outcome_without_it(u8 *code, size_t size);

/* A number that other bytes change. */
u32 outcome_sum(const u8 *bytes, u32 size);

/* Ends the program with the words that differ, when any does. `engine` made `b`. */
void outcome_compare(const struct outcome *a, const struct outcome *b, unsigned engine);

#endif
