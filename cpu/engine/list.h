/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of registers (PUSH, POP, LDM, STM) in translated code. Private to engine/. */
#ifndef CPU_ENGINE_LIST_H
#define CPU_ENGINE_LIST_H

#include "cpu/engine/emit.h"

/* True for lists that are laid out register by register; the others are handlers. */
bool list_is_laid(const struct cpu *c, unsigned op, const struct slot *s);
/* One that loads pc. */
bool list_jumps(unsigned op);
/* Lays the list of slot s, whose values are *v. HOLE_GO: who is told where it jumps; 0: it jumps. */
void list_lay(const struct cpu *c, struct emit_memory *m, unsigned op, const struct slot *s, const struct emit_values *v);

#endif
