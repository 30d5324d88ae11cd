/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/spin.h"

#include <string.h>

enum { STEPS = 512, REGISTERS = 16, FP_REGISTERS = 32 };

struct snapshot {
	u32 r[REGISTERS], xpsr, control, primask, basepri, faultmask, fpscr, vpr, s[FP_REGISTERS];
};

static void take(const struct cpu *c, struct snapshot *s)
{
	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < REGISTERS; i++)
		s->r[i] = cpu_get_reg(c, i);
	s->xpsr = cpu_get_reg(c, CPU_REG_XPSR);
	s->control = cpu_get_reg(c, CPU_REG_CONTROL);
	s->primask = cpu_get_reg(c, CPU_REG_PRIMASK);
	s->basepri = cpu_get_reg(c, CPU_REG_BASEPRI);
	s->faultmask = cpu_get_reg(c, CPU_REG_FAULTMASK);
	s->fpscr = cpu_get_reg(c, CPU_REG_FPSCR);
	s->vpr = cpu_get_reg(c, CPU_REG_VPR);
	for (unsigned i = 0; i < FP_REGISTERS; i++)
		s->s[i] = cpu_get_reg(c, CPU_REG_S0 + i);
}

/* Could the instruction at pc change anything but registers? Errs on the side of yes: all
 * stores, exclusives, coprocessor moves to the coprocessor, supervisor and breakpoint calls. */
static bool may_store(struct cpu *c, u32 pc)
{
	u16 h[2] = { 0, 0 };

	if (!cpu_peek(c, pc, h, 2))
		return true;
	if (h[0] >> 11 < 0x1d) {
		const unsigned op = h[0] >> 12, sub = h[0] >> 9 & 7;

		return (op == 5 && sub < 3) || ((op >= 6 && op <= 9) && !(h[0] & 0x800)) ||
		       (op == 0xc && !(h[0] & 0x800)) || (h[0] & 0xfe00) == 0xb400 || (h[0] & 0xff00) == 0xbe00 ||
		       (h[0] & 0xff00) == 0xdf00;
	}
	const bool load = h[0] & 0x10;

	return ((h[0] & 0xfe00) == 0xe800 || (h[0] & 0xfe00) == 0xf800 || (h[0] & 0xec00) == 0xec00) && !load;
}

void spin_check(struct machine *m)
{
	struct snapshot mark, now;
	struct cpu_fault_info fault;

	take(m->cpu, &mark);
	for (unsigned i = 1; i <= STEPS && m->stop == STOP_NONE && m->sched.next == SCHED_NEVER; i++) {
		if (may_store(m->cpu, cpu_get_reg(m->cpu, 15)))
			return;
		if (cpu_run(m->cpu, (machine_cycles(m) + 1) * m->period) != CPU_STOP_HORIZON)
			return;
		sched_run(&m->sched, machine_cycles(m) * m->period);
		take(m->cpu, &now);
		if (!memcmp(&mark, &now, sizeof now)) {
			cpu_fault_info(m->cpu, &fault);
			machine_stop(m, fault.valid && (now.xpsr & 0x1ff) == fault.exception ? STOP_FAULT : STOP_SPIN);
			return;
		}
	}
}
