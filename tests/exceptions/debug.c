/* SPDX-License-Identifier: Apache-2.0 */
/* Guest-side debug and counters: DebugMonitor by BKPT, watchpoints, breakpoints and cycle match;
 * DWT and PMU counts. QEMU has none of it. */
#include "lib.h"

#define DFSR R32(0xE000ED30)
#define DWT_CTRL R32(0xE0001000)
#define DWT_CYCCNT R32(0xE0001004)
#define DWT_COMP(n) R32(0xE0001020 + 16 * (n))
#define DWT_FUNCTION(n) R32(0xE0001028 + 16 * (n))
#define FP_CTRL R32(0xE0002000)
#define FP_COMP(n) R32(0xE0002008 + 4 * (n))
#define PMU_EVCNTR(n) R32(0xE0003000 + 4 * (n))
#define PMU_CCNTR R32(0xE000307C)
#define PMU_EVTYPER(n) R32(0xE0003400 + 4 * (n))
#define PMU_CNTENSET R32(0xE0003C00)
#define PMU_INTENSET R32(0xE0003C40)
#define PMU_OVSCLR R32(0xE0003C80)
#define PMU_SWINC R32(0xE0003CA0)
#define PMU_CTRL R32(0xE0003E04)

enum { MON_EN = 1 << 16, MON_PEND = 1 << 17, MON_STEP = 1 << 18, TRCENA = 1 << 24 }; /* DEMCR */

static volatile u32 cell, other;
static u32 skip;

static void monitor(void)
{
	print("  monitor ");
	print_hex("dfsr", DFSR);
	for (u32 i = 0; i < 4; i++)
		if (DWT_FUNCTION(i) >> 24 & 1)
			print_hex("matched", i);
	line();
	DFSR = 0xFFFFFFFF;
	FP_CTRL = 2; /* breakpoints off */
	skip++;
}

static volatile u32 steps, in_order, step_dfsr, step_last;

/* Six steps, then no more. */
static void step(void)
{
	step_dfsr |= DFSR;
	DFSR = 0xFFFFFFFF;
	u32 pc = main_frame[6];
	in_order += steps && pc == step_last + 2;
	step_last = pc;
	if (++steps == 6)
		DEMCR &= ~(u32)MON_STEP;
}

__attribute__((noinline)) static u32 breakable(u32 x) { __asm volatile("" ::: "memory"); return x + 1; }

/* Exactly 2 + 3 * n instructions between the two reads of a counter. */
static u32 counted(reg *counter, u32 n)
{
	u32 a, b;
	__asm volatile("ldr %0, [%2]\n mov r1, %3\n 1: nop\n subs r1, #1\n bne 1b\n ldr %1, [%2]"
		       : "=&r"(a), "=&r"(b) : "r"(counter), "r"(n) : "r1", "cc", "memory");
	return b - a;
}

static void software_pend(void)
{
	print("software pend\n");
	DEMCR |= MON_PEND;
	BARRIER();
}

static void write_watchpoint(void)
{
	print("write watchpoint\n");
	DWT_COMP(0) = (u32)&cell;
	DWT_FUNCTION(0) = 5 | 1 << 4 | 2 << 10;
	BARRIER();
	other = 1;
	print_hex("  read", cell);
	cell = 2;
	BARRIER();
	print_hex("written", cell);
	line();
	DWT_FUNCTION(0) = 0;
	cell = 3;
}

static void range_of_reads(void)
{
	print("range, reads\n");
	DWT_COMP(0) = (u32)&cell - 64;
	DWT_COMP(1) = (u32)&cell + 64;
	DWT_FUNCTION(0) = 6 | 1 << 4;
	DWT_FUNCTION(1) = 7;
	BARRIER();
	(void)cell;
	DWT_FUNCTION(0) = 0;
	DWT_FUNCTION(1) = 0;
}

static void breakpoint(void)
{
	print("breakpoint\n");
	FP_COMP(0) = (u32)breakable | 1;
	FP_CTRL = 3;
	BARRIER();
	print_hex("  returned", breakable(4));
	print_hex("monitor calls", skip);
	line();
}

static void cycle_match(void)
{
	print("cycle match\n");
	DWT_CTRL |= 1;
	DWT_COMP(0) = DWT_CYCCNT + 1000;
	DWT_FUNCTION(0) = 1 | 1 << 4;
	for (u32 n = skip; n == *(volatile u32 *)&skip;)
		;
	DWT_FUNCTION(0) = 0;
}

static void masked_value(void)
{
	print("masked value\n");
	DWT_COMP(0) = (u32)&cell;
	DWT_FUNCTION(0) = 5 | 2 << 10;
	DWT_COMP(1) = 0x1200;
	R32(0xE000103C) = 0xFF; /* VMASK1: the low byte does not matter */
	DWT_FUNCTION(1) = 11 | 1 << 4 | 2 << 10;
	BARRIER();
	cell = 0x1334;
	BARRIER();
	cell = 0x1234;
	BARRIER();
	DWT_FUNCTION(0) = 0;
	DWT_FUNCTION(1) = 0;
}

static void monitor_steps(void)
{
	print("monitor steps\n");
	handler[12] = step;
	DEMCR = TRCENA | MON_EN | MON_STEP;
	__asm volatile("nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop" ::: "memory");
	DEMCR = TRCENA | MON_EN;
	print_hex("  steps", steps);
	print_hex("in order", in_order);
	print_hex("dfsr", step_dfsr);
	line();
}

static void instruction_counters(void)
{
	print_hex("cyccnt", counted(&DWT_CYCCNT, 100));
	PMU_EVTYPER(0) = 8;
	PMU_EVTYPER(1) = 9;
	PMU_EVTYPER(2) = 0xA;
	PMU_EVTYPER(3) = 0;
	PMU_CTRL = 1 | 2 | 4;
	PMU_CNTENSET = 0x8000000F;
	print_hex("ccntr", counted(&PMU_CCNTR, 100));
	print_hex("instructions", counted(&PMU_EVCNTR(0), 100));
	line();
}

static void exception_counters(void)
{
	u32 taken = PMU_EVCNTR(1), returned = PMU_EVCNTR(2);
	ICSR = 1 << 28;
	handler[14] = 0;
	quiet = 1;
	BARRIER();
	print_hex("taken", PMU_EVCNTR(1) - taken);
	print_hex("returned", PMU_EVCNTR(2) - returned);
}

static void software_counter(void)
{
	PMU_SWINC = 8;
	PMU_SWINC = 8;
	print_hex("software", PMU_EVCNTR(3));
	line();
	PMU_EVCNTR(3) = 0xFFFF;
	PMU_SWINC = 8;
	print_hex("wrapped", PMU_EVCNTR(3));
	print_hex("overflow", PMU_OVSCLR);
	PMU_OVSCLR = 8;
	print_hex("cleared", PMU_OVSCLR);
	line();
}

static void overflow_interrupt(void)
{
	print("overflow interrupt\n");
	DEMCR = TRCENA | MON_EN;
	PMU_CCNTR = 0xFFFFFF00;
	PMU_INTENSET = 1u << 31;
	for (u32 n = skip; n == *(volatile u32 *)&skip;)
		;
	print_hex("overflow", PMU_OVSCLR);
	line();
}

void scenario(void)
{
	handler[12] = monitor;
	DEMCR = TRCENA | MON_EN;
	software_pend();
	write_watchpoint();
	range_of_reads();
	breakpoint();
	cycle_match();
	masked_value();
	monitor_steps();
	handler[12] = monitor;
	DEMCR = TRCENA;
	instruction_counters();
	exception_counters();
	software_counter();
	overflow_interrupt();
}
