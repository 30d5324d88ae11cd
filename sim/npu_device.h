/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU as a device on the bus. */
#ifndef SIM_NPU_DEVICE_H
#define SIM_NPU_DEVICE_H

#include "sim/machine.h"

/* Makes m->npu as configured and maps its registers. A failure comes with a line in `why`. */
enum failure npu_device_add(struct machine *m, char *why, size_t why_size);

#endif
