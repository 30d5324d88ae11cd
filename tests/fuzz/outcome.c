/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void outcome_without_it(u8 *code, size_t size)
{
	for (size_t i = 0; code && i + 1 < size; i += 2)
		if (code[i + 1] == 0xbf && code[i] & 15)
			code[i] = 0;
}

u32 outcome_sum(const u8 *bytes, u32 size)
{
	u32 sum = 2166136261u; /* FNV-1a */

	for (u32 i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 16777619u;
	return sum;
}

void outcome_take(struct machine *m, struct outcome *o)
{
	const struct cpu *c = m->cpu;

	memset(o, 0, sizeof *o);
	o->cycles = machine_cycles(m);
	o->instructions = cpu_instructions(c);
	o->serial = m->uart[0].sink.bytes;
	o->stop = m->stop;
	for (unsigned i = 0; i < ARRAY_LEN(o->r); i++)
		o->r[i] = cpu_get_reg(c, i);
	o->control = cpu_get_reg(c, CPU_REG_CONTROL);
	o->primask = cpu_get_reg(c, CPU_REG_PRIMASK);
	o->basepri = cpu_get_reg(c, CPU_REG_BASEPRI);
	o->faultmask = cpu_get_reg(c, CPU_REG_FAULTMASK);
	o->msp = cpu_get_reg(c, CPU_REG_MSP);
	o->psp = cpu_get_reg(c, CPU_REG_PSP);
	o->fpscr = cpu_get_reg(c, CPU_REG_FPSCR);
	o->vpr = cpu_get_reg(c, CPU_REG_VPR);
	for (unsigned i = 0; i < ARRAY_LEN(o->s); i++)
		o->s[i] = cpu_get_reg(c, CPU_REG_S0 + i);
	o->memory = outcome_sum(bus_span(m->bus, BUS_CPU, OUTCOME_ITCM, 0x4000), 0x4000) ^
		    outcome_sum(bus_span(m->bus, BUS_CPU, OUTCOME_DTCM, 0x8000), 0x8000);
}

void outcome_compare(const struct outcome *a, const struct outcome *b, unsigned engine)
{
	const u32 *x = (const u32 *)a, *y = (const u32 *)b;

	if (!memcmp(a, b, sizeof *a))
		return;
	for (size_t i = 0; i < sizeof *a / 4; i++)
		if (x[i] != y[i])
			fprintf(stderr, "engine %u: word %zu of the outcome is %08x, not %08x\n", engine, i, y[i], x[i]);
	abort();
}
