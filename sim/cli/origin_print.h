/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_CLI_ORIGIN_PRINT_H
#define SIM_CLI_ORIGIN_PRINT_H

#include "sim/report/origin.h"

/* Where an end came from, on standard error; `branches`: that many of the last. */
void origin_print(const struct origin *o, unsigned branches);

#endif
