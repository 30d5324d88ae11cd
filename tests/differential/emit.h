/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the code of a case, piece by piece. */
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

/* Row properties by name and syntax. */
unsigned row_kind(const struct insn_row *row);
bool row_is(const struct insn_row *row, const char *op_prefix);
bool row_has(const struct insn_row *row, const char *syntax_part);

u32 emit_pc(const struct emit *e);
void emit_half(struct emit *e, u16 half);
void emit_wide(struct emit *e, u32 encoding);
void emit_movw(struct emit *e, unsigned reg, u32 value); /* value below 64 K */
void emit_address(struct emit *e, unsigned reg, u32 value);
/* An address in the data block's first quarter, mostly aligned. */
u32 emit_block_address(struct insn_random *r);
u32 emit_stack(struct emit *e); /* a value for the stack pointer */
unsigned emit_base(struct emit *e); /* a core register 0..7 with an address in the data block */

/* Notes that a row stands at a halfword offset. */
void emit_note(struct emit *e, const struct insn_row *row, u32 at);

#endif
