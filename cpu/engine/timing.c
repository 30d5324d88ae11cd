/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle costs by timing class. ipc1: every instruction is one unit. */
#include "cpu/engine/engine.h"

u32 timing_cost(const struct cpu *c, unsigned op, const struct slot *s, unsigned next_op, const struct slot *next)
{
	return 1;
}

u32 timing_taken_extra(const struct cpu *c)
{
	return 0;
}
