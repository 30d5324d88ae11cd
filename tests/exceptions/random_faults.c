/* SPDX-License-Identifier: Apache-2.0 */
/* Random exceptions of both Security states whose stacking, lazy stacking or handlers fail: stack limits, MPU
 * regions over frames, FP access taken away, faults that are disabled and escalate, in threads with privilege and without. Each round pends, faults,
 * calls the other state or uses vectors under such a constraint, handlers do the same again; who finds a frame that
 * was not written gives the whole round up. What handlers see goes into a hash that is printed now and then. */
#include <stddef.h>

#include "random.h"
#include "tz.h"
#include "random_actions.h"
#include "unwind.h"

#ifndef SEED
#define SEED 0x1D872B41
#endif
#ifndef ROUNDS
#define ROUNDS 8000
#endif
#ifdef TRACE_FROM
#define NOTE(v) do { u32 v_ = (v); note(v_); if (at_round >= TRACE_FROM) print_hex(#v, v_); } while (0)
#else
#define NOTE(v) note(v)
#endif

enum { ROOM = 0x8000 };
static char room[ROOM] __attribute__((aligned(64)));          /* the process stack */
static char ns_room[4096] __attribute__((section(".ns_data"), aligned(64)));
static u32 seed = SEED, at_round, depth, handled, given_up;
static volatile u32 ns_give_up __attribute__((section(".ns_data")));
static volatile u32 ns_plan __attribute__((section(".ns_data")));

void *memset(void *at, int value, size_t bytes)
{
	for (volatile char *p = at; bytes--; p++)
		*p = (char)value;
	return at;
}

static u32 random(void) { return next_random(&seed); }
static u32 chance(u32 n) { return random() % n == 0; }

/* What is in the way of what happens next, and what happens: read by the assembly below, which uses no stack. */
struct constraint {
	u32 mpu_s, mpu_ns;             /* MPU_CTRL */
	u32 msplim, psplim, msplim_ns, psplim_ns;
	u32 ispr, icsr, icsr_ns;       /* what is pended */
	u32 action;                    /* address of code, or 0 */
} next;

/* Pends and acts under the constraint, then takes it away. A thread that has become unprivileged asks for its rights by SVC before. */
__attribute__((naked, noinline)) static void under_constraint(const struct constraint *c)
{
	__asm("push {r4-r11, lr}\n mov r4, r0\n ldr r8, =0xe000ed94\n ldr r9, =0xe002ed94\n ldr r10, =0xe000e200\n"
	      "ldr r11, =0xe000ed04\n ldr r5, =extra_state\n"
	      "ldrd r0, r1, [r4, #8]\n msr msplim, r0\n msr psplim, r1\n"
	      "ldrd r0, r1, [r4, #16]\n msr msplim_ns, r0\n msr psplim_ns, r1\n"
	      "ldr r7, [r4, #24]\n ldrd r2, r3, [r4, #28]\n ldr r12, [r4, #36]\n ldrd r0, r1, [r4]\n"
	      "str r0, [r8]\n str r1, [r9]\n dsb\n isb\n"
	      "str r7, [r10]\n str r2, [r11]\n add r11, #0x20000\n str r3, [r11]\n dsb\n isb\n"
	      "blx r12\n"
	      "mrs r0, ipsr\n cbnz r0, 1f\n mrs r0, control\n tst r0, #1\n beq 1f\n svc 7\n 1:\n"
	      "bl no_constraint\n"
	      "pop {r4-r11, pc}\n .ltorg");
}

/* Uses r0 to r3 only, no stack. */
__attribute__((naked, used)) static void no_constraint(void)
{
	__asm("movs r0, #0\n ldr r1, =0xe000ed94\n str r0, [r1]\n add r1, #0x20000\n str r0, [r1]\n msr msplim, r0\n msr psplim, r0\n"
	      "msr msplim_ns, r0\n msr psplim_ns, r0\n dsb\n isb\n bx lr\n .ltorg");
}

static u32 near(u32 sp) { return (sp - 0x80 + (random() & 0xF8)) & ~7u; }

