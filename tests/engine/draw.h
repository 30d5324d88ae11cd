/* SPDX-License-Identifier: Apache-2.0 */
/* Draws short sequences around an instruction of each row of the table: operands are often the same few registers,
 * so that values and flags go from one to the next in all the ways that stencils know. */
#ifndef TESTS_ENGINE_DRAW_H
#define TESTS_ENGINE_DRAW_H

#include "cpu/insn/encode.h"

#define DRAW_HALFWORDS 64
#define DRAW_ROWS 2048

struct draw {
	struct insn_set *set;
	struct insn_random random;
	const struct insn_row *rows[DRAW_ROWS]; /* what is drawn from */
	unsigned count;
};
/* The M55's instructions. */
void draw_init(struct draw *d, u64 seed);
void draw_free(struct draw *d);

/* What came about: does it hold an IT block, or direct branches? */
struct drawn { u16 code[DRAW_HALFWORDS]; unsigned halfwords; bool it, branches; };
/* Code around an instruction of row `number` as it stands at `pc`; false: none was found. */
bool draw_sequence(struct draw *d, unsigned number, u32 pc, struct drawn *out);
/* A block of vector instructions: in a VPT block, or in a loop that ends with LETP or LE. */
bool draw_vectors(struct draw *d, u32 pc, struct drawn *out);

#endif
