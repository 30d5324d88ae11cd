/* SPDX-License-Identifier: Apache-2.0 */
/* Integrity checks of the exception return: EXC_RETURN values that do not fit, exceptions that are
 * not active, frames whose status register does not belong to the mode. After each attempt the
 * fault handler goes on behind the SVC. */
#include "lib.h"

#define SHCSR_SVCALLACT (1u << 7)
#define SHCSR_PENDSVACT (1u << 10)

static u32 new_return, new_psr_set, new_psr_clear, deactivate;

/* The trampoline's saved LR lies below the frame. */
static void spoil(void)
{
	if (new_return)
		main_frame[-1] = new_return;
	main_frame[7] = (main_frame[7] & ~new_psr_clear) | new_psr_set;
	if (deactivate)
		SHCSR &= ~deactivate;
}

static void attempt(const char *what)
{
	print(what);
	line();
	__asm volatile("ldr r2, =resume_pc\n adr r1, 1f\n str r1, [r2]\n .align 2\n nop\n svc 0\n nop\n .align 2\n 1: nop"
		       ::: "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory");
	resume_pc = 0;
	new_return = new_psr_set = new_psr_clear = deactivate = 0;
	print_hex("  active", SHCSR & 0xFFFF);
	print_hex("control", MRS(control));
	line();
	SHCSR = SHCSR_ALL;
}

/* Takes the place of the describing handler, whose return would be as wrong again. */
static void mend(void)
{
	print_hex("  fault", MRS(ipsr));
	print_hex("lr", main_frame[-1]);
	print_hex("cfsr", CFSR);
	line();
	CFSR = 0xFFFFFFFF;
	main_frame[-1] = 0xFFFFFFF9;
	main_frame[6] = resume_pc;
	main_frame[7] = 1 << 24;
}

static void later(void) { print("  PendSV\n"); }

static void pend_and_spoil(void)
{
	ICSR = 1 << 28;
	spoil();
}

static void pend_interrupt(void) { NVIC_ISPR = 1; }
static void become_nonsecure(void) { NVIC_ITNS = 1; }

static void show_interrupt(void)
{
	print_hex("  interrupts active", NVIC_IABR);
	line();
}

/* DeActivate() leaves an exception alone that targets the other state. */
static void other_target(void)
{
	IRQ_PRIO(0) = 0x80;
	NVIC_ISER = 1;
	handler[11] = pend_interrupt;
	handler[16] = become_nonsecure;
	attempt("interrupt that has become Non-secure");
	show_interrupt();
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	handler[5] = handler[6] = mend;
	handler[11] = spoil;
	attempt("nothing");
	new_return = 0xFFFFFFF1;
	attempt("to Handler mode, frame of Thread mode");
	new_psr_set = 14;
	attempt("to Thread mode, frame of an exception");
	new_psr_clear = 1 << 24;
	attempt("T clear");
	new_psr_set = 0x0600FC00;
	attempt("ITSTATE set");
	deactivate = SHCSR_SVCALLACT;
	attempt("not active");
	__asm volatile("msr psp, %0" :: "r"(0x5F000000));
	new_return = 0xFFFFFFFD;
	attempt("process stack where nothing is");
	__asm volatile("msr control, %0\n isb" :: "r"(0) : "memory");
	handler[14] = later;
	handler[11] = pend_and_spoil;
	SYS_PRIO(14) = 0xE0;
	attempt("tail-chained PendSV");
	new_return = 0xFFFFFFF1;
	attempt("tail-chained PendSV, then to Handler mode");
	SYS_PRIO(11) = 0x40;
	SYS_PRIO(14) = 0x20;
	attempt("PendSV preempts");
	handler[11] = spoil;
	__asm volatile("cpsid f");
	new_psr_set = 0;
	print_hex("faultmask", MRS(faultmask));
	ICSR = 1u << 31; /* NMI: FAULTMASK stays */
	BARRIER();
	print_hex("after NMI", MRS(faultmask));
	__asm volatile("cpsie f");
	line();
	attempt("at last");
	other_target();
}
