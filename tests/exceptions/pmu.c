/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the performance monitors: short pieces of code whose events can be counted by hand.
 * QEMU has no such counters. The engine must be the same before, during and after counting. */
#include "lib.h"

#define PMU_EVCNTR(n) R32(0xE0003000 + 4 * (n))
#define PMU_EVTYPER(n) R32(0xE0003400 + 4 * (n))
#define PMU_CNTENSET R32(0xE0003C00)
#define PMU_INTENSET R32(0xE0003C40)
#define PMU_OVSCLR R32(0xE0003C80)
#define PMU_CTRL R32(0xE0003E04)
#define DFSR R32(0xE000ED30)
#define COUNTERS 8

static volatile u32 interrupts;
static u32 data[32] __attribute__((aligned(16)));

/* Runs one piece of code, which starts with r0 = data and may use r0-r5, q0-q3, with the events
 * selected; CNTENSET and CNTENCLR are stores of the same piece, so that nothing else is counted. */
#define PIECE(name, code) \
	static void name(void) \
	{ \
		__asm volatile("mov r0, %0\n mov r6, #0xff\n str r6, [%1]\n" code "\n str r6, [%1, #0x20]" \
			       :: "r"(data), "r"(0xE0003C00) : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "lr", \
			       "q0", "q1", "q2", "q3", "cc", "memory"); \
	}

#define FORMS \
      "ldr r1, [r0]\n ldrb r2, [r0, #1]\n ldrd r2, r3, [r0]\n ldm r0, {r1-r5}\n push {r1-r3}\n pop {r1-r3}\n" \
      "str r1, [r0]\n strh r1, [r0, #2]\n stm r0, {r1-r4}\n ldr r1, [r0, #5]\n str r1, [r0, #6]\n" \
      "cmp r0, r0\n it ne\n ldrne r1, [r0]\n ldrex r1, [r0]\n strex r2, r1, [r0]"
PIECE(integer_memory, FORMS)
/* The same in ISRAM, but for the stack; then vectors there. */
PIECE(far_memory, "movw r0, #0\n movt r0, #0x3100\n" FORMS)
PIECE(far_vectors,
      "movw r0, #0\n movt r0, #0x3100\n movs r4, #0\n movs r1, #2\n vldrw.u32 q0, [r0]\n vstrw.32 q0, [r0]\n vidup.u32 q2, r4, #4\n"
      "vldrw.u32 q1, [r0, q2, uxtw #2]\n vld20.8 {q0, q1}, [r0]\n vctp.32 r1\n vpst\n vldrwt.u32 q0, [r0]\n"
      "vldr s0, [r0]\n vstmia r0, {s0-s5}")
PIECE(branches,
      "movs r1, #3\n 1: subs r1, #1\n bne 1b\n cbz r1, 2f\n nop\n 2: bl 3f\n b 4f\n 3: bx lr\n 4: movs r1, #0\n"
      "tbb [pc, r1]\n .byte 1, 1\n 5: adr r1, 6f\n adds r1, #1\n bx r1\n .align 2\n 6: movs r1, #5\n dls lr, r1\n"
      "7: nop\n le lr, 7b\n movs r1, #0\n wls lr, r1, 8f\n nop\n 8: nop")
PIECE(vectors,
      "vldrw.u32 q0, [r0]\n vldrb.s16 q1, [r0]\n vstrw.32 q0, [r0]\n vidup.u32 q2, r4, #4\n vldrw.u32 q1, [r0, q2, uxtw #2]\n"
      "vstrb.8 q0, [r0, q2]\n vld20.8 {q0, q1}, [r0]\n vst20.8 {q0, q1}, [r0]\n vadd.i32 q0, q0, q1\n vmla.u32 q0, q1, r1\n"
      "vaddv.u32 r2, q0\n vmladav.s8 r2, q0, q1\n vadd.f32 q0, q1, q1\n vfma.f32 q0, q1, q1\n vmul.f16 q0, q1, q1\n"
      "vmaxnmv.f32 r1, q0\n vcvt.f32.s32 q0, q1\n vctp.32 r0")
PIECE(predicated,
      "mov r1, #20\n dlstp.8 lr, r1\n 1: vadd.i8 q0, q0, q1\n letp lr, 1b\n"
      "mov r1, #5\n vctp.16 r1\n vpstt\n vaddt.i16 q0, q0, q1\n vaddt.i16 q0, q0, q1\n vadd.i16 q0, q0, q1")

struct event { u32 number; const char *name; };

static void count(const char *name, void (*piece)(void), const struct event *events)
{
	print(name);
	line();
	PMU_CTRL = 1;
	while (events->number) {
		u32 n = 0;
		for (; n < COUNTERS && events[n].number; n++) {
			PMU_EVTYPER(n) = events[n].number;
			PMU_EVCNTR(n) = 0;
		}
		piece();
		for (u32 i = 0; i < n; i++) {
			print("  ");
			print_hex(events[i].name, PMU_EVCNTR(i));
		}
		line();
		events += n;
	}
}

