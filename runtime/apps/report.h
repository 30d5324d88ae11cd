/* SPDX-License-Identifier: Apache-2.0 */
/* What the runners share: the NPU, if the image is for one, and what it took. */
#ifndef RUNTIME_APPS_REPORT_H
#define RUNTIME_APPS_REPORT_H

#include "runtime/executor/method.h"

extern const struct backend *const runner_backends[];

/* Resets the NPU. False, after an error line, when it does not answer. */
bool runner_init(void);

/* Before a method is loaded: `large` is where scratch memory comes from when SRAM is not meant for it, or too small. */
void runner_prepare(struct memory *large);

/* Sets the counters to zero. */
void runner_clear(void);

/* Log lines of what a run took, in the words of ExecuTorch's runner. `cycles`: of the processor. */
void runner_report(const struct method *m, uint64_t cycles);

#endif
