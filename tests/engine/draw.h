/* SPDX-License-Identifier: Apache-2.0 */
/* Draws instructions that make a row of the list of fused sequences: the operations in their lengths, with operands
 * such that decoding chooses this row and no other. */
#ifndef TESTS_ENGINE_DRAW_H
#define TESTS_ENGINE_DRAW_H

#include "cpu/engine/fuse.h"
#include "cpu/insn/encode.h"

/* An IT and its block are up to five instructions. */
#define DRAW_HALFWORDS (FUSED_LEN * (1 + 2 * FUSED_IT_LEN))

struct draw {
	struct insn_set *set;
	struct fused_index *index;
	struct insn_random random;
};
/* The M55's instructions and the engine's list. */
void draw_init(struct draw *d, u64 seed);
void draw_free(struct draw *d);

struct drawn { u16 code[DRAW_HALFWORDS]; unsigned halfwords; };
/* Code of row `number` of the list as it stands at `pc`; false: none was found. */
bool draw_sequence(struct draw *d, unsigned number, u32 pc, struct drawn *out);

#endif
