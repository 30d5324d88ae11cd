/* SPDX-License-Identifier: Apache-2.0 */
/* What the scenario programs share: printing by semihosting, registers, a handler that
 * describes the exception it was entered by. The same image runs on fvp-sim and on QEMU. */
#ifndef TESTS_EXCEPTIONS_LIB_H
#define TESTS_EXCEPTIONS_LIB_H

#include "../core_registers.h"

typedef volatile u32 reg;

/* Of interrupts 0 to 31. */
#define NVIC_ISER R32(0xE000E100)
#define NVIC_ICER R32(0xE000E180)
#define NVIC_ISPR R32(0xE000E200)
#define NVIC_ICPR R32(0xE000E280)
#define NVIC_IABR R32(0xE000E300)
#define NVIC_ITNS R32(0xE000E380)
#define IRQ_PRIO(n) R8(0xE000E400 + (n))
#define NS_ALIAS(r) (*(reg *)((u32)&(r) + 0x20000))

/* Of headers that one file per program includes: not every program needs each part. */
#define MAYBE_UNUSED __attribute__((unused))

#define SHCSR_ALL 0x000F0000u

void print(const char *text);
void print_hex(const char *name, u32 value); /* "name=12345678 " */
void line(void);
void finish(void) __attribute__((noreturn));

/* The scenario. */
void scenario(void);

/* Handlers: vector n goes to handler[n] when set, else to the describing one. */
extern void (*volatile handler[48])(void);
extern volatile u32 resume_pc;   /* where the describing handler returns to; 0: after the instruction */
extern volatile u32 quiet;       /* describe nothing */
extern volatile u32 *main_frame; /* main stack pointer at the entry: the frame, of code that uses that stack */
extern volatile u32 *last_frame; /* frame of the exception described last */
extern u32 last_return, last_pc; /* its EXC_RETURN and where it came from */

void mpu_region(u32 n, u32 base, u32 last, u32 ap, u32 xn);

extern char stack_top[], process_top[], ns_stack_top[], gateway_first[], gateway_last[];

#endif
