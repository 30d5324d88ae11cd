/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine/registers.h"

void registers_put(struct cpu *c, const struct registers_start *x)
{
	for (unsigned i = 0; i < 15; i++)
		cpu_set_reg(c, i, x->r[i]);
	cpu_set_reg(c, CPU_REG_MSPLIM, x->sp_limit);
	cpu_set_reg(c, CPU_REG_XPSR, x->xpsr | 1 << 24);
	cpu_set_reg(c, CPU_REG_FPSCR, x->fpscr);
	cpu_set_reg(c, CPU_REG_VPR, x->vpr);
	for (unsigned i = 0; i < 32; i++)
		cpu_set_reg(c, CPU_REG_S0 + i, x->s[i]);
}

void registers_take(const struct cpu *c, struct registers_state *x)
{
	for (unsigned i = 0; i <= CPU_REG_VPR; i++)
		x->r[i] = cpu_get_reg(c, i);
	for (unsigned i = 0; i < 32; i++)
		x->s[i] = cpu_get_reg(c, CPU_REG_S0 + i);
	x->cycles = cpu_cycles(c);
	x->instructions = cpu_instructions(c);
}
