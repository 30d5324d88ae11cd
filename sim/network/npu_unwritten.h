/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that no operation writes, or not all of them: the compiler has dropped what was to give them. */
#ifndef SIM_NPU_UNWRITTEN_H
#define SIM_NPU_UNWRITTEN_H

#include "sim/network/npu_program.h"
#include "sim/network/npu_report.h"

/* Names of the outputs, of the network or of its delegates, with bytes that are neither written by an operation of a run that
 * has ended well nor an input's nor constant; "" when there are none. */
void npu_unwritten(const struct npu_program *p, const struct npu_report *run, char *names, size_t size);

#endif