static void read_only(u32 alias, u32 addr)
{
	u32 r = random(), base = (addr - 0x100 + (r & 0x1E0)) & ~31u;
	R32(0xE000EDC0 + alias) = 0xFFFFFFFF;
	R32(0xE000ED98 + alias) = 0;
	R32(0xE000ED9C + alias) = base | 1 | (r & 0x1000 ? 2 << 1 : 0); /* read-only by privileged, or not by others */
	R32(0xE000EDA0 + alias) = ((base + (r >> 16 & 0x60)) & ~31u) | 1;
}

static u32 current_sp(void) { u32 v; __asm volatile("mov %0, sp" : "=r"(v)); return v; }

static void constrain(struct constraint *c)
{
	u32 r = random();
	*c = (struct constraint){ 0 };
	if (r % 8 == 0)
		*(MRS(control) & 2 && !MRS(ipsr) ? &c->psplim : &c->msplim) = near(current_sp() - 0x40);
	if ((r >> 16 & 7) == 0)
		c->msplim = near(MRS(msp));
	if ((r >> 20 & 7) == 0)
		c->msplim_ns = near(MRS(msp_ns));
	if ((r >> 23 & 7) == 0)
		c->psplim_ns = near(MRS(psp_ns));
	if (r >> 6 & 7)
		return;
	if (r >> 8 & 1) {
		read_only(0, r >> 9 & 1 && FPCAR ? FPCAR + 0x60 : current_sp());
		c->mpu_s = 5 | (r >> 10 & 2);
	}
	if (r >> 12 & 1) {
		read_only(0x20000, r >> 13 & 1 ? NS_ALIAS(FPCAR) + 0x40 : r >> 14 & 1 ? MRS(psp_ns) : MRS(msp_ns));
		c->mpu_ns = 5 | (r >> 15 & 2);
	}
}

/* Lockup would be the end: no faults at a negative priority. */
static u32 negative(void)
{
	return MRS(faultmask) || MRS(faultmask_ns) || SHCSR & 0x24 || NS_ALIAS(SHCSR) & 0x24;
}

static void act(void)
{
	struct constraint c;
	u32 r = random();
	if (negative())
		c = (struct constraint){ 0 };
	else
		constrain(&c);
	c.ispr = r & 1 ? 1u << (r >> 1 & 7) | (r & 0x10 ? 1u << (r >> 5 & 7) : 0) : 0;
	c.icsr = r >> 8 & 3 ? 0 : 1u << (r & 0x400 ? 28 : 26);
	c.icsr_ns = r >> 12 & 3 ? 0 : 1u << (r & 0x4000 ? 28 : 26);
	if (chance(24) && !negative())
		c.icsr = 1u << 31;
	c.action = negative() ? (u32)act_nothing : (u32)actions[random() % (sizeof(actions) / sizeof(actions[0]))];
	NOTE(c.action);
	if (!MRS(ipsr) && !negative() && chance(3)) {
		unprivileged_action = c.action;
		c.action = (u32)act_unprivileged;
	}
	ns_plan = negative() ? 0 : random();
	next = c;
	under_constraint(&next);
}

static void look(void)
{
	NOTE(MRS(ipsr));
	NOTE(MRS(control));
	NOTE(FPCCR);
	NOTE(NS_ALIAS(FPCCR));
	NOTE(FPCAR);
	NOTE(NS_ALIAS(FPCAR));
	NOTE(SHCSR);
	NOTE(NS_ALIAS(SHCSR));
	NOTE(NVIC_IABR);
	NOTE(NVIC_ISPR);
	NOTE(ICSR & ~0x800u); /* QEMU counts both banks of an exception as one */
	NOTE(MRS(msp_ns));
}

static void look_at_fp(void)
{
	u32 words[34];
	if (!CPACR)
		return;
	__asm volatile("vstmia %0, {s0-s31}\n vmrs r1, fpscr\n vmrs r2, p0\n str r1, [%0, #128]\n str r2, [%0, #132]"
		       :: "r"(words) : "r1", "r2", "memory");
	for (u32 i = 0; i < 34; i++)
		NOTE(words[i]);
}

