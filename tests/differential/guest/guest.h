/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the guest: registers, files of the host, the protected world that sequences run in. */
#ifndef TESTS_DIFFERENTIAL_GUEST_H
#define TESTS_DIFFERENTIAL_GUEST_H

#include "../case.h"

#define REG(address) (*(volatile uint32_t *)(address))
#define ICSR REG(0xe000ed04)
#define CCR REG(0xe000ed14)
#define SHCSR REG(0xe000ed24)
#define CFSR REG(0xe000ed28)
#define HFSR REG(0xe000ed2c)
#define MMFAR REG(0xe000ed34)
#define BFAR REG(0xe000ed38)
#define CPACR REG(0xe000ed88)
#define NVIC_ISER REG(0xe000e100)
#define NVIC_ICPR REG(0xe000e280)
#define MPU_CTRL REG(0xe000ed94)
#define MPU_RNR REG(0xe000ed98)
#define MPU_RBAR REG(0xe000ed9c)
#define MPU_RLAR REG(0xe000eda0)
#define MPU_MAIR0 REG(0xe000edc0)
#define SAU_CTRL REG(0xe000edd0)
#define SAU_RNR REG(0xe000edd8)
#define SAU_RBAR REG(0xe000eddc)
#define SAU_RLAR REG(0xe000ede0)
#define SFSR REG(0xe000ede4)
#define VTOR REG(0xe000ed08)
#define NSACR REG(0xe000ed8c)
#define NS(r) REG((uint32_t)&(r) + 0x20000)
#define FPCCR REG(0xe000ef34)
#define FPDSCR REG(0xe000ef3c)
#define SYST_CSR REG(0xe000e010)
#define SYST_RVR REG(0xe000e014)
#define SYST_CVR REG(0xe000e018)

#define SHCSR_NS_ENABLED (5u << 16) /* MemManage and UsageFault of the Non-secure state */

#define MRS(name) ({ uint32_t v_; __asm__ volatile("mrs %0, " #name : "=r"(v_)); v_; })
#define MSR(name, value) __asm__ volatile("msr " #name ", %0" :: "r"(value) : "memory")

/* The code page is read-only where it runs; ITCM's other address writes it. */
#define CODE_ALIAS 0x10000000u
/* Buffers of the files; results are made in place, so a whole one must fit behind the first byte. */
#define IN_BUFFER 0x20040000u
#define IN_BYTES 0x10000u
#define OUT_BUFFER 0x20060000u
#define OUT_BYTES 0x10000u

/* Eight words at a time: most of what the guest executes is this. */
#define EIGHT "{r2-r6, r8, r9, r12}"
#define EIGHT_CLOBBERED "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r12", "memory"

static inline void copy(volatile uint32_t *to, const volatile uint32_t *from, uint32_t words)
{
	for (; words >= 8; words -= 8)
		__asm__ volatile("ldmia %1!, " EIGHT "\n\tstmia %0!, " EIGHT : "+r"(to), "+r"(from) :: EIGHT_CLOBBERED);
	while (words--)
		*to++ = *from++;
}

/* Sets [from, to), some multiple of 32 bytes, to zero. */
static inline void clear(uint32_t from, uint32_t to)
{
	__asm__ volatile("movs r2, #0\n\tmovs r3, #0\n\tmovs r4, #0\n\tmovs r5, #0\n\tmovs r6, #0\n\t"
			 "mov r8, r2\n\tmov r9, r2\n\tmov r12, r2\n"
			 "1:\tstmia %0!, " EIGHT "\n\tcmp %0, %1\n\tblo 1b" : "+r"(from) : "r"(to) : EIGHT_CLOBBERED, "cc");
}

/* files.c: by semihosting. Whatever fails ends the guest, with a status of its own. */
enum { FAIL_OPEN = 1, FAIL_READ, FAIL_WRITE };
void files_open(void);
void files_read(uint32_t *to, uint32_t words);
void *files_result(void);                 /* where the next result goes */
void files_result_end(const void *end);   /* behind its last byte */
__attribute__((noreturn)) void files_close(void); /* writes what is left and exits */
__attribute__((noreturn)) void leave(uint32_t status);

/* world.c: memory protection and attribution. */
void world_open(void);
void world_state(uint32_t nonsecure); /* the state sequences run in; what they call is always in the other */
void world_moat(uint32_t hole);       /* the block and what surrounds it, without the 32 bytes at `hole`; 0: all */
void world_wipe(uint32_t pc, uint32_t words); /* no code of the case before at pc */

#endif
