/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds of the NPU's fuzz targets: the small networks of tests/npu. */
#ifndef TESTS_FUZZ_NPU_SEED_H
#define TESTS_FUZZ_NPU_SEED_H

#include "tests/fuzz/fuzz.h"

/* Bytes of compiled model number `index`; 0 when there are no more. */
size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES]);

#endif
