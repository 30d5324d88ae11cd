/* SPDX-License-Identifier: Apache-2.0 */
/* What a core's registers begin with in random tests, and what is in them afterwards. */
#ifndef TESTS_ENGINE_REGISTERS_H
#define TESTS_ENGINE_REGISTERS_H

#include "cpu/cpu.h"

struct registers_start { u32 ccr, r[15], sp_limit, xpsr, fpscr, vpr, s[32]; };
/* Core registers in the numbers of cpu_get_reg. */
struct registers_state { u32 r[CPU_REG_VPR + 1], s[32]; u64 cycles, instructions; };

/* All but ccr. */
void registers_put(struct cpu *c, const struct registers_start *x);
void registers_take(const struct cpu *c, struct registers_state *x);

#endif
