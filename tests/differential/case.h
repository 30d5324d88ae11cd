/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of the batch file that the guest reads and of the result file that it writes, and where
 * things lie in guest memory. Shared by guest and host; little-endian words only.
 *
 * Batch file: struct batch_head, then `count` cases, each a struct case_in and its code.
 * Result file: for each case a struct case_out and its changed words. */
#ifndef TESTS_DIFFERENTIAL_CASE_H
#define TESTS_DIFFERENTIAL_CASE_H

#define CASE_MAGIC 0x31534143u

/* Guest addresses. Code lies below 64 KiB so that one MOVW makes a code address. */
#define CASE_CODE 0x0000c000u      /* page for the sequences, 16 KiB, read-only to them */
#define CASE_CODE_BYTES 0x4000u
/* The end of the code page never changes. Gates into Secure state and functions in Non-secure
 * state, CASE_ENTRY_BYTES each; then the Non-secure vectors. */
#define CASE_ENTRY_BYTES 32u
#define CASE_GATES (CASE_CODE + 0x3800u)
#define CASE_GATE_COUNT 4u
#define CASE_FUNCTIONS (CASE_CODE + 0x3c00u)
#define CASE_FUNCTION_COUNT 4u
#define CASE_VECTORS_NS (CASE_CODE + 0x3e00u)
/* All that sequences may write: the same at the beginning of each, so that none depends on another. */
#define CASE_MOAT 0x2001f000u
#define CASE_MOAT_BYTES 0x3400u
#define CASE_STACK_NS (CASE_MOAT + CASE_MOAT_BYTES) /* 1 KiB for the Non-secure main stack */
#define CASE_MSP_NS (CASE_STACK_NS + 0x400u)
#define CASE_BLOCK 0x20020000u     /* set from the pool before and compared after; the rest is cleared */
#define CASE_BLOCK_WORDS 512u
#define CASE_STACK (CASE_BLOCK + 0x600u)
/* Stack of sequences that are interrupted: frames lie below it at other times on either side, so that
 * neither the comparison nor an address of a sequence (block, offset of up to 6 bits of doublewords)
 * comes near. */
#define CASE_FAR_STACK (CASE_BLOCK + 0x2000u)
#define CASE_MAIN_STACK 0x20006000 /* its first byte: below lies what the test keeps, which sequences must not reach */
#define CASE_MSP 0x20008000        /* main stack as privileged sequences see it */
#define CASE_POOL_WORDS 4096u
#define CASE_MAX_CODE_WORDS 512u

/* Last instruction of every sequence: UDF #0xEE. */
#define CASE_END 0xdeeeu

#ifndef __ASSEMBLER__
#include <stdint.h>

struct batch_head {
	uint32_t magic, count;
	uint32_t pool[CASE_POOL_WORDS]; /* contents of memory blocks are windows of this */
};

#define CCR_UNALIGN_TRP (1u << 3)
#define CCR_DIV_0_TRP (1u << 4)

/* What a sequence runs under. */
struct case_env {
	uint32_t nonsecure;
	uint32_t control; /* CONTROL.nPRIV */
	uint32_t ccr;     /* CCR.UNALIGN_TRP and DIV_0_TRP */
	uint32_t fpccr;   /* FPCCR.ASPEN and LSPEN */
	uint32_t psplim;
	uint32_t basepri;
	uint32_t hole;    /* 32 bytes inside the block without access; 0: none */
	uint32_t tick;    /* cycles between interrupts that must leave no trace; 0: none */
};

struct case_in {
	uint32_t id;
	uint32_t code_words;
	uint32_t pc;          /* even; in [CASE_CODE, CASE_CODE + CASE_CODE_BYTES - 2048) */
	uint32_t pool_offset; /* words, below CASE_POOL_WORDS - CASE_BLOCK_WORDS */
	struct case_env env;
	uint32_t r[15];       /* r13: PSP */
	uint32_t xpsr;        /* NZCVQ, GE and ECI only */
	uint32_t fpscr, vpr;
	uint32_t s[32];
	/* followed by code_words words of code, to be put at pc (lower halfword first) */
};

enum case_special {
	SPECIAL_CONTROL, SPECIAL_PRIMASK, SPECIAL_BASEPRI, SPECIAL_FAULTMASK, SPECIAL_PSPLIM, SPECIAL_MSPLIM, SPECIAL_MSP,
	SPECIAL_CONTROL_NS, SPECIAL_PRIMASK_NS, SPECIAL_BASEPRI_NS, SPECIAL_FAULTMASK_NS, SPECIAL_PSPLIM_NS,
	SPECIAL_MSPLIM_NS, SPECIAL_MSP_NS, SPECIAL_PSP_NS, SPECIAL_PSP, SPECIAL_COUNT
};

struct case_out {
	uint32_t id;
	uint32_t vector;      /* exception that ended it: 6 with cfsr 0x10000 at the end = normal */
	uint32_t cfsr, hfsr, sfsr, far;
	uint32_t pc;          /* stacked */
	uint32_t r[15];
	uint32_t xpsr;        /* stacked, without bit 9 */
	uint32_t fpscr, vpr;
	uint32_t s[32];
	uint32_t exc_return;
	uint32_t special[SPECIAL_COUNT];
	uint32_t changed;     /* words of the block that differ: index << 16 pairs follow */
	/* followed by `changed` pairs {index, value} */
};
#endif

#endif
