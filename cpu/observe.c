/* SPDX-License-Identifier: Apache-2.0 */
/* Observers, and what the system side of the core tells them. */
#include "cpu/observed.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/engine/engine.h"
#include "cpu/sys/sys.h"

/* The one observer whose outline is enough, NULL: there is none. */
static const struct cpu_observer *outliner(const struct cpu *c)
{
	const struct observed *o = c->observed;
	const struct cpu_observer *found = NULL;
	bool alone = engine_outlines(c);

	for (unsigned i = 0; i < o->count; i++) {
		const struct cpu_observer *k = &o->list[i];

		if (k->outline && !found)
			found = k;
		else if ((k->instruction && !k->brief) || k->course)
			alone = false;
	}
	return alone ? found : NULL;
}

static void wanted(struct cpu *c)
{
	struct observed *o = c->observed;
	const struct cpu_observer *outlined = outliner(c);
	const struct cpu_outline *before = o->outline;
	const bool course = o->course;
	const bool each = o->instructions && !o->brief;
	unsigned followers = 0;

	o->outline = outlined ? outlined->outline : NULL;
	o->outline_ctx = outlined ? outlined->ctx : NULL;
	o->instructions = o->course = o->irqs = o->reads = o->stepped = false;
	o->brief = true;
	o->repeats = NULL;
	for (unsigned i = 0; i < o->count; i++) {
		o->instructions |= o->list[i].instruction != NULL;
		o->reads |= o->list[i].reads;
		o->brief &= !o->list[i].instruction || o->list[i].brief;
		o->stepped |= outlined && &o->list[i] != outlined && o->list[i].instruction;
		o->course |= o->list[i].course && &o->list[i] != outlined;
		o->irqs |= o->list[i].irq != NULL;
		followers += o->list[i].course != NULL;
		o->repeats = o->list[i].repeats ? o->list[i].repeats : o->repeats;
	}
	if (followers != 1)
		o->repeats = NULL;
	if (before != o->outline || course != o->course || each != (o->instructions && !o->brief)) /* blocks are decoded with or without what tells */
		code_drop_all(c->engine, c);
	c->engine->leave = true;
}

bool cpu_observe(struct cpu *c, const struct cpu_observer *o)
{
	if (!c->observed) {
		c->observed = calloc(1, sizeof(*c->observed));
		if (!c->observed)
			return false;
		c->observed->start = c->observed->next = c->core.r[15];
		c->observed->stopped = c->core.insns;
	}
	if (c->observed->count == CPU_OBSERVERS)
		return false;
	c->observed->list[c->observed->count++] = *o;
	wanted(c);
	return true;
}

void cpu_unobserve(struct cpu *c, const void *ctx)
{
	struct observed *o = c->observed;
	unsigned kept = 0;

	if (!o)
		return;
	for (unsigned i = 0; i < o->count; i++)
		if (o->list[i].ctx != ctx)
			o->list[kept++] = o->list[i];
	o->count = kept;
	wanted(c);
	if (kept)
		return;
	free(o);
	c->observed = NULL;
}

void observed_pending(struct cpu *c, u32 at, u32 end, u64 cycle, u64 number)
{
	struct observed *o = c->observed;

	o->is_pending = false;
	o->pending.at = at;
	o->pending.end = end;
	observed_course(c, &o->pending, cycle, number);
}

/* Outside an instruction at once, inside when it is done. */
static void tell(struct cpu *c, struct cpu_course *t, u64 cycle)
{
	struct observed *o = c->observed;

	if (!o->course && !o->outline)
		return;
	if (!o->in_operation) {
		observed_course(c, t, cycle, c->core.insns);
		return;
	}
	o->pending = *t;
	o->is_pending = true;
}

void observed_entry_begins(struct cpu *c)
{
	c->observed->entry_cycle = c->core.cycles;
	c->observed->entry_sp = c->core.r[13];
}

void observed_entered(struct cpu *c, u32 end, u32 to, unsigned exception, bool tail)
{
	struct cpu_course t = { .turn = CPU_TURN_ENTRY, .end = end, .to = to, .exception = (u16)exception, .tail = tail,
				.sp_before = c->observed->entry_sp };

	c->observed->next = to;
	tell(c, &t, c->observed->entry_cycle);
}

