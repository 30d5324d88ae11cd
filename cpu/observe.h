/* SPDX-License-Identifier: Apache-2.0 */
/* What the core does, told to whoever listens: each instruction with its effects, or only the course of the
 * program (what is not straight on). Results never depend on who listens; nothing listening costs nothing.
 *
 * The course keeps most of the speed; whole instructions are executed one by one, by plain functions. */
#ifndef CPU_OBSERVE_H
#define CPU_OBSERVE_H

#include "cpu/cpu.h"

/* One access to memory or a device that an instruction made. */
struct cpu_access {
	u32 addr, value;
	u32 before;  /* stores to memory: what lay there */
	u8 bytes;    /* 1, 2 or 4 */
	bool write;
	bool memory; /* plain memory: `before` is known */
};

/* A register, as in cpu_get_reg, and its value. */
struct cpu_value { u16 reg; u32 value; };

enum { CPU_RECORD_READS = 8, CPU_RECORD_WRITES = 64, CPU_RECORD_ACCESSES = 64 };

/* One instruction. Core registers are those that the instruction table names; other registers that were
 * written (status, system, floating point and vectors) are listed when their value changed. */
struct cpu_record {
	u64 cycle, number;     /* after it: clock cycles and instructions since the core was made */
	u32 pc, encoding;      /* first halfword in the high half when length is 4 */
	const char *operation; /* of the instruction table: encodings that do the same share it */
	u8 length;             /* 2 or 4 */
	bool executed;         /* false: its condition in an IT block did not hold */
	bool abandoned;        /* a fault or call to the supervisor takes its place */
	bool secure, handler;  /* state before it */
	u8 reads, writes, accesses;
	struct cpu_value read[CPU_RECORD_READS], write[CPU_RECORD_WRITES];
	struct cpu_access access[CPU_RECORD_ACCESSES];
};

/* Why the course is not straight on. */
enum cpu_turn {
	CPU_TURN_BRANCH,
	CPU_TURN_CALL,    /* BL, BLX, BLXNS */
	CPU_TURN_RETURN,  /* BX LR and pops of PC, function returns between Security states included */
	CPU_TURN_ENTRY,   /* an exception is taken, where the program was or, `tail`, from another's end */
	CPU_TURN_EXIT,    /* exception return */
	CPU_TURN_SLEEP,   /* time passes between two instructions */
	CPU_TURN_MOVED,   /* reset, debugger */
};

struct cpu_course {
	enum cpu_turn turn;
	u32 start, end; /* executed since the record before: [start, end), conditional instructions included */
	u32 at;         /* the branch, which ends at `end`; ENTRY, SLEEP, MOVED: 0 */
	u32 to;         /* next instruction */
	u32 sp;         /* there */
	u32 sp_before;  /* ENTRY: of what is interrupted */
	u16 exception;  /* ENTRY: number */
	bool tail;      /* ENTRY */
	bool secure;    /* at `to` */
	u64 cycle, number; /* at the end of [start, end); an exception's entry costs what follows it */
	u64 until;      /* SLEEP: cycle at which it ends */
};

/* A function that has been entered and not left, as an observer keeps it. */
struct cpu_frame {
	u32 context;
	u32 back;       /* address that it returns to; of an exception: where the interrupted program goes on */
	u32 sp;         /* stack pointer at its entry; of an exception: of the interrupted program */
	u32 low;        /* the observer's own */
	bool exception;
};
/* Does a function that goes on at `to` with that stack pointer leave it? */
static inline bool cpu_frame_ends(const struct cpu_frame *f, u32 to, u32 sp)
{
	return f->back == to && sp >= f->sp;
}

/* Turns that come again and again. An observer that only counts may lend a table: a branch, call or return that finds its entry there,
 * with the table's context, is counted in it and not told. The next record that is told comes when anything else happens; all that
 * was counted in `touched` entries lies before it. Nothing is counted while others follow the course.
 *
 * An entry of a call has the context that it leads to: a frame is put on, if there is room. One of a return takes the topmost frame
 * off if it goes back there: the context is that of the frame below. */
