/* SPDX-License-Identifier: Apache-2.0 */
/* How decoded code comes about: pages of slots (code.c), instructions and IT blocks into slots (decode.c), blocks with
 * their costs and sequences (block.c). Private to these three. */
#ifndef CPU_ENGINE_CODE_H
#define CPU_ENGINE_CODE_H

#include "cpu/engine/fuse.h"

static inline slot_handler handler_word(handler_fn *fn)
{
	return (slot_handler)(uintptr_t)fn;
}

static inline unsigned next_index(const struct code_page *p, unsigned i)
{
	return i + (p->info[i] & INFO_WIDE ? 2 : 1);
}

static inline struct fuse_at at_slot(const struct code_page *p, unsigned i)
{
	return (struct fuse_at){ &p->slots[i], p->info[i] & INFO_OP, p->info[i] & INFO_WIDE ? 4 : 2 };
}

/* From now on a write to this memory is reported. */
void code_mark(struct cpu *c, u32 phys_page);
/* Decodes the instruction at slot `first`, with an IT its block; returns the slot after it, or 0 when
 * it must be stepped. */
unsigned decode_unit(struct cpu *c, struct code_page *p, unsigned first);
/* Decodes the block at slot `index` and those behind its conditional branches, which may be fused with it. */
void code_decode_block(struct cpu *c, struct code_page *p, unsigned index);

#endif
