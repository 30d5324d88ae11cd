/* SPDX-License-Identifier: Apache-2.0 */
/* The engines: decoded code pages, the three ways to run them, and exact time. Private to cpu/.
 * Design and measurements: docs/design/cpu-engine.md. */
#ifndef CPU_ENGINE_ENGINE_H
#define CPU_ENGINE_ENGINE_H

#include "cpu/engine/slot.h"
#include "cpu/exec/body.h"
#include "cpu/exec/ops.h"
#include "cpu/insn/insn.h"

#define PAGE_SLOTS (BUS_PAGE_SIZE / 2)
/* Slots behind the page's end: for the rest of an instruction or IT block that begins in the page, and
 * one that leads to the next page. */
#define PAGE_TAIL 9
/* Slots behind those, each with an address in another page that branches of this one lead to. */
#define PAGE_EXITS 256
#define PAGE_ALL (PAGE_SLOTS + PAGE_TAIL + PAGE_EXITS)
#define CODE_PAGE_ALIGN 65536u
#define CODE_PAGE_VIEWS 6u   /* of one guest page, kept at a time */
#define CODE_PAGES_MAX 4096u /* decoded at a time; then all are dropped */
#define CODE_CHUNK 32u       /* pages whose memory is reserved together */

/* What is known of a slot beside the fast path. */
enum slot_info { INFO_OP = 0x0fff, INFO_ENDS = 0x1000, INFO_PAIRED = 0x2000, INFO_WIDE = 0x4000, INFO_KNOWN = 0x8000 };

/* Decoded view of one guest page. Slots of the tail lead to the next page unless they are known, exits to
 * the page of their address.
 * Aligned, so that a slot's address gives its page. A page that MPU or SAU regions cut has a view for each
 * set of granules that may be executed; nothing is decoded in the others. */
struct code_page {
	struct slot slots[PAGE_ALL]; /* first: found without an addition */
	u32 addr, phys_page, exits;
	u16 first_used, end_used; /* slots but exits that are not empty, or that branches lead to, lie between */
	slot_handler crossing; /* of the one slot that has handler_crossing; 0: none has */
	struct code_page *other; /* further views of the page; c->code has the one in use */
	u64 granules[2];         /* a bit per 32 bytes */
	u16 info[PAGE_ALL];
	u8 it[PAGE_ALL]; /* ITSTATE under which the slot was decoded */
	bool has_stubs; /* or shapes */
	bool has_links; /* code of other pages, or an indirect jump, goes straight to this one's */
	bool waits;     /* memory with wait states: what a slot names looks first whether its lines are there, and goes on `behind` */
	slot_handler behind[PAGE_ALL];
	union {
		i32 stub[PAGE_ALL];  /* where branches enter the slot in translated code (from slot_base); 0: none does */
		u32 shape[PAGE_ALL]; /* where instructions are observed, and nothing is translated: cpu/observed.h */
	};
};
_Static_assert(sizeof(struct code_page) <= CODE_PAGE_ALIGN, "page_of masks the address");

static inline struct code_page *page_of(const struct slot *s)
{
	return (struct code_page *)((uintptr_t)s & ~(uintptr_t)(CODE_PAGE_ALIGN - 1));
}
/* The slot of a guest address, which is in the page (bit 0 is ignored). */
static inline const struct slot *slot_of(const struct code_page *p, u32 addr)
{
	return (const struct slot *)((const char *)p->slots + (addr >> 1 & (PAGE_SLOTS - 1)) * (u32)sizeof(struct slot));
}
static inline bool slot_permitted(const struct code_page *p, unsigned index)
{
	return p->granules[index / 1024] >> (index / 16 % 64) & 1;
}
static inline unsigned slot_index(const struct code_page *p, const struct slot *s)
{
	return (unsigned)(s - p->slots);
}
/* Guest address of a slot. */
static inline u32 slot_address(const struct slot *s)
{
	unsigned i = slot_index(page_of(s), s);

	return i < PAGE_SLOTS + PAGE_TAIL ? page_of(s)->addr + i * 2 : s->imm;
}
/* True when slot i is no instruction: the way to the next page, or what may not be executed in this view. */
static inline bool leads_out(const struct code_page *p, unsigned i)
{
	return !(p->info[i] & INFO_KNOWN);
}

