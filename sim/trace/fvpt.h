/* SPDX-License-Identifier: Apache-2.0 */
/* The compact binary trace, as docs/reference/formats.md has it: what writer and reader agree on, and the reader. */
#ifndef SIM_TRACE_FVPT_H
#define SIM_TRACE_FVPT_H

#include "cpu/observe.h"
#include "sim/trace/tarmac_text.h"

#include <stdio.h>

#define FVPT_MAGIC "fvp-sim trace\n\0" /* 16 bytes with the final zero */
enum { FVPT_VERSION = 2, FVPT_HEAD = 24, FVPT_BLOCK_HEAD = 12, FVPT_RECORD_MAX = 2048 };
enum { FVPT_RECORDS_MAX = 1 << 20, FVPT_LOADS_MAX = 5 << 20, FVPT_BLOCK_MAX = FVPT_RECORDS_MAX + FVPT_LOADS_MAX };
enum { FVPT_SHAPES = 1 << 12, FVPT_SHAPE_LIST = 8, FVPT_REGISTERS = 96, FVPT_RUN_MAX = 1 << 16 };

/* First byte of a record. */
enum { FVPT_EVENT = 1, FVPT_JUMP = 2, FVPT_SHAPE = 4, FVPT_TIME = 8, FVPT_STATE = 16, FVPT_HEAD_BITS = 31 };
enum { FVPT_EXCEPTION = 2, FVPT_EXCEPTION_SECURE = 4, FVPT_RUN = 8, FVPT_CODE = 16, FVPT_ALL = 32 }; /* the other bits of an event's first byte */
enum { FVPT_CODE_IT = 8 }; /* an instruction of the code: 2 or 4 bytes, and this when its ITSTATE follows */
/* All registers, in this order, but for r15, which is first of all: those of the core, then S0 to S31. */
#define FVPT_EACH_CORE_REGISTER(X) \
	do { \
		for (u8 reg_ = 0; reg_ < 15; reg_++) \
			X(reg_); \
		X(CPU_REG_XPSR); \
		X(CPU_REG_FPSCR); \
		X(CPU_REG_VPR); \
	} while (0)
enum { FVPT_FLOATS = 32 };
/* State of an instruction; the number of the instruction follows when it is not the next one. */
enum { FVPT_SECURE = 1, FVPT_HANDLER = 2, FVPT_SKIPPED = 4, FVPT_ABANDONED = 8, FVPT_NUMBER = 16, FVPT_STATE_BITS = 31 };
enum { FVPT_ACCESS_WRITES = 8 }; /* an access: 1, 2 or 4 bytes, and this */

/* What an instruction did when it was last recorded: encoding, registers written, accesses. */
struct fvpt_shape {
	u32 pc, encoding;
	u32 addr; /* of its first access */
	u8 length, writes, accesses; /* length 0: nothing is known */
	u8 reg[FVPT_SHAPE_LIST], access[FVPT_SHAPE_LIST];
};

/* What a record is relative to. */
struct fvpt_context {
	u32 pc;        /* expected */
	u32 code;      /* likewise, of the next instruction of the code */
	u64 cycle, number;
	u8 state;
	u32 value[FVPT_REGISTERS];
	struct fvpt_shape shape[FVPT_SHAPES]; /* by pc >> 1 */
};

enum fvpt_result { FVPT_IS_INSTRUCTION, FVPT_IS_EXCEPTION, FVPT_IS_END, FVPT_IS_DAMAGED };

struct fvpt_reader;

/* Reads the head. NULL with a line in `why`: it is no such file, its version is unknown, or host memory is short. The file stays the caller's. */
struct fvpt_reader *fvpt_reader_new(FILE *f, char *why, size_t why_size);
void fvpt_reader_free(struct fvpt_reader *r);
/* The next record, into *i or *e; of an instruction `reads`, `operation` and what was in memory before are not known.
 * FVPT_IS_DAMAGED: with a line in `why`; all before it is as it was written. */
enum fvpt_result fvpt_read(struct fvpt_reader *r, struct cpu_record *i, struct trace_exception *e, char *why, size_t why_size);

#endif
