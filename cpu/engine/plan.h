/* SPDX-License-Identifier: Apache-2.0 */
/* Which stencils a straight piece of decoded code is made of. Private to engine/. */
#ifndef CPU_ENGINE_PLAN_H
#define CPU_ENGINE_PLAN_H

#include "cpu/engine/code.h"
#include "cpu/engine/window.h"
#include "cpu/stencil/table.h"

#define PIECE_MAX (PAGE_SLOTS + PAGE_TAIL)

enum how {
	HOW_HANDLER, /* as decoding chose it: no stencil, or something special (a breakpoint, say) */
	HOW_STENCIL, /* one */
	HOW_NOTHING, /* an IT whose instructions test their conditions themselves */
	HOW_WORD,    /* an IT that leaves its word to its block, or a select behind such a word */
	HOW_SKIP,    /* an IT that jumps over its block, of which all or nothing is executed */
	HOW_MASKED,  /* in the block of a HOW_WORD */
	HOW_IF,      /* behind a test of its condition */
	HOW_DIRECT,  /* as host instructions of its own (engine/direct.h) */
	HOW_DIRECT_PAIR, /* the same with the conditional branch behind it, which is HOW_PAIRED */
	HOW_PAIRED,
	HOW_DIRECT_BRANCH,
	HOW_VECTOR,  /* one of a vector instruction, behind its checks */
};

/* One instruction. */
struct step {
	u16 slot;       /* index */
	u16 stencil;    /* number; 0: none; HOW_WORD of a select: the select */
	u8 how, condition;
	bool label;     /* something in this piece jumps here: nothing is known of what comes before */
	bool loop;      /* something further down does */
	u16 flags_until; /* HOW_DIRECT: the step that sets its flags again before anybody sees them; 0: they may be seen */
	bool seldom;     /* HOW_DIRECT_PAIR, HOW_DIRECT_BRANCH: it leads further down, which is taken less often */
	bool untimed;    /* its access most likely reaches memory that takes no time (where some does) */
	bool posted;     /* ... that takes none for one beat */
	u8 window;       /* HOW_DIRECT: number of the window in which its access lies, from 1; 0: none */
	u8 mask;         /* HOW_VECTOR: in a VPT block with this mask; 0: in none */
	bool all_checks, vpr_check; /* must pass all checks, or that of VPR, when it is reached in order */
	bool only_in_order; /* behind it a vector instruction relies on earlier checks: from elsewhere the handler is entered */
};
/* The piece, in its order; `after`: the slot that it runs into. */
struct piece {
	struct cpu *c;
	struct code_page *p;
	unsigned n, after;
	u8 cost; /* of accesses: enum direct_cost */
	bool alone; /* what a window refused: accesses are checked one by one, and only the first slot's way leads here */
	struct step step[PIECE_MAX];
	struct window window[WINDOWS];
	unsigned windows;
};

/* What is known of vectors where the plan has come to: that all lanes are there and VPR.MASK is `mask`; that VPR.P0 is
 * true everywhere. */
struct vectors { bool open, all; u8 mask; };
/* A vector instruction that has a stencil; false: here it stays a handler. */
bool vector_choose(const struct vectors *v, struct step *t, unsigned op);
/* What is known behind step t. */
void vector_after(struct vectors *v, const struct step *t, unsigned op, const struct slot *s, bool writes_lr);
/* Which steps of a plan rely on checks before them. */
void vector_rely(struct step *step, unsigned n);
/* VPR before an instruction of a VPT block whose lanes are all active, and behind it. */
u32 vector_vpr(unsigned mask);
u32 vector_vpr_after(unsigned mask);

/* A branch whose slot names its target. */
static inline bool is_direct(unsigned op)
{
	const unsigned kind = op_infos[op].kind;

	return kind == KIND_BR || kind == KIND_GO || kind == KIND_BRM;
}

/* Plans the steps of a piece whose instructions are read. */
void piece_plan(struct piece *x);
/* True when between steps k and j, its next ones, the budget may end because a line must come. */
bool fetch_may_leave(const struct piece *x, unsigned k, unsigned j);
/* A load takes longer where reading takes time of its own (timing_waits_of). */
bool reads_pay(const struct piece *x, unsigned k);
/* Core registers that an operation writes, a bit each; true when r is one of them. */
static inline u32 op_written(unsigned op, const struct slot *s)
{
	const unsigned uses = op_infos[op].uses;
	const u32 list = uses & LIST && !(uses & W_MEM) ? s->imm & 0x7fff : 0;

	return list | (uses & W_A ? 1u << s->a : 0) | (uses & W_B ? 1u << s->b : 0) | (uses & W_C ? 1u << s->c : 0) | (uses & W_D ? 1u << s->d : 0) |
	       (uses & W_SP ? 1u << 13 : 0) | (uses & W_LR ? 1u << 14 : 0);
}
static inline bool op_writes(unsigned op, const struct slot *s, unsigned r) { return op_written(op, s) >> r & 1; }
/* Laid as host instructions of its own. */
static inline bool step_is_direct(const struct step *t)
{
	return t->how == HOW_DIRECT || t->how == HOW_DIRECT_PAIR || t->how == HOW_DIRECT_BRANCH || t->how == HOW_PAIRED;
}
/* Has code of its own that others than the step before may go to. */
static inline bool step_can_be_entered(const struct step *t)
{
	return t->how != HOW_HANDLER && t->how != HOW_PAIRED && t->how != HOW_MASKED && !t->only_in_order;
}
/* True when step k is the head of a loop that keeps registers `set`, a bit each, of which it changes `changes`. */
bool loop_keeps(const struct piece *x, unsigned k, u16 *set, u16 *changes);
/* Guesses which memory accesses reach; chooses windows; finds which flags nobody sees. */
void reach_plan(struct piece *x);
void windows_plan(struct piece *x);
void flags_plan(struct piece *x);
/* The instruction whose slot this is, or -1: none of the piece. */
int piece_find(const struct piece *x, unsigned slot);

#endif