enum { CPU_REPEATS = 1 << 12 };
#define CPU_REPEAT_STAYS 0u
#define CPU_REPEAT_RETURNS UINT32_MAX
struct cpu_repeat {
	u64 count;
	u32 context, start, end, to; /* end 0: unused */
	u32 tag;                     /* the observer's own */
	u32 leads;                   /* a context, or one of the above */
};
struct cpu_repeats {
	struct cpu_repeat entry[CPU_REPEATS];
	u16 touched[CPU_REPEATS]; /* entries whose count is not 0 */
	u32 touched_count, context;
	struct cpu_frame *frame;   /* functions entered, the outermost first */
	u32 depth, low, room;      /* frames that there are, that returns leave alone, that may be */
	bool stale; /* code has changed: nothing is counted until the observer has emptied the table and taken this back */
};
/* The place of a branch in the table. */
static inline struct cpu_repeat *cpu_repeat_place(struct cpu_repeats *r, u32 start, u32 end, u32 to)
{
	const u32 x = (start + 3 * to + 5 * end) * 0x85ebca6bu; /* ready before the context is, which comes from the entry before */

	return &r->entry[(x >> 20 ^ r->context * 0x9e5u) & (CPU_REPEATS - 1)];
}

/* An instruction that may be executed from now on, as it was decoded. */
struct cpu_code { u32 pc, encoding; u8 length, it; };

/* For an observer that can execute instructions again (cpu/again.h): those that follow from the registers, the code and the values that
 * they load are not told to `instruction`, nor branches to `course`. All are told while others follow either, by other engines than the
 * fast one, and where instructions take other than one cycle. It belongs to who observes. */
struct cpu_outline {
	u8 *loaded; /* where the next bytes go that an instruction loads which is not told; `begins` makes room for CPU_OUTLINE_ROOM */
	void (*code)(void *ctx, const struct cpu_code *code, unsigned count, u64 number);
	void (*begins)(void *ctx, bool moved);      /* a piece of the run; `moved`: registers may have been changed from outside */
	void (*executed)(void *ctx, u64 number);    /* so many, since the core was made; those that were not told went before what is told next */
};
enum { CPU_OUTLINE_ROOM = 1 << 22 };

struct cpu_observer {
	void (*instruction)(void *ctx, const struct cpu_record *r); /* NULL: not wanted, as the others */
	void (*course)(void *ctx, const struct cpu_course *t);
	void (*irq)(void *ctx, unsigned number, bool level, u64 tick); /* external interrupt lines, when they change */
	struct cpu_outline *outline; /* NULL: all instructions are wanted */
	struct cpu_repeats *repeats; /* belongs to who observes; NULL: none */
	void *ctx;
	bool reads; /* records have the registers that were read, too */
	bool brief; /* for some hundred instructions: they are stepped, and decoded code stays as it is */
};

enum { CPU_OBSERVERS = 24 };

/* Adds an observer, which is copied; not from inside a callback. False: there are CPU_OBSERVERS, or host memory is short. */
bool cpu_observe(struct cpu *c, const struct cpu_observer *o);
/* Takes the observer with that ctx away. */
void cpu_unobserve(struct cpu *c, const void *ctx);
/* Kinds of instructions. */
enum cpu_work {
#define WORK(id, name, first, last) CPU_WORK_##id,
#include "cpu/work.def"
#undef WORK
	CPU_WORKS
};

/* What is known of an instruction without executing it. */
struct cpu_instruction {
	u16 units;   /* cost as the timing has it in its place, without what a taken branch takes */
	u8 length;   /* 2 or 4 */
	bool branch; /* it may go elsewhere */
	u8 work;     /* enum cpu_work */
};
struct cpu_instruction cpu_instruction_at(struct cpu *c, u32 pc);
/* Ends the course's present piece with a CPU_TURN_MOVED record, so that all that was executed has been told. */
void cpu_observe_flush(struct cpu *c);

#endif
