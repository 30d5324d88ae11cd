/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the timing model; constants.def says what they mean. Private to npu/timing/. */
#ifndef NPU_TIMING_CONSTANTS_H
#define NPU_TIMING_CONSTANTS_H

enum {
#define CONSTANT(name, value) name = value,
#include "npu/timing/constants.def"
#undef CONSTANT
};

#endif