void observed_left(struct cpu *c, u32 to)
{
	struct cpu_course t = { .turn = CPU_TURN_EXIT, .to = to };

	c->observed->next = to;
	tell(c, &t, c->core.cycles);
}

void observed_left_thumb(struct cpu *c, u32 to)
{
	struct cpu_course t = { .turn = CPU_TURN_BRANCH, .to = to };

	c->observed->next = to;
	tell(c, &t, c->core.cycles);
}

void observed_slept(struct cpu *c, u64 until)
{
	struct cpu_course t = { .turn = CPU_TURN_SLEEP, .end = c->core.r[15], .to = c->core.r[15], .until = until };

	tell(c, &t, c->core.cycles);
}

void observed_resumes(struct cpu *c)
{
	struct observed *o = c->observed;
	struct cpu_course t = { .turn = CPU_TURN_MOVED, .end = o->next, .to = c->core.r[15] };

	const bool moved = c->core.r[15] != o->next;

	if (moved)
		tell(c, &t, c->core.cycles);
	if (o->outline)
		o->outline->begins(o->outline_ctx, moved || o->touched || c->core.insns != o->stopped);
	o->touched = false;
}

void cpu_observe_flush(struct cpu *c)
{
	struct cpu_course t = { .turn = CPU_TURN_MOVED, .end = c->core.r[15], .to = c->core.r[15] };

	if (c->observed)
		tell(c, &t, c->core.cycles);
}

void observed_irq(struct cpu *c, unsigned number, bool level)
{
	struct observed *o = c->observed;

	for (unsigned i = 0; i < o->count; i++)
		if (o->list[i].irq)
			o->list[i].irq(o->list[i].ctx, number, level, c->sched->now);
}

void observed_access(struct cpu *c, const struct cpu_access *a)
{
	struct cpu_record *r = &c->observed->record;

	if (c->observed->recording && r->accesses < CPU_RECORD_ACCESSES)
		r->access[r->accesses++] = *a;
}

/* What is loaded again comes from who observed it. */
static void give(struct cpu *c, u32 addr, size_t bytes)
{
	struct observed *o = c->observed;

	if ((size_t)(o->given_end - o->given) < bytes) {
		o->given_short = true;
		return;
	}
	memcpy(c->mem + addr, o->given, bytes);
	o->given += bytes;
}

void observed_direct(struct cpu *c, u32 addr, unsigned bytes, unsigned count, const void *written)
{
	struct cpu_record *r = &c->observed->record;
	struct cpu_outline *outline = c->observed->outline;

	if (!c->observed->recording && outline && !written) {
		memcpy(outline->loaded, c->mem + addr, (size_t)bytes * count);
		outline->loaded += (size_t)bytes * count;
	}
	if (!c->observed->recording)
		return;
	if (c->observed->given && !written)
		give(c, addr, (size_t)bytes * count);
	for (unsigned i = 0; i < count && r->accesses < CPU_RECORD_ACCESSES; i++, addr += bytes) {
		struct cpu_access *a = &r->access[r->accesses++];

		*a = (struct cpu_access){ .addr = addr, .bytes = (u8)bytes, .write = written != NULL, .memory = written != NULL };
		memcpy(written ? &a->before : &a->value, c->mem + addr, bytes);
		if (written)
			memcpy(&a->value, (const u8 *)written + i * bytes, bytes);
	}
}

u32 observed_before(struct cpu *c, u32 addr, unsigned bytes, bool *memory)
{
	const u8 both = c->page_ok[addr >> BUS_PAGE_SHIFT] & c->page_ok[(addr + bytes - 1) >> BUS_PAGE_SHIFT];
	u32 value = 0;

	*memory = false;
	if (!c->observed->recording)
		return 0;
	if (LIKELY(both & PAGE_WRITE && addr <= addr + (bytes - 1))) {
		*memory = true;
		memcpy(&value, c->mem + addr, bytes);
		return value;
	}
	*memory = cpu_peek(c, addr, &value, bytes);
	return value;
}
