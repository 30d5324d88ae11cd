/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_REPORT_ORIGIN_LINES_H
#define SIM_REPORT_ORIGIN_LINES_H

#include "sim/report/lines.h"
#include "sim/report/origin.h"

/* Where an end came from, for people; `branches`: that many of the last. */
void origin_add_lines(const struct lines *out, const struct origin *o, unsigned branches);

#endif
