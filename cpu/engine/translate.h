/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded code as host code, laid together from stencils. Private to engine/. */
#ifndef CPU_ENGINE_TRANSLATE_H
#define CPU_ENGINE_TRANSLATE_H

#include "cpu/engine/engine.h"

struct emit_memory;

/* Code memory; NULL where handlers do all (other hosts and compilers), or when there is no host memory. */
struct emit_memory *translate_new(struct cpu *c);
void translate_free(struct emit_memory *m);
/* Stencils for `n` slots of page p, which are decoded and have their costs; `after`: the slot that they run into. Each
 * slot's handler becomes its stencil, where there is one. */
void translate_piece(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after);
/* Translates from a slot on that code before it enters (handler_within); what slot s's window refused (go_alone): its code. */
void translate_within(struct cpu *c, const struct slot *s);
slot_handler translate_alone(struct cpu *c, const struct slot *s);
/* An indirect jump found address `to`, which is an ordinary target: the next one goes straight to the code there, if there is some. */
void translate_jumped(struct cpu *c, u32 to);
/* The page's code is forgotten, or another view of the page comes into use: nobody goes straight to its code any more. */
void translate_unlink(struct emit_memory *m, struct code_page *p);
/* True when all decoded code must be dropped (translate_drop_all) before more is translated. */
bool translate_full(const struct emit_memory *m);
/* All of it must: it was made for other memories. NULL is allowed. */
void translate_forget(struct emit_memory *m);
/* What the tail-call engine runs in this build, on this host: see cpu_engine_kind(). */
const char *translate_kind(void);
/* Forgets all code; nothing may enter it any more. */
void translate_drop_all(struct emit_memory *m);

#endif
