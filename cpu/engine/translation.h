/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of decoded code on its way to host code. Private to engine/translate*.c. */
#ifndef CPU_ENGINE_TRANSLATION_H
#define CPU_ENGINE_TRANSLATION_H

#include "cpu/engine/direct.h"
#include "cpu/engine/fixup.h"
#include "cpu/engine/plan.h"
#include "cpu/engine/translate.h"

/* The most code of one instruction and its IT block, with stubs and what may be needed to leave. */
#define UNIT_BYTES 16384u
/* More than an instruction of a piece takes on average. */
#define STEP_BYTES 512u

struct translation {
	struct piece *piece;
	struct emit_memory *m;
	struct fixups fixups;
	u8 *code;            /* where the instruction begins */
	bool entered;        /* the instruction's stub lies before its code */
	struct direct direct; /* instructions laid as host instructions of their own */
	u16 flags_until[DIRECT_FLAGS]; /* which steps set d->flags again */
	u16 window_last;     /* the last step that relies on a window */
	bool within;         /* code before the instruction did something for it, so nobody else may enter */
	bool code_cached;    /* lines of code are looked for in the cache */
	u32 line;            /* of what runs into the next instruction: is there */
	u8 *looks;           /* where it looks for all of its lines before its code, with nothing held; NULL: nowhere */
	u8 *loop_code, *loop_behind; /* of direct.loop: where its head looks for its lines, and behind that */
	u8 *over;            /* a jump over what branches enter by; NULL: none */
};

/* The handler that a slot has outside IT blocks, where nobody listens. */
static inline slot_handler plain_of(const struct code_page *p, unsigned i)
{
	return handler_word(op_code(p->info[i] & INFO_OP)->handler[HANDLER_SINGLE][!!(p->info[i] & INFO_WIDE)]);
}

/* Translates n slots. alone: what the window of the first one refused (struct piece). */
void translate_list(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after, bool alone);
static inline u16 part(enum stencil_part p) { return stencil_part[p]; }
/* The holes of slot i; exits are still to come. */
struct emit_values translate_values(const struct code_page *p, unsigned i);
/* The code of slot i; NULL: there is none. */
u8 *translate_laid_at(const struct code_page *p, const struct emit_memory *m, unsigned i);
/* Sends the stub of slot i to the slot's code, or to where it is found. */
void translate_link(const struct code_page *p, struct emit_memory *m, unsigned i);
/* Where a branch to slot `to` goes. */
uintptr_t translate_stub(struct translation *t, const struct slot *to);
/* The stub of slot i, which leads to another page. */
u8 *translate_far(struct translation *t, unsigned i);
/* Slot i has code: stubs that lead to it from other pages go straight there. */
void translate_found(struct translation *t, unsigned i);
/* Where code goes on behind the end of a block that is told, at slot i. */
uintptr_t translate_told(struct translation *t, unsigned i, handler_fn *handler);
/* Where the branch at slot i goes when it is taken. */
uintptr_t translate_taken(struct translation *t, unsigned i);
/* A branch that is laid, to its target's stub, goes straight there when it is laid, too. */
void translate_wait(struct translation *t, struct emit_place at, u16 number, unsigned i, unsigned op);
/* What is laid as host instructions of its own: an instruction, one with its branch, a branch. */
void translate_direct(struct translation *t, unsigned k);
struct direct_code_line translate_line_of(const struct translation *t, u32 number, bool goes_on);
/* Who comes from elsewhere to the code of slot i looks for its lines, the second one last: where that begins. */
u8 *translate_behind_lines(struct translation *t, unsigned i, u8 *code);
/* Looks for those lines of slot i that are not known to be there: it is reached in straight code, and branches enter here. */
void translate_lines(struct translation *t, unsigned i, bool reached, bool entered);
/* The instruction at slot i lies in the line that is there. */
static inline bool translate_in_line(const struct translation *t, unsigned i)
{
	return line_first(t->piece->p, i) == t->line && line_last(t->piece->p, i) == t->line;
}
/* Forgets flags that cannot be seen any more at step k. */
void translate_flags_at(struct translation *t, unsigned k);

#endif
