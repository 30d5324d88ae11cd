/* SPDX-License-Identifier: Apache-2.0 */
/* Single instructions of a case, with operands that make sense. */
#ifndef TESTS_DIFFERENTIAL_PLAN_H
#define TESTS_DIFFERENTIAL_PLAN_H

#include "tests/differential/emit.h"

/* What a row needs beyond random fields, found in its syntax. */
struct plan {
	const struct insn_row *row;
	struct emit *e;
	char base, index;      /* letters of core registers; 0: none */
	char vector, offsets;  /* letters of vector base and vector of offsets */
	i32 base_reg, index_reg, vector_reg; /* -1: none */
	bool memory, moves_sp;
	char fixed_letter;     /* a field with a value given by the caller; 0: none */
	u32 fixed_value;
};

/* Emits what the row needs before it and remembers it. */
void plan_prepare(struct plan *p, struct emit *e, const struct insn_row *row);
/* The same for the first instructions of a case, by its initial registers: emits nothing. */
void plan_preset(struct plan *p, struct emit *e, const struct insn_row *row);
/* Emits the instruction itself; false: no encoding, or it would write a register to be kept. */
bool plan_emit(struct plan *p);
/* Repairs the stack pointer if the instruction just emitted may have changed it. */
void plan_finish(struct plan *p);

/* Encodes a direct branch of that row to `distance` bytes from its pc + 4. */
bool plan_branch(struct emit *e, const struct insn_row *row, u32 pc, i32 distance, u32 *encoding);

#endif
