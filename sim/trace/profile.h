/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time goes, from every instruction. Pieces of straight code are counted where the program leaves them, so
 * nothing is sampled: instructions and cycles of all pieces add up to the core's counters. */
#ifndef SIM_TRACE_PROFILE_H
#define SIM_TRACE_PROFILE_H

#include "sim/trace/calls.h"

/* What something cost. */
struct profile_cost {
	u64 cycles;       /* in which the core was awake */
	u64 instructions, branches, taken;
	u64 stalls;       /* cycles that instructions took beyond their first */
	u64 npu;          /* cycles asleep while the NPU worked */
	u64 idle;         /* cycles asleep otherwise */
	u8 work;          /* profile_each: enum cpu_work that `cycles` went into; CPU_WORKS: none of these */
};
void profile_cost_add(struct profile_cost *to, const struct profile_cost *c);
/* All its cycles. */
static inline u64 profile_cost_all(const struct profile_cost *c) { return c->cycles + c->npu + c->idle; }

struct profile;

/* Begins now. NULL: host memory is short. */
struct profile *profile_new(struct machine *m);
/* Ends: nothing is counted from here on. False: host memory was short, so that something is missing. */
bool profile_end(struct profile *p);
void profile_free(struct profile *p);

const struct calls *profile_calls(const struct profile *p); /* the tree of calls; belongs to the profile */
struct machine *profile_machine(const struct profile *p); /* the one that it counts */

/* What each instruction cost in each context: as many calls as there are such pairs, or more. */
typedef void profile_fn(void *ctx, u32 context, u32 pc, const struct profile_cost *c);
void profile_each(const struct profile *p, profile_fn *fn, void *ctx);

/* Files; each false with a line in `why`. */
typedef bool profile_writer(const struct profile *p, FILE *f, char *why, size_t why_size);
profile_writer profile_write_flat, profile_write_callgrind, profile_write_folded, profile_write_speedscope, profile_write_lcov,
	profile_write_json;

#endif