/* What a body's wrapper tells the engine. */
enum out {
	OUT_NEXT,
	OUT_SLOW,      /* nothing done: take the slow path */
	OUT_TAKEN, OUT_NOT_TAKEN, /* conditional branches */
	OUT_GO,        /* branches whose cost does not depend on the outcome */
	OUT_SKIP,      /* KIND_SKIP */
	OUT_JUMP,      /* KIND_JMP: to core.next_pc */
	OUT_SYS,       /* done; the run loop must look at everything, core.next_pc/next_it are set */
	OUT_FAULT,     /* abandoned; r[15] and epsr_it are what must be stacked */
};

/* Parameters of a handler: all in host registers. `left` is the budget still to be spent: cost
 * units << 16 | instructions. It is charged for a whole block when the block is entered. The fourth is in
 * the register that shifts need on x86-64: the flag that is used least. */
#define HANDLER_ARGS const struct slot *s, struct cpu *c, i32 left, u32 vf, u32 cf, i64 nz
#define HANDLER_PASS s, c, left, vf, cf, nz
typedef void handler_fn(HANDLER_ARGS);
/* How slots name handlers. */
ALWAYS_INLINE slot_handler handler_word(handler_fn *fn)
{
	return (slot_handler)((uintptr_t)fn - (uintptr_t)slot_base);
}
ALWAYS_INLINE handler_fn *handler_of(slot_handler word)
{
	uintptr_t base = (uintptr_t)slot_base;
#ifdef OPERANDS_ARE_HOLES /* stencils are not linked: a distance is all that can be written into them */
	__asm__("leaq slot_base(%%rip), %0" : "=r"(base));
#endif
	return (handler_fn *)(base + (uintptr_t)(intptr_t)word);
}

typedef enum out plain_fn(const struct slot *s, struct cpu *c, struct flags *f);

enum handler_variant { HANDLER_SINGLE, HANDLER_PRED, HANDLER_VARIANTS };

/* One operation, stamped: handlers by variant and length (0: 2 bytes, 1: 4 bytes; NULL where
 * there is none). */
struct op_code {
	handler_fn *handler[HANDLER_VARIANTS][2];
};
/* Its plain functions. `fast` includes the predicated twin; slow: or NULL (engine/plain.h). */
struct op_plain {
	plain_fn *fast, *slow;
};
extern const struct op_code op_codes_int[], op_codes_fp[], op_codes_mve[], op_codes_mve_float[];
extern const struct op_plain op_plain_int[], op_plain_fp[], op_plain_mve[], op_plain_mve_float[];

