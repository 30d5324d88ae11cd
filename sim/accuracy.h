/* SPDX-License-Identifier: Apache-2.0 */
/* How far estimated cycles were from published ones, for reports: a figure without its error is read as exact. */
#ifndef SIM_ACCURACY_H
#define SIM_ACCURACY_H

#include "cpu/cpu.h"
#include "npu/config.h"

/* One line: "estimated, M55: mean error 3.6 % over 6 kernels, largest 5.3 %". */
const char *accuracy_of_cpu(enum cpu_timing timing);
const char *accuracy_of_npu(enum npu_product product);

#endif