static u32 *frame_of(u32 lr, u32 *msp, u32 *psp)
{
	if (lr & 0x40)
		return (lr & 0xC) == 0xC ? psp : msp;
	return (u32 *)((lr & 8) && (MRS(control_ns) & 2) ? MRS(psp_ns) : MRS(msp_ns));
}

static void drain(void)
{
	for (u32 i = 0; i < ns_count; i++)
		NOTE(ns_log[i]);
	ns_count = 0;
}

/* The frame cannot be relied on, or the fault is of an instruction that is not to be skipped. */
static u32 broken(u32 num, u32 cfsr, u32 sfsr)
{
	return num == 3 || cfsr & 0x00143838 || sfsr & 0xA6 || ns_give_up;
}

__attribute__((used)) static void on_secure(u32 lr, u32 *msp, u32 *psp)
{
	u32 num = MRS(ipsr), cfsr = CFSR, sfsr = SFSR & ~0x40u, *frame = frame_of(lr, msp, psp);
	depth++;
	handled++;
	drain();
	NOTE(lr);
	NOTE((u32)msp);
	NOTE((u32)psp);
	look();
	if (!(NSACR & 0x400) && cfsr & 0xC0000) /* QEMU has INVPC where the FPU is refused while unstacking */
		cfsr = 0x40000;
	NOTE(cfsr);
	NOTE(NS_ALIAS(CFSR));
	NOTE(HFSR);
	NOTE(sfsr);
	if (cfsr & 0x80)
		NOTE(MMFAR);
	if (cfsr & 0x8000)
		NOTE(BFAR);
	if (num >= 3 && num <= 7) {
		CFSR = 0xFFFFFFFF;
		HFSR = 0xFFFFFFFF;
		SFSR = 0xFFFFFFFF;
	}
	if (num >= 3 && num <= 7 && broken(num, cfsr, sfsr)) {
		given_up++;
		ns_give_up = 0;
		unwind();
	}
	if (num == 11)
		MSR(control, MRS(control) & ~1u);
	for (u32 i = 4; i < 8 && !broken(0, cfsr, sfsr); i++)
		NOTE(frame[i]);
	if (num >= 3 && num <= 7) {
		if (cfsr & 0x20101 || sfsr & 0x11)
			frame[6] = frame[5] & ~1u;
		else
			frame[6] += *(volatile uint16_t *)frame[6] >> 11 >= 0x1D ? 4 : 2;
		frame[7] = (frame[7] | 0x01000000) & ~0x0600FC00u;
	}
	if (depth < 5 && random() & 1)
		act();
	if (!negative() && chance(4))
		look_at_fp();
	look();
	depth--;
}

__attribute__((naked)) static void secure_entry(void)
{
	__asm("mov r12, lr\n bl no_constraint\n mov lr, r12\n mov r0, lr\n mrs r1, msp\n mrs r2, psp\n push {r4, lr}\n"
	      "bl on_secure\n pop {r4, pc}");
}

