/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that are laid as host instructions of their own, with guest registers in host registers. Private to
 * engine/. */
#ifndef CPU_ENGINE_DIRECT_H
#define CPU_ENGINE_DIRECT_H

#include "cpu/engine/emit.h"
#include "cpu/engine/hold.h"
#include "cpu/engine/window.h"
#include "cpu/state.h"

#include <stddef.h>

#define DIRECT_JUMPS 48

/* A jump or address in the code being laid that is still to be filled: it leads to the cold part's byte `to`, back to the hot part's, or to
 * an address of the program. */
enum direct_part { DIRECT_HOT, DIRECT_COLD, DIRECT_AWAY };
struct direct_jump { u16 at; bool in_cold; u8 part; uintptr_t to; };

/* An instruction whose flags are not computed, as others take their place before anybody sees them: who leaves before computes them. */
struct direct_flags { u16 op; const struct slot *slot; };
#define DIRECT_FLAGS 4u

/* The loop being laid: its head, where its code is, and what host registers hold there. NULL: none. */
struct direct_loop { const struct slot *head; struct hold hold; };

/* What accesses may cost: nothing but in the ITCM; what lines say (cpu.lines); the same for each beat that goes past the caches, while these are
 * off (cpu/sys/pay.h). Who finds that it is not so leaves, so that it only matters which is fast. */
enum direct_cost { COST_NOTHING, COST_LINES, COST_PAYS };

/* The instruction being laid, and what host registers hold. */
struct direct {
	struct hold hold;
	struct host_code hot, cold;
	struct direct_jump jump[DIRECT_JUMPS];
	unsigned jumps;
	const struct slot *slot;
	uintptr_t plain; /* the instruction's handler, for what is refused */
	uintptr_t told;  /* where an indirect jump goes that somebody is told of; 0: to its target */
	u8 cost;         /* of accesses: enum direct_cost */
	bool untimed;    /* that of the instruction most likely takes no time */
	bool posted;     /* ... none for one beat, in memory that takes some */
	u8 budget;       /* the host register with what was left before an indirect jump paid; 0: it has not */
	bool reads_pay;  /* a read of the ITCM takes a cycle for each word */
	bool goes_alone; /* a window that is refused is entered once more, without it */
	const struct window *window; /* in which the instruction's access lies; NULL: it is checked alone */
	bool opens;                  /* it checks the window */
	struct direct_flags flags[DIRECT_FLAGS];
	unsigned flags_count;
	struct direct_loop loop;
};

/* True when an instruction can be laid so. */
bool direct_knows(unsigned op, const struct slot *s);
/* The same with the conditional branch behind it. */
bool direct_pairs(unsigned op, const struct slot *s, unsigned condition);
/* A branch alone: conditional, the end of a low-overhead loop, B where it leads back. */
bool direct_branches(unsigned op);

/* How many flags it sets: a number that is larger where it is more of N and Z, C, V; and which registers, a bit each, its flags can be computed
 * from behind it (0: they cannot). */
unsigned direct_flags_set(unsigned op);
unsigned direct_flags_need(unsigned op, const struct slot *s);

/* A piece begins. */
void direct_begin(struct direct *d);
/* Lays an instruction. flags: those that it sets are wanted. */
void direct_lay(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, uintptr_t plain, bool flags);
/* A line of code. goes_on: the instruction that needs it does so in the next line; cached: it is looked for in the cache first, not in the fetch
 * buffer; stays: most likely it is in the buffer. */
struct direct_code_line { u32 number; bool goes_on, cached, stays; };
/* A branch: where it leads to; `seldom`: what its way needs lies apart, and what host registers hold stays there when it is not taken;
 * `pays_for`: this slot, whose code it leads to: it pays for the block there itself; `again`: that is the head of d->loop, which finds its registers held. */
struct direct_branch {
	uintptr_t taken;
	const struct slot *pays_for;
	u8 condition;
	bool seldom, again, looks;
	struct direct_code_line line; /* that it looks for on its way there */
};
/* An instruction with its branch, and a branch alone; returns where the distance to its target is. */
u8 *direct_lay_pair(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, bool flags, struct direct_branch branch);
u8 *direct_lay_branch(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, uintptr_t plain, struct direct_branch branch);
/* A loop begins at slot s, with registers `set` held, a bit each, of which it changes some. */
void direct_lay_loop(struct direct *d, struct emit_memory *m, const struct slot *s, u16 set, u16 changes);
/* Pays for the block that begins at s. */
void direct_lay_charge(struct direct *d, struct emit_memory *m, const struct slot *s);
/* Looks whether a line is there, for the instruction at s. */
void direct_lay_line(struct direct *d, struct emit_memory *m, const struct slot *s, struct direct_code_line line);
/* The same apart, for who comes from elsewhere and goes to `code`, with nothing held. */
u8 *direct_enter_line(struct emit_memory *m, const struct slot *s, struct direct_code_line line, const u8 *code);
/* The same on the way to `code`, as part of what is being laid. */
void direct_go_line(struct direct *d, bool in_cold, const struct slot *s, struct direct_code_line line, const u8 *code);
/* Leaves for a handler with slot s. */
void direct_lay_leave(struct direct *d, struct emit_memory *m, const struct slot *s, uintptr_t handler);
/* Brings to memory what is held, which is forgotten then. */
void direct_end(struct direct *d, struct emit_memory *m);

