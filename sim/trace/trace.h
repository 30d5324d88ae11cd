/* SPDX-License-Identifier: Apache-2.0 */
/* Traces and profiles of a machine, as asked for on the command line. */
#ifndef SIM_TRACE_TRACE_H
#define SIM_TRACE_TRACE_H

#include "sim/machine.h"

struct tracing;

/* Begins what the configuration asks for, before the first instruction. A failure comes with a line in `why`
 * (a kind that there is not, a filter, a file that the run reads, a file that cannot be written). NULL in *out: nothing is asked for. */
enum failure tracing_begin(struct tracing **out, struct machine *m, const struct run_config *c, char *why, size_t why_size);
/* The same step by step. `files_only`: nothing goes to the standard streams. NULL: host memory is short. */
struct tracing *tracing_new(struct machine *m, bool files_only);
/* As --trace, --profile and the two folders of --npu-dump-layers and --npu-compare-layers; from now on. */
enum failure tracing_add_trace(struct tracing *t, const char *value, char *why, size_t why_size);
enum failure tracing_add_profile(struct tracing *t, const char *value, char *why, size_t why_size);
enum failure tracing_add_layers(struct tracing *t, bool compare, const char *directory, char *why, size_t why_size);
/* Ends all and writes the files; a failure comes with a line in `why`. `t` may be NULL. */
enum failure tracing_end(struct tracing *t, char *why, size_t why_size);

/* Checks names and filters without a machine: false with a line in `why`. */
bool trace_option_check(const char *value, char *why, size_t why_size);
bool profile_option_check(const char *value, char *why, size_t why_size);
/* The lines of the help. */
void trace_print_kinds(FILE *f);

#endif
