/* SPDX-License-Identifier: Apache-2.0 */
/* A profile by function. */
#ifndef SIM_TRACE_PROFILE_FUNCTIONS_H
#define SIM_TRACE_PROFILE_FUNCTIONS_H

#include "sim/trace/profile.h"

struct profile_function {
	u32 function; /* its address */
	struct profile_cost self;
	u64 work[CPU_WORKS]; /* cycles of self.cycles by kind of instruction */
	u64 rest;            /* and those of none: entries of exceptions, taken branches, waits for memory */
	u64 all;             /* cycles of it and of what it called; recursion counts once */
	u64 calls;
};

struct profile_functions {
	struct profile_function *list; /* the most cycles first */
	u32 count;
	struct profile_cost sum;
};

/* False with a line in `why`: host memory is short. The caller frees it by profile_functions_free. */
bool profile_functions_of(const struct profile *p, struct profile_functions *out, char *why, size_t why_size);
void profile_functions_free(struct profile_functions *f);

#endif
