/* SPDX-License-Identifier: Apache-2.0 */
/* What the scenario programs share: printing by semihosting, registers, a handler that
 * describes the exception it was entered by. The same image runs on fvp-sim and on QEMU. */
#ifndef TESTS_EXCEPTIONS_LIB_H
#define TESTS_EXCEPTIONS_LIB_H

#include <stdint.h>

typedef uint32_t u32;
typedef volatile u32 reg;

#define R32(addr) (*(reg *)(addr))
#define R8(addr) (*(volatile uint8_t *)(addr))
#define SYST_CSR R32(0xE000E010)
#define SYST_RVR R32(0xE000E014)
#define SYST_CVR R32(0xE000E018)
#define NVIC_ISER R32(0xE000E100)
#define NVIC_ICER R32(0xE000E180)
#define NVIC_ISPR R32(0xE000E200)
#define NVIC_ICPR R32(0xE000E280)
#define NVIC_IABR R32(0xE000E300)
#define NVIC_ITNS R32(0xE000E380)
#define IRQ_PRIO(n) R8(0xE000E400 + (n))
#define ICSR R32(0xE000ED04)
#define VTOR R32(0xE000ED08)
#define AIRCR R32(0xE000ED0C)
#define SCR R32(0xE000ED10)
#define CCR R32(0xE000ED14)
#define SYS_PRIO(n) R8(0xE000ED14 + (n)) /* exception number 4..15 */
#define SHCSR R32(0xE000ED24)
#define CFSR R32(0xE000ED28)
#define HFSR R32(0xE000ED2C)
#define MMFAR R32(0xE000ED34)
#define BFAR R32(0xE000ED38)
#define CPACR R32(0xE000ED88)
#define NSACR R32(0xE000ED8C)
#define MPU_CTRL R32(0xE000ED94)
#define MPU_RNR R32(0xE000ED98)
#define MPU_RBAR R32(0xE000ED9C)
#define MPU_RLAR R32(0xE000EDA0)
#define MPU_MAIR0 R32(0xE000EDC0)
#define SAU_CTRL R32(0xE000EDD0)
#define SAU_RNR R32(0xE000EDD8)
#define SAU_RBAR R32(0xE000EDDC)
#define SAU_RLAR R32(0xE000EDE0)
#define SFSR R32(0xE000EDE4)
#define SFAR R32(0xE000EDE8)
#define DEMCR R32(0xE000EDFC)
#define STIR R32(0xE000EF00)
#define FPCCR R32(0xE000EF34)
#define FPCAR R32(0xE000EF38)
#define NS_ALIAS(r) (*(reg *)((u32)&(r) + 0x20000))

/* Of headers that one file per program includes: not every program needs each part. */
#define MAYBE_UNUSED __attribute__((unused))

#define SHCSR_ALL 0x000F0000u

#define MRS(name) ({ u32 v_; __asm volatile("mrs %0, " #name : "=r"(v_)); v_; })
#define MSR(name, value) __asm volatile("msr " #name ", %0" :: "r"(value) : "memory")
#define BARRIER() __asm volatile("dsb\n isb" ::: "memory")

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