/* Non-secure: logs, skips the instruction of a fault, or has all given up (by a Secure access). */
NS_NAKED static void ns_entry(void)
{
	__asm("movs r0, #0\n msr msplim, r0\n msr psplim, r0\n ldr r1, =0xe000ed94\n str r0, [r1]\n dsb\n isb\n"
	      "mrs r2, msp\n push {r4-r6, lr}\n"
	      "ldr r1, =ns_log\n ldr r4, =ns_count\n ldr r3, [r4]\n cmp r3, #50\n it hi\n movhi r3, #0\n"
	      "mrs r5, ipsr\n cmp r5, #2\n ittt eq\n ldreq r0, =ns_plan\n moveq r6, #0\n streq r6, [r0]\n str r5, [r1, r3, lsl #2]\n add r3, #1\n str lr, [r1, r3, lsl #2]\n add r3, #1\n"
	      "str r2, [r1, r3, lsl #2]\n add r3, #1\n mrs r0, control\n str r0, [r1, r3, lsl #2]\n add r3, #1\n"
	      "ldr r6, =0xe000ed28\n ldr r0, [r6]\n str r0, [r1, r3, lsl #2]\n add r3, #1\n str r3, [r4]\n"
	      "cmp r5, #6\n bhi 2f\n mvn r3, #0\n str r3, [r6]\n str r3, [r6, #4]\n"
	      "cmp r5, #3\n beq 9f\n ldr r3, =0x00143838\n tst r0, r3\n bne 9f\n"
	      "sub r5, #4\n cmp r5, #2\n bhi 2f\n tst lr, #0x40\n bne 9f\n" /* MemManage, BusFault, UsageFault: of Non-secure code */
	      "tst lr, #4\n beq 1f\n tst lr, #8\n beq 1f\n mrs r2, psp\n"
	      "1: ldr r4, [r2, #24]\n ldr r3, =0x20101\n tst r0, r3\n itt ne\n ldrne r4, [r2, #20]\n bne 3f\n"
	      "ldrh r5, [r4]\n lsr r5, #11\n cmp r5, #0x1d\n ite ge\n addge r4, #4\n addlt r4, #2\n"
	      "3: bic r4, #1\n str r4, [r2, #24]\n ldr r4, [r2, #28]\n bic r4, #0xFC00\n bic r4, #0x06000000\n orr r4, #0x01000000\n str r4, [r2, #28]\n"
	      "2: bl ns_acts\n pop {r4-r6, pc}\n"
	      "9: ldr r0, =ns_give_up\n mov r1, #1\n str r1, [r0]\n ldr r0, =0x20000000\n ldr r0, [r0]\n b 9b\n .ltorg");
}

/* One thing after the other, as ns_plan says. */
NS_NAKED static void ns_acts(void)
{
	__asm("push {r4, lr}\n"
	      "0: ldr r0, =ns_plan\n ldr r4, [r0]\n lsr r1, r4, #4\n str r1, [r0]\n and r4, #15\n"
	      "ldr r0, =0xe000e200\n ldr r2, =0xe000ed04\n mov r3, #0x10000000\n"
	      "cmp r4, #0\n beq 9f\n"
	      "cmp r4, #1\n bne 1f\n vmov s1, r4\n"
	      "1: cmp r4, #2\n bne 2f\n udf 1\n"
	      "2: cmp r4, #3\n bne 3f\n svc 1\n"
	      "3: cmp r4, #4\n bne 4f\n mov r1, #0xC3\n str r1, [r0]\n dsb\n isb\n"
	      "4: cmp r4, #5\n bne 5f\n str r3, [r2]\n dsb\n isb\n"
	      "5: cmp r4, #6\n bne 6f\n ldr r1, =gate_act\n blx r1\n b 0b\n"
	      "6: cmp r4, #7\n bne 7f\n ldr r1, =0x20000000\n ldr.w r1, [r1]\n"
	      "7: cmp r4, #8\n bne 8f\n ldr r1, =0x101\n blx r1\n b 0b\n"
	      "8: cmp r4, #9\n bne 10f\n vadd.i32 q1, q2, q3\n"
	      "10: cmp r4, #10\n bhi 9f\n b 0b\n"
	      "9: pop {r4, pc}\n .ltorg");
}

__attribute__((used)) static void gate_body(void)
{
	drain();
	look();
	if (depth < 4) {
		depth++;
		if (random() & 1)
			act();
		depth--;
	}
}
__attribute__((section(".gateway"), naked, used)) static void gate_act(void) { __asm("sg\n b.w secure_act\n"); }
__attribute__((naked, used)) static void secure_act(void)
{
	__asm("mov r12, lr\n bl no_constraint\n mov lr, r12\n push {r4, lr}\n bl gate_body\n pop {r4, lr}\n bxns lr");
}

static void (*secure_table[64])(void) __attribute__((aligned(256)));
static void (*ns_table[64])(void) __attribute__((section(".ns_data"), aligned(256)));

