/* SPDX-License-Identifier: Apache-2.0 */
/* Random test cases from the instruction table.
 *
 * A case is a list of units. A unit stands for itself: preparations (a base register that points
 * into the data block, a small index), then one instruction, or an IT or VPT block, or a branch
 * with the instructions that it may skip, or a loop. So a case can be cut behind any unit. */
#ifndef TESTS_DIFFERENTIAL_GEN_H
#define TESTS_DIFFERENTIAL_GEN_H

#include "cpu/insn/encode.h"
#include "tests/differential/case.h"

#define GEN_MAX_UNITS 48
#define GEN_MAX_HALFWORDS 900
#define GEN_MAX_INSNS 400

struct gen_case {
	struct case_in in;
	u16 code[GEN_MAX_HALFWORDS + 8];
	u32 halfwords;          /* without the end mark */
	u32 units;
	u16 unit_end[GEN_MAX_UNITS]; /* in halfwords */
	/* Table rows used, and where (halfword offset): for coverage and reports. */
	u32 insns;
	struct { u16 row, at; } insn[GEN_MAX_INSNS];
};

struct gen {
	struct insn_set *set;
	u64 *row_count;         /* per row, how often it was part of a case */
	const struct insn_row *only; /* generate this row wherever possible; NULL: all */
	unsigned units;         /* per case */
	u16 *plain, *it, *mve, *branch, *loop; /* rows by use */
	u32 plain_count, it_count, mve_count, branch_count, loop_count;
};

/* Sorts the rows by use. Returns false when out of memory. */
bool gen_init(struct gen *g);
void gen_free(struct gen *g);

/* True for a row that cannot be part of a random sequence, with the reason. */
const char *gen_excluded(const struct insn_row *row);

/* Case number `id` of a run with that seed: depends on nothing else. */
void gen_make(struct gen *g, u64 seed, u32 id, struct gen_case *out);

/* Counts the rows of a case that runs. */
void gen_count(struct gen *g, const struct gen_case *c);

/* The contents that memory blocks are windows of. */
void gen_pool(u64 seed, u32 *pool);

#endif
