/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds of the NPU's fuzz targets: the small networks of tests/npu, which are all operators for U55, U65 and U85. */
#ifndef TESTS_FUZZ_NPU_SEED_H
#define TESTS_FUZZ_NPU_SEED_H

#include "npu/config.h"
#include "tests/fuzz/fuzz.h"

/* Bytes of a case of tests/npu/data by its name; 0: there is none. */
size_t npu_seed_case(const char *name, u8 out[FUZZ_MAX_BYTES]);

/* Bytes of compiled model number `index`; 0 when there are no more. */
size_t npu_seed_model(unsigned index, u8 out[FUZZ_MAX_BYTES]);

/* The first command stream of that model, at most `room` bytes of it; 0 when there are no more. */
size_t npu_seed_stream(unsigned index, u8 *out, size_t room, const struct npu_config **config);

#endif
