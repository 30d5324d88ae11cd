/* SPDX-License-Identifier: Apache-2.0 */
/* Other kinds of trace from a compact binary one. */
#ifndef SIM_TRACE_CONVERT_H
#define SIM_TRACE_CONVERT_H

#include "memory/types.h"
#include "sim/failure.h"

/* `from`: a trace of the kind fvpt; `to`: KIND=OUT[,FILTER...]; `files_only`: OUT must not be standard output. A failure comes with a line
 * in `why`; where the trace is damaged, what comes before has been converted. */
enum failure trace_convert(const char *from, const char *to, bool files_only, char *why, size_t why_size);

#endif
