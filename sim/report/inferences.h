/* SPDX-License-Identifier: Apache-2.0 */
/* What each job of the NPU took, for the run report. */
#ifndef SIM_REPORT_INFERENCES_H
#define SIM_REPORT_INFERENCES_H

#include "sim/machine.h"

struct inferences;
struct json;

/* Collects from now on; NULL: host memory is short, or there are too many listeners. A machine without an NPU has none. */
struct inferences *inferences_begin(struct machine *m);
/* The array "inferences" into the object that is open, and how many of them and of their operations were left out. */
void inferences_write(const struct inferences *k, struct json *j);
/* Ends collecting; NULL is allowed. */
void inferences_end(struct inferences *k);

#endif
