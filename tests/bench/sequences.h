/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the sequences worth a handler of their own from what programs executed. */
#ifndef TESTS_BENCH_SEQUENCES_H
#define TESTS_BENCH_SEQUENCES_H

#include "cpu/engine/fuse.h"

/* Instructions of a straight piece of code that were executed one after another. */
#define RUN_MOST 64
struct straight_run { double weight; unsigned n; struct fuse_at at[RUN_MOST]; };

/* Can a sequence go on behind this operation? */
bool fused_may_continue(unsigned op);

/* Adds runs of two instructions for all pairs of frequent instructions, as if they followed each
 * other by chance: programs that were not seen have them. `weight`: of all of them together, a
 * program having 1. Returns the new number of runs, `run_most` at the most. */
unsigned add_unseen_pairs(struct straight_run *runs, unsigned run_count, unsigned run_most, double weight);

/* A sequence and the share of handlers that it saves, in instructions executed. */
struct chosen { struct fused sequence; double gain; };

/* The `most` sequences under which the runs need the fewest handlers, best first; returns their
 * number. The caller frees *chosen. */
unsigned choose_sequences(const struct straight_run *runs, unsigned run_count, unsigned most, struct chosen **chosen);

/* Handlers that the runs need with these sequences, summed by weight. */
double handlers_needed(const struct straight_run *runs, unsigned run_count, const struct fused *list, unsigned count);

#endif