static void configure(void)
{
	u32 r = random();
	for (u32 i = 0; i < 8; i++) /* QEMU has eight bits of priority, the boards three */
		IRQ_PRIO(i) = random() & 0xE0;
	for (u32 i = 4; i < 16; i += i == 11 ? 3 : 1) { /* not DebugMonitor: QEMU has it in both views */
		SYS_PRIO(i) = random() & 0xE0;
		R8(0xE002ED14 + i) = random() & 0xE0;
	}
	AIRCR = 0x05FA0000 | (r & 0x700) | (r & 0x1000 ? 0x4000 : 0) | (r & 0x6000 ? 0 : 0x2000);
	NS_ALIAS(AIRCR) = 0x05FA0000 | (r >> 16 & 1 ? r & 0x700 : r >> 4 & 0x700);
	/* QEMU takes BusFault and SecureFault for Non-secure where it compares their priority. */
	u32 same = !(AIRCR & 0x4000) && !((AIRCR ^ NS_ALIAS(AIRCR)) & 0x700) ? 0xF0000 : 0x50000;
	r = random();
	NVIC_ITNS = r & 0xFF;
	SHCSR = (r >> 8 & 7 ? SHCSR_ALL : r) & same;
	NS_ALIAS(SHCSR) = (r >> 11 & 7 ? SHCSR_ALL : r >> 4) & same;
	FPCCR = 0xC0000004 ^ (r >> 10 & 1 ? 0 : 0x40000000) ^ (r & 3u << 26) ^ (r & 1u << 28);
	NS_ALIAS(FPCCR) = 0x80000000 | (r & 0x40000000);
	r = random();
	CPACR = r & 15 ? 0xF << 20 : 0;
	NSACR = r >> 6 & 15 ? 3 << 10 : 0;
	NS_ALIAS(CPACR) = r >> 3 & 7 || !NSACR ? 0xF << 20 : 0; /* not both: QEMU looks at NSACR first when it clears */
	CCR = 0x200 | (r >> 9 & 1) << 4;
	MSR(basepri, r >> 10 & 7 ? 0 : r >> 16 & 0xE0);
	MSR(basepri_ns, r >> 13 & 7 ? 0 : r >> 24 & 0xE0);
	MSR(msp_ns, (u32)ns_stack_top);
	MSR(psp_ns, (u32)ns_room + sizeof(ns_room));
	MSR(control_ns, random() & 3);
	BARRIER();
}

/* The thread of a round: begins on an empty main stack. */
__attribute__((used)) static void rounds(void)
{
	while (at_round < ROUNDS) {
		at_round++;
		depth = 0;
		configure();
		MSR(psp, (u32)room + ROOM);
		if (random() & 1)
			start_on_process_stack();
		for (u32 i = random() & 3; i < 4; i++) {
			if (CPACR && chance(2))
				__asm volatile("vmov s1, %0\n vmov s20, %0" :: "r"(at_round));
			if (chance(6))
				call_ns(ns_acts, 0, 0);
			act();
			drain();
			look();
		}
		unwind();
	}
	print("rounds done\n");
	finish();
}

void after_unwind(void)
{
	drain();
	look();
#ifdef TRACE_FROM
	if (at_round >= TRACE_FROM) {
		print_hex("\nround", at_round);
		print_hex("hash", hash);
		print_hex("seed", seed);
		line();
	}
#endif
	if (at_round % 1000 == 0) {
		print_hex("round", at_round);
		print_hex("hash", hash);
		print_hex("handled", handled);
		print_hex("given up", given_up);
		line();
	}
	rounds();
}

void scenario(void)
{
	sau_on();
	for (u32 i = 0; i < 63; i++) {
		secure_table[i + 1] = (void (*)(void))((u32)secure_entry | 1);
		ns_table[i + 1] = (void (*)(void))((u32)ns_entry | 1);
	}
	VTOR = (u32)secure_table;
	NS_ALIAS(VTOR) = (u32)ns_table;
	NVIC_ISER = 0xFF;
	BARRIER();
	rounds();
}
