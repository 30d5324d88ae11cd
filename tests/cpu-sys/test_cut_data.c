/* SPDX-License-Identifier: Apache-2.0 */
/* Data in a page that MPU regions cut: every form of access of the integer core, at every place around the
 * borders, ends alike on the engines. The stepping engine's plain functions are the measure. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <string.h>

#define DATA 0x30001000u
#define CODE 0x10003000u
#define TARGET 0x10003100u
enum { READ_WRITE = 1 << 1, READ_ONLY = 3 << 1, NEVER = 1 };
enum { OPEN = 0x40, SHUT_FOR_WRITES = 0x80, SHUT = 0xC0, FIRST = OPEN - 0x20, LAST = SHUT + 0x20 };

/* r1 and sp (PSP) are the address, r0 is 0; first halfword below. */
static const u32 instructions[] = {
	0x600A, 0x680A, 0x700A, 0x780A, 0x800A, 0x880A,     /* str ldr strb ldrb strh ldrh r2, [r1] */
	0x500A, 0x580A, 0x560A, 0x5E0A,                     /* str ldr ldrsb ldrsh r2, [r1, r0] */
	0xC90C, 0xC10C, 0xB40C, 0xBC0C, 0xBD0C,             /* ldmia stmia r1!, push pop {r2, r3}; pop {r2, r3, pc} */
	0x9201, 0x9A01,                                     /* str ldr r2, [sp, #4] */
	0x2B04F841, 0x2F04F841, 0x2B04F851, 0x2F04F851,     /* str ldr r2, [r1], #4 and [r1, #4]! */
	0x2B01F801, 0x2B02F821, 0x2B01F811, 0x2D01F931,     /* strb strh ldrb post, ldrsh pre */
	0x2300E9C1, 0x2300E9D1, 0x2301E8E1, 0x2301E9F1,     /* strd ldrd; strd post, ldrd pre */
	0x00FCE8A1, 0x00FCE8B1, 0x00FCE921, 0x00FCE931,     /* stm ldm r1!, {r2-r7}, up and down */
	0x1FFCE8A0, 0x1FFCE8B0,                             /* r0: faults at once */
	0x2004F8D1, 0x2004F8C1, 0x2E00F851, 0x2E00F841,     /* offsets; ldrt strt */
	0xF000F8D1, 0xF000E8D1, 0xF010E8D1,                 /* ldr pc; tbb tbh */
};

struct state { u32 r[16], xpsr, memory[64], frame[16]; u64 insns; };

static void region(struct rig *r, unsigned i, u32 base, u32 last, u32 access)
{
	rig_write(r, 0xE000ED98, i);
	rig_write(r, 0xE000ED9C, base | access);
	rig_write(r, 0xE000EDA0, (last & ~31u) | 1);
}

static void prepare(struct rig *r, u32 instruction, u32 addr)
{
	struct cpu *c = r->c;
	cpu_reset(c);
	for (u32 at = 0; at < 0x100; at += 4)
		rig_poke(r, DATA + at, TARGET | 1);
	for (u32 at = 0; at < 0x400; at += 4)
		rig_poke(r, CODE + at, 0xE7FEE7FE); /* b . */
	rig_poke(r, CODE, instruction >> 16 ? 0xBF006823 : instruction << 16 | 0x6823); /* ldr r3, [r4] */
	if (instruction >> 16)
		rig_poke(r, CODE + 4, instruction);
	rig_poke(r, rig_handler(4), 0xE7FEE7FE);
	rig_poke(r, rig_handler(6), 0xE7FEE7FE);
	rig_write(r, 0xE000ED24, 5 << 16); /* MEMFAULTENA, USGFAULTENA */
	rig_write(r, 0xE000EDC0, 0xFF);
	region(r, 0, DATA + OPEN, DATA + SHUT_FOR_WRITES - 1, READ_WRITE | NEVER);
	region(r, 1, DATA + SHUT_FOR_WRITES, DATA + SHUT - 1, READ_ONLY | NEVER);
	region(r, 2, 0x10000000, 0x1000FFFF, READ_ONLY);
	rig_write(r, 0xE000ED94, 5);
	c->sys->sp[BANK_S][1] = addr & ~3u;
	state_leave(c);
	c->sys->control[BANK_S] = CONTROL_NPRIV | CONTROL_SPSEL;
	state_enter(c);
	for (unsigned i = 2; i < 8; i++)
		c->core.r[i] = i * 0x01010101;
	c->core.r[0] = 0;
	c->core.r[1] = addr;
	c->core.r[4] = DATA + OPEN; /* makes the page's granules known */
	c->core.r[15] = CODE;
}

static void run(struct rig *r, u32 instruction, u32 addr, struct state *s)
{
	struct cpu *c = r->c;
	u64 before;
	prepare(r, instruction, addr);
	before = cpu_instructions(c);
	cpu_run(c, r->sched.now + 40 * sched_period(25000000));
	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < 16; i++)
		s->r[i] = cpu_get_reg(c, i);
	s->xpsr = cpu_get_reg(c, CPU_REG_XPSR);
	s->insns = cpu_instructions(c) - before;
	cr_assert(cpu_peek(c, DATA, s->memory, sizeof(s->memory)));
	cr_assert(cpu_peek(c, RIG_STACK - sizeof(s->frame), s->frame, sizeof(s->frame)));
}

Test(cut_data, engines_agree_on_every_access)
{
	struct rig *tail = rig_new(), *step = rig_new();
	unsigned faults = 0, runs = 0;
	tail->c->config.engine = CPU_ENGINE_TAIL;
	step->c->config.engine = CPU_ENGINE_STEP;
	for (unsigned i = 0; i < ARRAY_LEN(instructions); i++)
		for (u32 at = FIRST; at < LAST; at++) {
			struct state a, b;
			run(tail, instructions[i], DATA + at, &a);
			run(step, instructions[i], DATA + at, &b);
			cr_assert(!memcmp(&a, &b, sizeof(a)), "%08X at %02X", instructions[i], at);
			faults += (a.xpsr & 0x1FF) != 0;
			runs++;
		}
	cr_expect(faults > runs / 4 && faults < runs * 3 / 4, "%u faults in %u runs", faults, runs);
	rig_free(tail);
	rig_free(step);
}
