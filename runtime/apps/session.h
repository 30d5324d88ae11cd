/* SPDX-License-Identifier: Apache-2.0 */
/* A program or bundle from its bytes to its outputs: what all runners do. Messages are lines of log. */
#ifndef RUNTIME_APPS_SESSION_H
#define RUNTIME_APPS_SESSION_H

#include "runtime/apps/bundle.h"
#include "runtime/apps/etdump.h"

struct session {
	struct memory memory; /* all of DDR that is free: files, tables, tensors */
	struct program program;
	struct data_file data;
	struct method method;
	struct method_environment environment;
	struct bundle bundle;
	struct etdump dump;
	bool is_bundle, is_traced;
	char why[256]; /* why the last function failed: one line without its end */
};

/* Readies console, memory and NPU; before all others. */
bool session_start(struct session *s, bool use_semihosting);

/* Loads the method RUNNER_METHOD ("forward", else the first, without it) of a .pte or .bpte, aligned to PROGRAM_ALIGNMENT, which must stay. Inputs
 * of a bundle are set from its first test. `data`: the program's data file (.ptd), aligned likewise; without one its data
 * is NULL. */
bool session_load(struct session *s, struct span file, struct span data);

/* Before session_load(): keeps what runs and what it gives for session_dump(). */
void session_trace(struct session *s);

/* The dump of a traced session, and the tensors that kernels gave; data is NULL when there is not enough memory. */
struct span session_dump(struct session *s, struct span *tensors);

/* Runs the method once and logs what it took. */
bool session_run(struct session *s);

/* Compares the outputs with those of the bundle; run_fvp.sh looks for "Test_result". True for a plain program. */
bool session_check(struct session *s);

#endif