/* --- inside direct*.c --- */
enum recipe_what {
	DO_NOTHING, DO_MOV, DO_MVN, DO_AND, DO_ORR, DO_EOR, DO_BIC, DO_ORN, DO_ADD, DO_SUB, DO_RSB, DO_ADC, DO_SBC, /* data */
	DO_MOVT, DO_UBFX, DO_SBFX, DO_BFI, DO_EXTEND, DO_REV, DO_REV16,                                             /* bits */
	DO_MUL, DO_MLA, DO_MLS, DO_MULL, DO_MLAL, DO_UMAAL,                                                         /* products */
	DO_HALVES, DO_SHIFT_BY,
	DO_LOAD, DO_STORE, DO_LOAD_PAIR, DO_STORE_PAIR, DO_STACK, DO_LOAD_LIST, DO_STORE_LIST, DO_JUMP, DO_TABLE_JUMP, DO_LOAD_JUMP, /* what may be refused */
};
/* Operand two of data operations, and what an address is made of. */
enum recipe_operand { Y_IMM, Y_REG, Y_LSL, Y_LSR, Y_ASR, Y_ROR, AT_IMM, AT_REG, AT_SHIFTED, AT_CONSTANT, AT_PRE, AT_POST, AT_UP, AT_DOWN };
enum recipe_flag { SETS = 1, NO_RESULT = 2, CARRY_CONSTANT = 4, SIGNED = 8, ADDS = 16, ROTATES = 32, BACK = 64, LOADS_PC = 128, LINKS_BACK = 128, TABLE_HERE = 128 };
struct recipe { u8 what, operand, flags, bytes; };
extern const struct recipe direct_recipes[];

/* Which flags a data operation sets: none, those of the host for the branch behind it, all. */
enum direct_sets { SETS_NONE, SETS_HOST, SETS_ALL };
/* The kinds of instructions. */
void direct_data(struct direct *d, const struct recipe *r, enum direct_sets sets);
void direct_bits(struct direct *d, const struct recipe *r); /* the same */
void direct_product(struct direct *d, const struct recipe *r); /* the same */
void direct_memory(struct direct *d, const struct recipe *r); /* the same */
void direct_halves(struct direct *d, const struct recipe *r); /* the same */
void direct_shift_by(struct direct *d, const struct recipe *r); /* the same */
void direct_stack(struct direct *d, const struct recipe *r); /* the same */
void direct_list(struct direct *d, const struct recipe *r); /* the same */
void direct_branch_register(struct direct *d, const struct recipe *r); /* the same */
void direct_table_jump(struct direct *d, const struct recipe *r); /* the same */
void direct_load_jump(struct direct *d); /* LDR pc, [sp], #imm */
/* One that can be laid so. */
bool direct_load_jump_knows(const struct slot *s);
/* A list that can be laid so. */
bool direct_list_knows(const struct recipe *r, const struct slot *s);
static inline bool direct_is_list(unsigned op) { return direct_recipes[op].what == DO_LOAD_LIST || direct_recipes[op].what == DO_STORE_LIST; }
/* Rights that the page of a list needs to go on in order; `late`: it pays when nothing else refuses it any more. */
u8 direct_list_rights(const struct direct *d, const struct recipe *r, bool late);
/* Pays for a list that begins at the address in `start`; `no_right`: the jump where its page, which is in SCRATCH_2 unless it pays late, has none
 * of those. Takes both SCRATCH. */
void direct_list_pay(struct direct *d, const struct recipe *r, unsigned start, bool late, unsigned no_right, unsigned refused);
/* An indirect jump to SCRATCH, in three parts: behind the first nothing refuses it, and the instruction may change registers; both SCRATCH stay
 * as they are, or SCRATCH is the target once more and the second follows; then registers come to memory, and it jumps. */
void direct_jump_find(struct direct *d);
/* Whether the access of one must be paid behind the first part: caches change when they are asked. What tables say is paid before, and given back
 * by who is refused. */
