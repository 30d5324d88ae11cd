/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point registers named by a slot's operands a, b, c, as S, D or half-precision ones.
 * A half-precision result clears the upper half of its S register. */
#ifndef CPU_EXEC_FP_REGS_H
#define CPU_EXEC_FP_REGS_H

#include "cpu/exec/body.h"
#include "cpu/fp/fast.h"

BODY u32 *fp_s(struct cpu *c, unsigned n) { return (u32 *)c->fp.q + n; }
BODY u64 *fp_d(struct cpu *c, unsigned n) { return (u64 *)c->fp.q + n; }

#ifdef OPERANDS_ARE_HOLES
#define SA AT(H_SA, u32)
#define SB AT(H_SB, u32)
#define SC AT(H_SC, u32)
#define DA AT(H_DA, u64)
#define DB AT(H_DB, u64)
#define DC AT(H_DC, u64)
#else
#define SA (*fp_s(c, s->a))
#define SB (*fp_s(c, s->b))
#define SC (*fp_s(c, s->c))
#define DA (*fp_d(c, s->a))
#define DB (*fp_d(c, s->b))
#define DC (*fp_d(c, s->c))
#endif
#define HA (SA & 0xffff)
#define HB (SB & 0xffff)
#define HC (SC & 0xffff)
#define FPSCR (&c->fp.fpscr)

#define NEG16 0x8000u
#define NEG32 0x80000000u
#define NEG64 (1ull << 63)

#endif
