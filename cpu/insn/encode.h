/* SPDX-License-Identifier: Apache-2.0 */
/* Random encodings of a row of the instruction table, for fuzzing and table checks. */
#ifndef CPU_INSN_ENCODE_H
#define CPU_INSN_ENCODE_H

#include "cpu/insn/insn.h"

/* A small deterministic generator (splitmix64); any seed is good. */
struct insn_random { u64 state; };
u32 insn_random_u32(struct insn_random *r);
/* Uniform in [0, n); n > 0. */
u32 insn_random_below(struct insn_random *r, u32 n);

/* Makes an encoding that insn_find maps to this row: fields at random, ignored bits as they should
 * be. `wish` (may be NULL) is asked for each field: it returns a value or -1 for "any". False:
 * none was found in 1000 tries, or the row's feature is not in the set. */
typedef i32 insn_wish(void *ctx, char letter, unsigned width);
bool insn_encode(const struct insn_set *set, const struct insn_row *row, struct insn_random *r,
		 insn_wish *wish, void *ctx, u32 *encoding);

#endif
