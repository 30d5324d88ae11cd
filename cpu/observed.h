/* SPDX-License-Identifier: Apache-2.0 */
/* How the core's parts tell observers (cpu/observe.h). Private to cpu/. struct cpu.observed is NULL while nobody
 * listens: callers ask that first. */
#ifndef CPU_OBSERVED_H
#define CPU_OBSERVED_H

#include "cpu/observe.h"
#include "cpu/state.h"

enum { OBSERVED_SYSTEM = 12 };

/* What is known of a decoded instruction, in a word: the core registers that its operation's row says are written, a bit each, bit 15
 * the flags; and whether it changes no others than these, SP, LR and the flags. */
enum { SHAPE_ROW = 0xffff, SHAPE_NAMED = 0x10000 };

/* Registers before an instruction; those of floating point and of the system only where it may change them. */
struct observed_state {
	u32 row;           /* core registers that the operation writes by its row, a bit each; bit 15: the flags */
	u32 may;           /* and all that it may write; 0: any */
	u32 core[16];      /* of these; the flags in place of r15 */
	u32 fp[32];        /* S0 to S31 */
	u32 others[2];     /* FPSCR, VPR */
	u32 system[OBSERVED_SYSTEM];
};

struct observed {
	struct cpu_observer list[CPU_OBSERVERS];
	unsigned count;
	bool instructions, course, irqs; /* somebody wants them */
	bool reads, brief;       /* of those who want instructions: any, all */
	bool stepped;            /* there is an outline, and others want each instruction for a short while */
	bool touched;            /* registers were set from outside */
	struct cpu_outline *outline; /* NULL: each instruction is told */
	void *outline_ctx;
	const u8 *given, *given_end; /* what is executed again loads from here; NULL: it is executed for the first time */
	bool given_short;        /* and wanted more than there is */
	bool recording;          /* an instruction is being executed: accesses go to `record` */
	bool in_operation;       /* an instruction may take or leave an exception: `pending` is told after it */
	bool is_pending;
	struct cpu_course pending;
	struct cpu_record record;
	struct observed_state before;
	u32 start;               /* of the straight piece that is being executed */
	u32 next;                /* where the engine stopped last */
	u64 stopped;             /* and the instructions until then */
	struct cpu_repeats *repeats; /* of the only one who follows the course; NULL: none */
	u64 entry_cycle;         /* of the exception that is being taken: when it began, and the stack pointer then */
	u32 entry_sp;
};

/* cpu_load and cpu_store succeeded. */
void observed_access(struct cpu *c, const struct cpu_access *a);
/* What is about to be accessed without them: `count` times `bytes` from addr on, open to it; `written` is what is about to be stored
 * there, NULL for loads. */
void observed_direct(struct cpu *c, u32 addr, unsigned bytes, unsigned count, const void *written);
/* The word that a store is about to replace. */
u32 observed_before(struct cpu *c, u32 addr, unsigned bytes, bool *memory);

/* exception.c: entry begins; the handler is entered; the return is done. */
void observed_entry_begins(struct cpu *c);
void observed_entered(struct cpu *c, u32 end, u32 to, unsigned exception, bool tail);
void observed_left(struct cpu *c, u32 to);
/* A branch to `to` is done that clears EPSR.T: the fault comes there. */
void observed_left_thumb(struct cpu *c, u32 to);
/* The clock of a sleeping core jumps. */
void observed_slept(struct cpu *c, u64 until);
void observed_irq(struct cpu *c, unsigned number, bool level);
/* Execution goes on at r15, wherever it stopped. */
void observed_resumes(struct cpu *c);
/* It stops there. */
static inline void observed_stops(struct cpu *c)
{
	c->observed->next = c->core.r[15];
	c->observed->stopped = c->core.insns;
}
/* Registers are set from outside. */
static inline void observed_touched(struct cpu *c)
{
	if (c->observed)
		c->observed->touched = true;
}
/* Is what instructions do only outlined? */
static inline bool observed_outlined(const struct cpu *c) { return c->observed && c->observed->outline; }

/* A piece of the course that ends with `t`: time and `start` are filled in. Here, because every taken branch does it. */
static inline void observed_course(struct cpu *c, struct cpu_course *t, u64 cycle, u64 number)
{
	struct observed *o = c->observed;

	t->start = o->start;
	t->cycle = cycle;
	t->number = number;
	t->secure = c->core.secure;
	t->sp = c->core.r[13];
	o->start = t->to;
	for (unsigned i = 0; i < o->count; i++)
		if (o->list[i].course)
			o->list[i].course(o->list[i].ctx, t);
}

/* A frame is put on or taken off; false: it cannot be done here. */
ALWAYS_INLINE bool observed_moves(struct cpu_repeats *r, const struct cpu_repeat *e, u32 end, u32 to, u32 sp)
{
	if (e->leads != CPU_REPEAT_RETURNS) {
		if (r->depth >= r->room)
			return false;
		r->frame[r->depth++] = (struct cpu_frame){ .context = e->leads, .back = end, .sp = sp, .low = r->low };
		r->context = e->leads;
		return true;
	}
	const struct cpu_frame *top = &r->frame[r->depth - 1];

	if (r->depth <= r->low || r->depth < 2 || !cpu_frame_ends(top, to, sp) || cpu_frame_ends(top - 1, to, sp))
		return false;
	r->depth--;
	r->context = r->frame[r->depth - 1].context;
	return true;
}

/* The course goes on at `to`, by a branch that ends at `end`: true when it needs not be told, because it is counted. */
ALWAYS_INLINE bool observed_repeats(struct observed *o, u32 end, u32 to, u32 sp)
{
	struct cpu_repeats *r = o->repeats;

	if (!r || r->stale)
		return false;
	struct cpu_repeat *e = cpu_repeat_place(r, o->start, end, to);
	if (e->start != o->start || e->end != end || e->to != to || e->context != r->context)
		return false;
	if (e->leads != CPU_REPEAT_STAYS && !observed_moves(r, e, end, to, sp))
		return false;
	if (!e->count++)
		r->touched[r->touched_count++] = (u16)(e - r->entry);
	o->start = to;
	return true;
}

/* Decoded code is forgotten. */
static inline void observed_code_changes(struct cpu *c)
{
	if (c->observed && c->observed->repeats)
		c->observed->repeats->stale = true;
}

/* The slow twin of an operation does it from its beginning. */
static inline void observed_slow_begins(struct observed *o)
{
	o->in_operation = true;
	o->record.accesses = 0;
}

/* The operation is done during which something was left pending (is_pending): tells that. */
void observed_pending(struct cpu *c, u32 at, u32 end, u64 cycle, u64 number);

#endif
