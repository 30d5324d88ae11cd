/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled code with -mbranch-protection=standard on a Cortex-M85: calls through pointers, jump
 * tables, tail calls and interrupts with BTI and PAC enabled; then what must not be reached, and
 * a return address that was changed. QEMU 7.2 has no such core. */
#include "lib.h"

#define BTI_EN 0x10
#define PAC_EN 0x40

static volatile u32 ticks;
static void tick(void) { ticks++; }

typedef u32 function(u32);
static u32 twice(u32 x) { return 2 * x; }
static u32 thrice(u32 x) { return 3 * x; }
static u32 square(u32 x) { return x * x; }
static function *volatile const functions[] = { twice, thrice, square };

__attribute__((noinline)) static u32 apply(function *f, u32 x) { return f(x); } /* a tail call: BX */

__attribute__((noinline)) static u32 table(u32 x)
{
	switch (x & 7) {
	case 0: return functions[0](x) + 11;
	case 1: return functions[1](x) ^ 5;
	case 2: return functions[2](x) - 3;
	case 3: return functions[0](x) * 7;
	case 4: return functions[1](x) | 64;
	case 5: return functions[2](x) >> 1;
	default: return x;
	}
}

__attribute__((noinline)) static u32 work(void)
{
	u32 sum = 0;
	for (u32 i = 0; i < 20000; i++)
		sum = sum * 31 + apply(functions[i % 3], i) + table(sum);
	return sum;
}

/* No landing pad at its start: the compiler would put one in a function of its own. */
extern char bare[];
__asm(".text\n .balign 4\n bare: nop\n bx lr");

/* Changes its own return address on the stack: AUT must notice. */
__attribute__((naked, noinline, used)) static void changed(void)
{
	__asm volatile("pac r12, lr, sp\n push {r12, lr}\n ldr r0, [sp, #4]\n eor r0, #2\n str r0, [sp, #4]\n"
		       "pop {r12, lr}\n aut r12, lr, sp\n bx lr");
}

/* Branches to `bare` as the instruction says; the handler goes on behind it. */
#define REACH(text, instruction) do { \
		print(text "\n"); \
		__asm volatile("ldr r2, =resume_pc\n adr r1, 1f\n str r1, [r2]\n mov r0, %0\n push {r0}\n mov r1, sp\n" \
			       instruction "\n .align 2\n 1: add sp, #4" \
			       :: "r"((u32)bare | 1) : "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory"); \
	} while (0)

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	handler[15] = tick;
	u32 plain = work();
	__asm volatile("msr control, %0\n isb" :: "r"(MRS(control) | BTI_EN | PAC_EN) : "memory");
	SYST_RVR = 997;
	SYST_CVR = 0;
	SYST_CSR = 7;
	print_hex("same result", work() == plain);
	SYST_CSR = 0;
	print_hex("interrupts", ticks > 100);
	line();
	REACH("blx", "blx r0");
	REACH("bx", "bx r0");
	REACH("ldr pc", "ldr pc, [r1]");
	REACH("ldm", "sub r1, #4\n ldm r1, {r3, pc}");
	print("allowed: bx lr, pop, mov pc\n");
	__asm volatile("adr r1, 1f\n orr lr, r1, #1\n bx lr\n .align 2\n 1: adr r1, 2f\n orr r1, #1\n push {r1}\n pop {pc}\n .align 2\n"
		       "2: adr r1, 3f\n mov pc, r1\n .align 2\n 3: nop" ::: "r1", "lr", "memory");
	print("changed return address\n");
	__asm volatile("adr r1, 1f\n ldr r2, =resume_pc\n str r1, [r2]\n bl changed\n .align 2\n 1: nop\n .pool"
		       ::: "r0", "r1", "r2", "r3", "r12", "lr", "memory");
	/* This function was entered without PAC. */
	__asm volatile("msr control, %0\n isb" :: "r"(MRS(control) & ~(u32)(BTI_EN | PAC_EN)) : "memory");
}
