/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the model's own header: constants that can be set while the program runs. */
#ifndef NPU_TIMING_CONSTANTS_H
#define NPU_TIMING_CONSTANTS_H

#define CONSTANT(name, value) extern unsigned long name;
#include "npu/timing/constants.def"
#undef CONSTANT

#endif