/* Where data lies: DTCM, memory that the data cache holds, memory that it leaves alone. */
static void places(void)
{
	static const struct event place[] = {
		{ 0x13, "MEM_ACCESS" }, { 0x4008, "DTCM" }, { 0x04, "L1D" }, { 0x40, "L1D_RD" }, { 0x06, "LD" }, { 0x0F, "UNALIGNED" }, { 0, 0 },
	};
	count("near", integer_memory, place);
	count("far, cache off", far_memory, place);
	R32(0xE000ED14) |= 1 << 16; /* CCR.DC */
	count("near, cache on", integer_memory, place);
	count("far", far_memory, place);
	count("far vectors", far_vectors, place);
	R32(0xE000EDC0) = 0x44; /* Normal, not cacheable */
	R32(0xE000ED98) = 0;
	R32(0xE000ED9C) = 0x31000000 | 1;
	R32(0xE000EDA0) = 0x310003E0 | 1;
	R32(0xE000ED94) = 5;
	BARRIER();
	count("far, not cacheable", far_memory, place);
	R32(0xE000ED94) = 0;
	R32(0xE000ED14) &= ~(1u << 16);
}

static void monitor(void)
{
	interrupts++;
	print_hex("  dfsr", DFSR);
	print_hex("overflow", PMU_OVSCLR);
	line();
	DFSR = 0xFFFFFFFF;
	PMU_OVSCLR = 0xFF;
	PMU_CNTENSET = 0;
	R32(0xE0003C20) = 0xFF;
}

static void overflow(void)
{
	handler[12] = monitor;
	DEMCR = 1 << 24 | 1 << 16;
	PMU_EVTYPER(0) = 6;
	PMU_EVCNTR(0) = 0xFFF0;
	PMU_INTENSET = 1;
	PMU_CNTENSET = 1;
	u32 n = 0;
	while (!interrupts && n < 1000)
		n++;
	print_hex("  loads before", n);
	line();
}

/* Counters that freeze when one overflows; without DEMCR.TRCENA nothing counts. */
static void freeze(void)
{
	DEMCR = 1 << 24;
	PMU_CTRL = 1 | 1 << 9;
	PMU_EVTYPER(0) = 0;
	PMU_EVTYPER(1) = 0;
	PMU_EVCNTR(0) = 0xFFFE;
	PMU_EVCNTR(1) = 0;
	PMU_CNTENSET = 3;
	for (u32 i = 0; i < 5; i++)
		R32(0xE0003CA0) = 3;
	print_hex("  frozen", PMU_EVCNTR(0));
	print_hex("at", PMU_EVCNTR(1));
	PMU_OVSCLR = 0xFF;
	R32(0xE0003CA0) = 3;
	print_hex("then", PMU_EVCNTR(1));
	DEMCR = 0;
	R32(0xE0003CA0) = 3;
	print_hex("off", PMU_EVCNTR(1));
	line();
}

void scenario(void)
{
	static const struct event memory[] = {
		{ 0x06, "LD" }, { 0x07, "ST" }, { 0x08, "INST" }, { 0x0F, "UNALIGNED" }, { 0x13, "MEM_ACCESS" }, { 0, 0 },
	}, branch[] = {
		{ 0x08, "INST" }, { 0x0C, "PC_WRITE" }, { 0x0D, "BR_IMMED" }, { 0x0E, "BR_RETURN" }, { 0x21, "BR" },
		{ 0x100, "LE" }, { 0x06, "LD" }, { 0x1A, "MEMORY_ERROR" }, { 0, 0 },
	}, vector[] = {
		{ 0x200, "MVE" }, { 0x204, "FP" }, { 0x208, "HP" }, { 0x20C, "SP" }, { 0x214, "FP_MAC" }, { 0x224, "INT" },
		{ 0x228, "INT_MAC" }, { 0x238, "LDST" }, { 0x23C, "LD" }, { 0x240, "ST" }, { 0x244, "CONTIG" },
		{ 0x250, "NONCONTIG" }, { 0x25C, "MULTI" }, { 0x2A0, "REDUCE" }, { 0x2A4, "REDUCE_FP" }, { 0x2A8, "REDUCE_INT" },
		{ 0x06, "LD_RETIRED" }, { 0x07, "ST_RETIRED" }, { 0x13, "MEM_ACCESS" }, { 0x2B8, "PRED" }, { 0, 0 },
	}, lanes[] = {
		{ 0x200, "MVE" }, { 0x2B8, "PRED" }, { 0x100, "LE" }, { 0, 0 },
	};
	CPACR |= 0xF << 20;
	BARRIER();
	DEMCR = 1 << 24;
	count("memory", integer_memory, memory);
	count("branches", branches, branch);
	count("vectors", vectors, vector);
	count("predicated", predicated, lanes);
	places();
	print("overflow interrupt\n");
	overflow();
	print("freeze on overflow\n");
	freeze();
}
