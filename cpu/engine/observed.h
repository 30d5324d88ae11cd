/* SPDX-License-Identifier: Apache-2.0 */
/* What the engines tell observers. Private to engine/. */
#ifndef CPU_ENGINE_OBSERVED_H
#define CPU_ENGINE_OBSERVED_H

#include "cpu/engine/engine.h"
#include "cpu/observed.h"

/* In place of the handler of what ends a block, while somebody follows the course: does what it does and tells
 * where the program goes on. */
handler_fn handler_observed_end;
/* Behind a direct branch in translated code that is taken, and behind a jump to core.next_pc: tells it, and goes there. `s` is its slot. */
handler_fn handler_observed_taken, handler_observed_jumped;

/* Puts it into the slots of a block just decoded. */
void observed_mark_ends(struct code_page *p, const u16 *list, unsigned n);
/* It is there. */
static inline bool observed_marked(const struct code_page *p, unsigned i)
{
	return p->slots[i].handler == handler_word(handler_observed_end);
}

/* The stepping engine: around an instruction whose effects somebody wants. */
struct observed_instruction { const struct slot *s; u32 pc; u16 op; u8 length; bool executed; };
void observed_instruction_begins(struct cpu *c, const struct observed_instruction *k);
/* Time and registers are spilled. */
void observed_instruction_ends(struct cpu *c, const struct observed_instruction *k);

/* True when the operation must be made by its slow twin, which tells each access. */
static inline bool observed_asks_slow(const struct cpu *c, unsigned op)
{
	return c->observed && c->observed->recording && op_infos[op].uses & (R_MEM | W_MEM);
}

/* An instruction of the stepping or switch engine has been done and `left` is what is left after it; `next`: where the
 * program goes on, or OBSERVED_ABANDONED. */
#define OBSERVED_ABANDONED 1u
void observed_done(struct cpu *c, unsigned op, const struct slot *s, u32 pc, u32 end, u32 next, i64 left);

#endif
