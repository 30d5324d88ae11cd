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

/* In place of every handler, while somebody observes instructions. */
handler_fn handler_observed_each;
/* In an outline: in place of what loads, and of what is left to the stepping engine, which tells it. */
handler_fn handler_observed_load, handler_observed_step;
/* Is it told where others are only outlined: it has effects beyond registers, flags and memory, depends on more than these, or its plain function
 * accesses memory otherwise than it is told. */
bool observed_tells(unsigned op);

/* Puts them into the slots of a block just decoded. */
void observed_mark_ends(struct code_page *p, const u16 *list, unsigned n);
void observed_mark_each(struct code_page *p, const u16 *list, unsigned n);
void observed_mark_outline(struct cpu *c, struct code_page *p, const u16 *list, unsigned n);
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

/* What is about to be executed can be read where it lies, unless it goes on in another page. */
static inline u32 observed_encoding(struct cpu *c, u32 pc, unsigned length)
{
	u16 halfwords[2] = { 0, 0 };

	if (UNLIKELY(!c->bus)) /* cpu/again.h: whoever has it executed again knows it */
		return 0;
	if (LIKELY(c->page_ok[pc >> BUS_PAGE_SHIFT] & PAGE_EXEC && (pc & (BUS_PAGE_SIZE - 1)) <= BUS_PAGE_SIZE - 4))
		memcpy(halfwords, c->mem + pc, sizeof halfwords);
	else
		cpu_peek(c, pc, halfwords, length);
	return length == 4 ? (u32)halfwords[0] << 16 | halfwords[1] : halfwords[0];
}

/* The record's part that is known before. */
static inline void observed_head(struct cpu *c, const struct observed_instruction *k)
{
	struct cpu_record *r = &c->observed->record;

	r->pc = k->pc;
	r->encoding = observed_encoding(c, k->pc, k->length);
	r->operation = op_infos[k->op].name;
	r->length = k->length;
	r->executed = k->executed;
	r->secure = c->core.secure;
	r->handler = c->core.ipsr != 0;
	r->reads = r->writes = r->accesses = 0;
	r->abandoned = true;
}

static inline void observed_write(struct cpu_record *r, u16 reg, u32 value)
{
	if (r->writes < CPU_RECORD_WRITES)
		r->write[r->writes++] = (struct cpu_value){ reg, value };
}

/* The record is complete, time is spilled. */
static inline void observed_tell(struct cpu *c)
{
	struct observed *o = c->observed;

	o->recording = false;
	o->record.cycle = c->core.cycles;
	o->record.number = c->core.insns;
	for (unsigned i = 0; i < o->count; i++)
		if (o->list[i].instruction)
			o->list[i].instruction(o->list[i].ctx, &o->record);
}

/* True when the operation must be made by its slow twin: the fast one accesses memory otherwise than it is told. */
static inline bool observed_asks_slow(const struct cpu *c, unsigned op)
{
	return c->observed && c->observed->recording && op_infos[op].uses & INTERLEAVES;
}

/* An instruction of the stepping or switch engine has been done and `left` is what is left after it; `next`: where the
 * program goes on, or OBSERVED_ABANDONED. */
#define OBSERVED_ABANDONED 1u
void observed_done(struct cpu *c, unsigned op, const struct slot *s, u32 pc, u32 end, u32 next, i64 left);

#endif
