/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of the batch file that the guest reads and of the result file that it writes, and where
 * things lie in guest memory. Shared by guest and host; little-endian words only.
 *
 * Batch file: struct batch_head, then `count` cases, each a struct case_in and its code.
 * Result file: for each case a struct case_out and its changed words. */
#ifndef TESTS_DIFFERENTIAL_CASE_H
#define TESTS_DIFFERENTIAL_CASE_H

#include <stdint.h>

#define CASE_MAGIC 0x31534143u

/* Guest addresses. Code lies below 64 KiB so that one MOVW makes a code address. */
#define CASE_CODE 0x0000c000u      /* page for the sequences, 16 KiB, read-only to them */
#define CASE_CODE_BYTES 0x4000u
#define CASE_MOAT 0x20010000u      /* writable by the sequences, 128 KiB */
#define CASE_MOAT_BYTES 0x20000u
#define CASE_BLOCK 0x20020000u     /* middle of it: set from the pool before and compared after */
#define CASE_BLOCK_WORDS 512u
#define CASE_MARGIN_WORDS 1024u    /* on both sides of it: cleared after a fault */
#define CASE_STACK (CASE_BLOCK + 0x600u)
#define CASE_POOL_WORDS 4096u
#define CASE_MAX_CODE_WORDS 512u

/* Last instruction of every sequence: UDF #0xEE. */
#define CASE_END 0xdeeeu

struct batch_head {
	uint32_t magic, count;
	uint32_t pool[CASE_POOL_WORDS]; /* contents of memory blocks are windows of this */
};

struct case_in {
	uint32_t id;
	uint32_t code_words;
	uint32_t pc;          /* even; in [CASE_CODE, CASE_CODE + CASE_CODE_BYTES - 2048) */
	uint32_t pool_offset; /* words, below CASE_POOL_WORDS - CASE_BLOCK_WORDS */
	uint32_t control;     /* bit 0: unprivileged */
	uint32_t r[15];       /* r13: PSP */
	uint32_t xpsr;        /* NZCVQ and GE only */
	uint32_t fpscr, vpr;
	uint32_t s[32];
	/* followed by code_words words of code, to be put at pc (lower halfword first) */
};

enum case_vector { CASE_VECTOR_SYSTICK = 15 };

struct case_out {
	uint32_t id;
	uint32_t vector;      /* exception that ended it: 6 with cfsr 0x10000 at the end = normal */
	uint32_t cfsr, hfsr, sfsr, far;
	uint32_t pc;          /* stacked */
	uint32_t r[15];
	uint32_t xpsr;        /* stacked, without bit 9 */
	uint32_t fpscr, vpr;
	uint32_t s[32];
	uint32_t changed;     /* words of the block that differ: index << 16 pairs follow */
	/* followed by `changed` pairs {index, value} */
};

#endif
