/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of integer instructions: which fields become which slot operands. */
#ifndef CPU_INSN_FORM_INT_H
#define CPU_INSN_FORM_INT_H

#include "cpu/insn/insn.h"

#define FORM(name) static void form_##name(struct slot *s, const struct fields *f, const struct insn_at *at)
#define F(letter) (f->v[letter])

FORM(none) { }
FORM(dn_i) { s->a = (u8)F('d'); s->b = (u8)F('n'); s->imm = F('i'); }
FORM(tn_i4) { s->a = (u8)F('t'); s->b = (u8)F('n'); s->imm = F('i') * 4; }
FORM(m) { s->a = (u8)F('m'); }
FORM(b_i11) { s->imm = (u32)((i32)(F('i') << 21) >> 20); }
/* IT: a = first condition, d = ITSTATE of the instruction after it. */
FORM(it) { s->a = (u8)F('c'); s->d = (u8)(F('c') << 4 | F('m')); }

#endif
