/* SPDX-License-Identifier: Apache-2.0 */
/* Emits single instructions of a case, with operands that make sense. */
#ifndef TESTS_DIFFERENTIAL_EMIT_H
#define TESTS_DIFFERENTIAL_EMIT_H

#include "tests/differential/gen.h"
#include "tests/differential/values.h"

struct emit {
	struct gen *g;
	struct gen_case *out;
	struct insn_random r;
	enum flavour flavour;
	u32 bases;  /* core registers that hold an address inside the data block */
	u32 keep;   /* core registers that must not be written: loop counters */
	bool beats; /* the first instructions resume after some of their beats */
};

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

/* Row properties by name and syntax. */
unsigned row_kind(const struct insn_row *row);
bool row_is(const struct insn_row *row, const char *op_prefix);
bool row_has(const struct insn_row *row, const char *syntax_part);

u32 emit_pc(const struct emit *e);
void emit_half(struct emit *e, u16 half);
void emit_wide(struct emit *e, u32 encoding);
void emit_movw(struct emit *e, unsigned reg, u32 value); /* value below 64 K */
void emit_address(struct emit *e, unsigned reg, u32 value);
u32 emit_stack(struct emit *e); /* a value for the stack pointer */
unsigned emit_base(struct emit *e); /* a core register 0..7 with an address in the data block */

/* Emits what the row needs before it and remembers it. */
void plan_prepare(struct plan *p, struct emit *e, const struct insn_row *row);
/* The same for the first instructions of a case, by its initial registers: emits nothing. */
void plan_preset(struct plan *p, struct emit *e, const struct insn_row *row);
/* Emits the instruction itself; false: no encoding, or it would write a register to be kept. */
bool plan_emit(struct plan *p);
/* Repairs the stack pointer if the instruction just emitted may have changed it. */
void plan_finish(struct plan *p);

/* Encodes a direct branch of that row to `distance` bytes from its pc + 4. */
bool emit_branch_encoding(struct emit *e, const struct insn_row *row, u32 pc, i32 distance, u32 *encoding);
/* Notes that a row stands at a halfword offset. */
void emit_note(struct emit *e, const struct insn_row *row, u32 at);

#endif
