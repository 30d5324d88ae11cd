/* SPDX-License-Identifier: Apache-2.0 */
/* Traces and profiles of a machine, as asked for on the command line. */
#ifndef SIM_TRACE_TRACE_H
#define SIM_TRACE_TRACE_H

#include "sim/machine.h"
#include "sim/name_list.h"

struct tracing;

/* `read`: files that no trace may write over, besides the machine's programs; NULL: none. It outlives the tracing. `files_only`: nothing
 * goes to the standard streams. NULL: host memory is short. */
struct tracing *tracing_new(struct machine *m, const struct name_list *read, bool files_only);
/* As --trace, --profile and the two folders of --npu-dump-layers and --npu-compare-layers; from now on. A failure comes with a line in
 * `why` (a filter, a file that the run reads, a file that cannot be written). */
enum failure tracing_add_trace(struct tracing *t, const char *value, char *why, size_t why_size);
enum failure tracing_add_profile(struct tracing *t, const char *value, char *why, size_t why_size);
enum failure tracing_add_layers(struct tracing *t, bool compare, const char *directory, char *why, size_t why_size);
/* The FVPs' way to ask for a trace of the NPU: --pmu-trace FILE among the arguments of its model. */
enum failure tracing_add_npu_args(struct tracing *t, const char *args, char *why, size_t why_size);
/* Ends all and writes the files; a failure comes with a line in `why`. `t` may be NULL. */
enum failure tracing_end(struct tracing *t, char *why, size_t why_size);

/* Checks names and filters without a machine: false with a line in `why`. */
bool trace_option_check(const char *value, char *why, size_t why_size);
bool profile_option_check(const char *value, char *why, size_t why_size);
/* Kind i, and what it writes; NULL behind the last. */
const char *trace_kind_name(unsigned i, const char **text);
const char *profile_kind_name(unsigned i, const char **text);

#endif
