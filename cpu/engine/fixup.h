/* SPDX-License-Identifier: Apache-2.0 */
/* Branches in translated code to what is not laid yet. Private to engine/. */
#ifndef CPU_ENGINE_FIXUP_H
#define CPU_ENGINE_FIXUP_H

#include "cpu/engine/emit.h"

#define FIXUPS 128
#define FIXUPS_SKIPS 8 /* at most the instructions of one IT block */

/* number 0: a distance of four bytes at `at.hot`. Else: stencil `number`, laid at `at`, whose exit `symbol` (HOLE_TAKEN, HOLE_GO) is to lead to a slot. A skip is a branch in an IT block: it
 * pays for nothing and leads nowhere yet; the others pay, and lead to a stub until they lead straight to the slot. */
struct fixup { struct emit_place at; u16 number, slot; u8 symbol; bool skips; };
struct fixups { struct fixup list[FIXUPS]; unsigned count, skips; };

/* Remembers a branch; without room for more one that is no skip keeps its stub. */
void fixups_add(struct fixups *f, const struct fixup *branch);
/* What is laid next is slot i: the branches to it that are skips, or are not, lead here. */
void fixups_resolve(struct fixups *f, struct emit_memory *m, unsigned i, bool skips);

#endif
