/* SPDX-License-Identifier: Apache-2.0 */
/* How decoded code comes about: pages of slots (code.c), instructions and IT blocks into slots (decode.c), blocks with
 * their costs (block.c). Private to these three. */
#ifndef CPU_ENGINE_CODE_H
#define CPU_ENGINE_CODE_H

#include "cpu/engine/engine.h"
#include "cpu/sys/caches.h"

static inline unsigned next_index(const struct code_page *p, unsigned i)
{
	return i + (p->info[i] & INFO_WIDE ? 2 : 1);
}

/* Something is about to be kept of slot i, which is no exit. */
static inline void slot_used(struct code_page *p, unsigned i)
{
	p->first_used = i < p->first_used ? (u16)i : p->first_used;
	p->end_used = i >= p->end_used ? (u16)(i + 1) : p->end_used;
}

/* Lines (cpu/sys/caches.h) in which the instruction at slot i begins and ends. */
static inline u32 line_first(const struct code_page *p, unsigned i) { return (p->addr + 2 * i) / CACHE_LINE; }
static inline u32 line_last(const struct code_page *p, unsigned i)
{
	return (p->addr + 2 * next_index(p, i) - 1) / CACHE_LINE;
}

/* From now on a write to this memory is reported. */
void code_mark(struct cpu *c, u32 phys_page);
/* Decodes the instruction at slot `first`, with an IT its block; returns the slot after it, or 0 when
 * it must be stepped. */
unsigned decode_unit(struct cpu *c, struct code_page *p, unsigned first);
/* True for kinds of operations (enum op_kind) that end a block. */
bool kind_ends_block(unsigned kind);
/* Where memory has wait states: what is not translated looks first whether its line is there. */
void code_watch_fetches(struct code_page *p, const u16 *list, unsigned n);
/* What such a look goes on with, or else the slot's handler. */
static inline slot_handler *slot_behind(struct code_page *p, unsigned i) { return p->waits ? &p->behind[i] : &p->slots[i].handler; }
/* Decodes the block at slot `index` and those behind its conditional branches, and translates them. */
void code_decode_block(struct cpu *c, struct code_page *p, unsigned index);

#endif