bool direct_jump_pays_late(const struct direct *d);
/* Keeps what is left before that. */
void direct_jump_saves(struct direct *d);
void direct_jump_found(struct direct *d);
void direct_jump_go(struct direct *d);
/* The end of a low-overhead loop: leaves the condition under which it goes on in the host's flags. */
enum host_condition direct_loop_end(struct direct *d);
/* One iteration is counted. */
void direct_loop_count(struct direct *d);
/* Pays, and goes on to the loop's head. */
void direct_loop_again(struct direct *d, const struct direct_branch *b);
/* Pays for the block that the branch leads to, and goes there, with everything in memory. */
void direct_go_near(struct direct *d, bool in_cold, const struct direct_branch *b);
/* Where an access is made: at an address that a host register has, or that is known. */
struct direct_place { bool known; unsigned host; u32 address; };
/* Behind it the access may be made, and is paid. */
void direct_access(struct direct *d, const struct recipe *r, struct direct_place at);
/* In the cold part: the cache is asked for `bytes` at the address in SCRATCH_2; then on at `after`, or at `refused`. */
void direct_ask(struct direct *d, const struct recipe *r, u32 bytes, unsigned refused, unsigned after);
/* Begins an instruction; copies what was put together to where it runs, and returns where that is. */
void direct_begin_one(struct direct *d, const struct slot *s, uintptr_t plain);
struct emit_place direct_finish(struct direct *d, struct emit_memory *m);
/* Checks and pays d->window. */
void direct_window(struct direct *d, unsigned base);
/* Where what is paid lies (c in RSI). */
#define PAY(field) ((i32)(offsetof(struct cpu, pay) + offsetof(struct pay, field)))
/* Pieces of both: of the page in SCRATCH_2 and a way that leaves to `to` (direct_patch) unless it has one of the rights; what TIMED pages take. */
unsigned direct_unless_right(struct direct *d, bool in_cold, u8 rights);
/* Where the page's accesses wait: the address of its struct pay_words comes in place of the page. */
void direct_put_words(struct direct *d, bool in_cold);
void direct_timed(struct direct *d, unsigned words, unsigned refused, unsigned after);
/* The same for who comes by jump `from`, where the access may be such a read. */
void direct_cold_timed(struct direct *d, const struct recipe *r, unsigned from, unsigned refused, unsigned after);
/* The page of an access comes to SCRATCH_2. */
void direct_put_page(struct direct *d, bool in_cold, struct direct_place at);
/* What is paid by the page's word: so many accesses of one beat, in one page, which is in SCRATCH_2 unless its address is known. */
struct direct_payment { struct direct_place at; bool write, posted; unsigned count; };
/* Pays, in the hot part; the jump where that is not so, or does not fit; in the cold part, who came by it gives back. May take SCRATCH where count is
 * more than 1. */
unsigned direct_pay(struct direct *d, const struct direct_payment *p);
void direct_give_back(struct direct *d, const struct direct_payment *p);
/* In the cold part, with a page in SCRATCH_2: the jump where nothing is known of it. */
unsigned direct_unless_known(struct direct *d, bool write);
/* Checks and pays an access past the caches that is aligned; in the cold part is where others go on, which lie in one page. Returns that place. */
unsigned direct_access_pays(struct direct *d, const struct recipe *r, struct direct_place at, unsigned refused);
/* Leaves for the instruction's handler; returns its place in the cold part. */
unsigned direct_refused(struct direct *d);
/* Computes what d->flags says, in the cold part, with everything in memory. */
void direct_put_flags(struct direct *d);
static inline struct host_code *direct_part(struct direct *d, bool in_cold) { return in_cold ? &d->cold : &d->hot; }
/* A jump in the hot part, or in the cold one. */
void direct_jump(struct direct *d, bool in_cold, unsigned opcode, enum direct_part part, uintptr_t to);
/* One whose place in the cold part is known later; its number. */
unsigned direct_jump_later(struct direct *d, bool in_cold, unsigned opcode);
/* One over what lies behind it in the hot part, whose place there is known later; its number. */
unsigned direct_jump_over(struct direct *d, unsigned opcode);
static inline void direct_patch(struct direct *d, unsigned jump, unsigned to) { d->jump[jump].to = to; }
#define JUMP 0xe9u
#define CALL 0xe8u
#define JUMP_IF(condition) (0x0f80u | (condition))
/* Host registers that an instruction computes with. */
#define SCRATCH RAX
#define SCRATCH_2 R13
/* What accesses need. */
static inline bool direct_loads(const struct recipe *r) { return r->what == DO_LOAD || r->what == DO_LOAD_PAIR || r->what == DO_LOAD_LIST; }
#define PAGE_BITS 12
#define PAGE_MASK 0xfffu

#endif
