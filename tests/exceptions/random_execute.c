/* SPDX-License-Identifier: Apache-2.0 */
/* Random SAU and MPU regions over code that is entered anywhere: it runs to a return or to the first halfword
 * that may not be executed. Secure with and without privilege, and Non-secure; a hash of where each run ended
 * and how far it came is printed now and then. QEMU looks at permissions only where its translation blocks
 * begin: with regions of whole KiB (its pages) it agrees. The expected text is that of an engine that checked
 * every fetch by itself. */
#include "keep_alive.h"
#include "random.h"
#include "tz.h"

static u32 seed = 0x2545F491, faults, runs[3];
static uint16_t arena[4096] __attribute__((aligned(4096)));

static u32 random(void) { return next_random(&seed); }

/* Counts in r0; narrow and wide, loads of the code itself, short branches. Any halfword is an instruction
 * that does no harm. */
static void fill(void)
{
	for (u32 i = 0; i < 4096; i++) {
		u32 r = random();
		switch (r % 16) {
		case 0: arena[i] = 0x4770; break;                        /* bx lr */
		case 1: arena[i] = 0x4A00 | (r >> 8 & 15); break;        /* ldr r2, [pc, #] */
		case 2: arena[i] = 0xE000 | (r >> 8 & 15); break;        /* b forwards */
		case 4: arena[i] = 0x2800 | (r >> 8 & 15); break;        /* cmp r0, # */
		case 5: case 6: case 7: case 8: case 9:                  /* add.w r0, r0, #2; adds r0, #2 at its half */
			if (i < 4094) {
				arena[i++] = 0xF100;
				arena[i] = 0x0002;
			}
			break;
		}
	}
	for (u32 i = 4080; i < 4096; i++)
		arena[i] = 0x4770;
}

static u32 inside(u32 last)
{
	u32 end = (u32)arena + sizeof(arena) - 32;
	return last > end ? end : last & ~31u;
}

static void random_region(u32 ns)
{
	u32 r = random(), base = (u32)arena + (random() & 0x1FE0), alias = ns ? 0x20000 : 0;
	u32 last = inside(base + (r & 1 ? r >> 8 & 0x1FE0 : r >> 8 & 0xE0));
	R32(0xE000ED98 + alias) = 4 + (r >> 30);
	R32(0xE000ED9C + alias) = base | (r >> 24 & 2 ? 6 : r >> 24 & 7);
	R32(0xE000EDA0 + alias) = last | (r >> 2 & 7 ? 1 : 0);
}

static void random_attribution(void)
{
	u32 r = random(), base = (u32)arena + (random() & 0x1FE0);
	SAU_RNR = 4 + (r & 3);
	SAU_RBAR = base;
	SAU_RLAR = inside(base + (r >> 8 & 0x1FE0)) | (r >> 4 & 1);
}

static void regain(void) { MSR(control, 0); }

static u32 run_secure(u32 addr, u32 unprivileged)
{
	register u32 r0 __asm("r0") = 0, r4 __asm("r4") = addr | 1, r5 __asm("r5") = unprivileged;
	__asm volatile("adr.w r6, 1f\n orr r6, #1\n ldr r7, =resume_pc\n str r6, [r7]\n msr control, r5\n isb\n"
		       "movs r1, #0\n mov r2, #0\n blx r4\n"
		       ".align 2\n1: nop\n svc #0\n"
		       : "+r"(r0), "+r"(r4), "+r"(r5) :: "r1", "r2", "r3", "r6", "r7", "r12", "lr", "cc", "memory");
	return r0;
}

NS_NAKED static void ns_leave(void) { __asm("ldr lr, =0xfeffffff\n bx lr\n .ltorg"); }

static u32 run_ns(u32 addr)
{
	resume_pc = (u32)ns_leave;
	MSR(msp_ns, (u32)ns_stack_top);
	return call_ns((void (*)(void))addr, 0, 0);
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	quiet = 1;
	handler[11] = regain;
	sau_on();
	fill();
	print_hex("arena", (u32)arena);
	line();
	keep_alive(0, 0x20004000);
	keep_alive(0x20000, 0x20004000);
	for (u32 i = 0; i < 20000; i++) {
		u32 r = random(), addr = (u32)arena + (random() & 0x1FFE), ns, value;
		switch (r >> 28) {
		case 0: case 1: case 2: random_region(0); break;
		case 3: case 4: random_region(1); break;
		case 5: random_attribution(); break;
		case 6: MPU_CTRL = r >> 8 & 5; break;
		case 7: NS_ALIAS(MPU_CTRL) = r >> 8 & 5; break;
		case 8: arena[r >> 4 & 0xFFF] = 0x3001; break;
		default: break;
		}
		BARRIER();
		last_frame = 0;
		__asm volatile("tt %0, %1" : "=r"(ns) : "r"(addr));
		ns = !(ns >> 22 & 1);
		value = ns ? run_ns(addr) : run_secure(addr, r & 1);
		runs[ns ? 2 : r & 1]++;
		resume_pc = 0;
		note(addr);
		if (last_frame) {
			faults++;
			note(last_pc);
			note(last_return);
		}
		note(value);
		if (i % 1000 == 999) {
			print_hex("step", i);
			print_hex("hash", hash);
			print_hex("faults", faults);
			for (u32 k = 0; k < 3; k++)
				print_hex("runs", runs[k]);
			line();
		}
	}
}
