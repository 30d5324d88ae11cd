/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target provides. With clang it is linked with libFuzzer; with any compiler also
 * with replay.c, which runs given inputs and a fixed number of repeatable random changes. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "memory/types.h"

enum { FUZZ_MAX_BYTES = 65536 };

/* One input, with fresh state; returns 0. The name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Sound input number `index` for replay.c to change; returns its size, 0 when there are no more. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES]);

#endif