/* The entry of operation `op` in tables named so, which are one for each file of operations. */
#define OP_ENTRY(tables, op) \
	((op) < OP_FP_FIRST ? &tables##_int[op] : \
	 (op) < OP_MVE_FIRST ? &tables##_fp[(op) - OP_FP_FIRST] : \
	 (op) < OP_MVE_FLOAT_FIRST ? &tables##_mve[(op) - OP_MVE_FIRST] : &tables##_mve_float[(op) - OP_MVE_FLOAT_FIRST])
static inline const struct op_code *op_code(unsigned op) { return OP_ENTRY(op_codes, op); }
static inline const struct op_plain *op_plain(unsigned op) { return OP_ENTRY(op_plain, op); }

/* Handlers that no row has: engine/special.c. */
handler_fn handler_undecoded, handler_page_end, handler_uncached, handler_crossing, handler_break, handler_within, handler_within_again;
static inline bool slot_within(const struct slot *s)
{
	return s->handler == handler_word(handler_within) || s->handler == handler_word(handler_within_again);
}
/* By condition: IT that skips its block, the same when the block ends with a branch, IT that sets
 * the mask, one predicated instruction, the same when it ends the block. */
extern handler_fn *const handler_it_skip[16], *const handler_it_branch[16], *const handler_it_mask[16];
extern handler_fn *const handler_if[16], *const handler_if_end[16];
/* Cold continuations of handlers; go_fetch is the handler of slots, too. */
handler_fn go_fetch, go_slow, go_pred, go_advance, go_horizon, go_lookup, go_enter, go_alone, go_jump;

struct engine {
	struct insn_set *set;
	struct emit_memory *translated; /* engine/translate.h */
	u8 *pages[CODE_PAGES_MAX / CODE_CHUNK]; /* memory of decoded pages, CODE_CHUNK at a time */
	u32 pages_used;       /* of those, from the first */
	u64 period;           /* sched ticks per cycle */
	/* The current run: set by engine_begin, counted from there. */
	u64 cycles_base, insns_base, horizon_tick;
	u64 cpi_rest;         /* remainder of insns * mul / div */
	u64 budget;           /* cost units given to `left` */
	i64 left;             /* when no handler runs */
	bool capped;          /* the budget ends before the horizon */
	bool leave;           /* a slow path wants the run loop: code changed, stop asked */
	bool stop;            /* cpu_request_stop */
	bool bad_horizon;     /* left the tail engine because the block does not fit */
	bool step_next;       /* left the tail engine for one instruction of the stepping engine */
	bool scaled;          /* instructions take other than one cycle each (cpi_mul, cpi_div) */
	bool counting;        /* performance counters want events of instructions */
	u64 last_insn;        /* the run ends when so many instructions have been executed */
	u32 *breakpoint;      /* sorted */
	u32 breakpoint_count;
	u32 break_passed;     /* address + 1 of the breakpoint just reported, to step over it */
};

/* Groups of instructions that the configuration has: a bit per FEAT_. */
u32 engine_features(const struct cpu_config *k);
bool engine_new(struct cpu *c); /* sets c->engine; false: no host memory, or a clock that divides no tick */
void engine_free(struct cpu *c); /* may be called after a failed engine_new */
/* Runs at most until `tick`; returns when the run loop should look around. */
void engine_run(struct cpu *c, u64 tick);
/* Runs one instruction, whatever its cost. */
void engine_run_one(struct cpu *c);
/* Lets cycles pass that no instruction takes (exception entry), also in the middle of a run. */
void engine_charge(struct cpu *c, u32 cycles);
/* Caches were turned on or off: translated code was made for what was. */
void engine_caches_changed(struct cpu *c);
/* True when instructions can be outlined (struct cpu_outline): the fast engine runs, each takes a cycle. */
bool engine_outlines(const struct cpu *c);
/* True when a breakpoint stopped it. */
bool engine_at_breakpoint(const struct cpu *c);
/* Is there one at addr? */
bool engine_breaks_at(const struct engine *e, u32 addr);

/* --- inside engine/ --- */
/* Cycles that so many cost units are, where they are not the same. */
u64 engine_scaled(const struct cpu *c, u64 units);
/* Cycles and instructions since the core was made, when `left` is left. */
static inline void engine_time(const struct cpu *c, i64 left, u64 *cycle, u64 *number)
{
	const struct engine *e = c->engine;
	const u64 used = (u64)((i64)e->budget - (left >> 16));

	*cycle = e->cycles_base + (LIKELY(!e->scaled) ? used : engine_scaled(c, used));
	*number = e->insns_base + (0xffff - (u64)(left & 0xffff));
}
/* Makes core.cycles, core.insns and sched->now those of the moment when `left` is left. */
static inline void engine_sync(struct cpu *c, i64 left)
{
	engine_time(c, left, &c->core.cycles, &c->core.insns);
	const u64 tick = c->core.cycles * c->engine->period;
	if (tick > c->sched->now)
		c->sched->now = tick;
}
/* The budget ends in front of the horizon, with so much left: it gets another one, as the run loop would give it. False: nothing is done, and the
 * run loop has something to look at. */
bool engine_again(struct cpu *c, i64 left);
/* True when the fast path must be left after a slow operation. */
bool engine_must_leave(const struct cpu *c);
void engine_tail(struct cpu *c);
void engine_switch(struct cpu *c);
/* Instruction by instruction while any budget is left, `most` at most. */
void engine_step(struct cpu *c, u64 most);
/* Writes the flags to core.apsr. */
static inline void flags_spill(struct cpu *c, const struct flags *f)
{
	c->core.apsr = (c->core.apsr & 0x0fffffff) | flags_to_apsr(f);
}
/* Functions in handler files do not save the registers that their caller may expect to survive:
 * callers elsewhere say so to the compiler after each call. */
#if defined(ENGINE_FREE_REGISTERS)
#define AFTER_HANDLER_FILE() __asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15")
#else
#define AFTER_HANDLER_FILE() ((void)0)
#endif
/* Translated code takes one more, so this file has no frame pointer in builds with translated code. */
#if defined(ENGINE_TRANSLATES)
#define AFTER_TRANSLATED_CODE() __asm__ volatile("" ::: "rbx", "rbp", "r12", "r13", "r14", "r15")
#else
#define AFTER_TRANSLATED_CODE() AFTER_HANDLER_FILE()
#endif

/* Runs the slow twin of an operation with everything spilled: time, pc, flags, ITSTATE. */
enum out engine_slow(struct cpu *c, const struct slot *s, struct flags *f, unsigned op, u32 pc,
		     u32 next_pc, u8 it, i64 left);

/* Memory of the code pages; false: the host has none. */
bool code_init(struct cpu *c);
void code_exit(struct cpu *c);
/* End of a slow twin: a jump to any target. */
enum out run_slow_jump(struct cpu *c, u32 target);
/* Slots of the block at pc, decoding it if necessary; NULL: cannot be kept decoded (special
 * memory, or the fetch faults): must be stepped. */
const struct slot *code_lookup(struct cpu *c, u32 pc);
void code_drop_all(struct engine *e, struct cpu *c);
/* Forgets what was decoded of the page of addr, and what goes on into it. */
void code_forget(struct cpu *c, u32 addr);
/* False when slot s begins what goes on in the next page, and that page is not known to be executable
 * now: it must be stepped. */
static inline bool code_may_enter(const struct cpu *c, const struct slot *s)
{
	u32 next = (page_of(s)->addr >> BUS_PAGE_SHIFT) + 1;

	return s->handler != handler_word(handler_crossing) ||
	       (c->page_ok[next] & PAGE_EXEC && (!c->code[next] || slot_permitted(c->code[next], 0)));
}
/* True when slot s must be stepped because a breakpoint lies there, or in the IT block that it begins. */
static inline bool slot_breaks(const struct slot *s)
{
	const slot_handler break_here = handler_word(handler_break);

	return s->handler == break_here ||
	       (s->handler == handler_word(handler_crossing) && page_of(s)->crossing == break_here);
}
static inline u8 it_advance(u8 it) { return it & 7 ? (u8)((it & 0xe0) | (it << 1 & 0x1f)) : 0; }
/* Decodes the instruction at pc into *s with the operation's number in the result (enum op). */
struct decoded { u16 op; u8 length; };
struct decoded decode_one(const struct engine *e, const u16 *halfwords, u32 pc, bool in_it, struct slot *s);
/* Registers of an instruction, as bits: core registers by number, the flags, S registers; read in one of some stages (issue.c). */
#define OPERAND_STAGES 5
struct operands {
	u64 reads[OPERAND_STAGES], reads_any;
	u64 result, base; /* written: by the operation; an address, written back */
};
/* An instruction as the timing model sees it; op and slot as decoded, narrow: 16 bits long; paired: issued together with the
 * next; fixed: in an IT block. That may be resumed in its middle, so such instructions cost what they cost alone.
 * Only needed of several: operands, as timing_operands found them; step, until and hazards, as timing_meet did: cycles that k is issued in, and until
 * the i-th behind it may be issued, and a bit for each that must not be so two cycles later. */
#define TIMING_AHEAD 8 /* instructions that a cost depends on, with the one that is charged */
struct timed {
	const struct slot *s;
	u16 op;
	bool narrow, paired, fixed;
	u8 step, hazards, until[TIMING_AHEAD];
	struct operands operands;
};
/* Finds k's operands; nothing where the timing asks for none. */
void timing_operands(const struct cpu *c, struct timed *k);
/* Finds how long k keeps the n - 1 instructions behind it, in the same way. */
void timing_meet(const struct cpu *c, struct timed *k, unsigned n);
/* True when k is issued together with the next one. */
bool timing_pairs(const struct cpu *c, const struct timed *k, const struct timed *next);
/* Cost units of the first of n instructions, 1 to TIMING_AHEAD, that follow each other; n is 1 where it is the last of its block,
 * which costs at least 1. After a loop end come the first ones of the loop. */
u32 timing_cost(const struct cpu *c, const struct timed *k, unsigned n);
/* Cost units that a taken conditional branch takes more than an untaken one. */
u32 timing_taken_extra(const struct cpu *c);
/* PACBTI-M: instructions that an indirect branch may lead to while BTI is enabled. */
static inline bool is_landing_pad(unsigned op) { return op == OP_bti || op == OP_pac_bti || op == OP_sg; }

/* What must be known before an instruction is executed to count its events (engine/count.c):
 * execution may change its predicate and even its slot. */
struct counted {
	struct slot slot;
	u32 units;           /* cost */
	u16 op;
	u8 predicated;       /* halves of the vectors that have inactive lanes */
};
/* Counts the cycles for which a fetch held the core. */
void count_fetch(struct cpu *c, u32 units);
void count_before(const struct cpu *c, unsigned op, const struct slot *s, u32 units, struct counted *out);
/* Counts the events of an instruction that was executed. */
void count_retired(struct cpu *c, const struct counted *k, enum out out);

#endif
