/* SPDX-License-Identifier: Apache-2.0 */
/* What of a compiled network the NPU does, without what the compiler left to the processor. */
#ifndef TESTS_BENCH_NPU_OPERATORS_H
#define TESTS_BENCH_NPU_OPERATORS_H

#include "memory/types.h"

/* Takes the processor's operators out of a .tflite file and prints which it keeps. False when some were taken out: then nothing computes
 * the inputs of what is left. */
bool npu_operators_only(u8 *bytes, u64 size);

#endif
