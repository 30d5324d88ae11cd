/* SPDX-License-Identifier: Apache-2.0 */
/* Costs summed by place: what the writers of profiles share. Private to sim/trace/profile_*.c. */
#ifndef SIM_TRACE_PROFILE_PLACES_H
#define SIM_TRACE_PROFILE_PLACES_H

#include "sim/trace/profile.h"

/* An instruction, in one context or (context 0) in all. */
struct profile_place {
	u32 context, pc;
	struct profile_cost cost;
};

/* Every place once, sorted by context, then address; freed by the caller. `contexts`: told apart. NULL without memory. */
struct profile_place *profile_places(const struct profile *p, bool contexts, u32 *count);

#endif
