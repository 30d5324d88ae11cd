/* SPDX-License-Identifier: Apache-2.0 */
/* When the in-order cores of the estimates (--cpu-timing m55, m85) issue the instructions of a block. Private to engine/. */
#ifndef CPU_ENGINE_ISSUE_H
#define CPU_ENGINE_ISSUE_H

#include "cpu/engine/engine.h"

/* What instructions use, as bits. LOAD and STORE: one of two halves of a path that LOADS and STORES use whole. */
enum unit {
	ANY = 0, /* one of several alike */
	SHIFTER = 1, LONG_SHIFTER = 2, MULTIPLIER = 4, BRANCHER = 8, SIMD = 16, FLOAT = 32,
	LOAD = 64, LOADS = 64 | 128, STORE = 256, STORES = 256 | 512,
	VINT = 1024, VMUL = 2048, VCONTROL = 4096, /* vector pipelines */
};
/* Place in a pair of instructions issued together. */
enum pairing { ALONE = 0, FIRST = 1, SECOND = 2, EITHER = 3 };

struct class_cost {
	u8 cycles, latency;
	u16 unit;
	u8 pairs;
};

struct core_costs {
	struct class_cost of[C_COUNT];
	bool narrow_pairs; /* pairs are two 16-bit instructions */
	u8 early_address;  /* cycles that addresses are read before other operands, */
	u8 early_shift;    /* and operands that are shifted */
	u8 late_data;      /* cycles that data of stores are read after others, in core registers, */
	u8 late;           /* and accumulators and operands of selections there, */
	u8 late_fp;        /* in FP registers by scalar instructions, */
	u8 late_vector;    /* and by vector instructions */
	u8 base;           /* cycles until an address that was written back can be read */
	bool store_hazard; /* a load two cycles after a vector store waits for one */
	u8 taken;          /* direct branches: cycles until the target is issued */
};

/* What the instruction reads and writes. */
struct operands issue_operands(const struct timed *k);
/* True when k and next can be issued in one cycle. */
bool issue_pairs(const struct core_costs *core, const struct timed *k, const struct timed *next);
/* Finds how long k keeps the n - 1 instructions behind it, whose operands are known. */
void issue_meet(const struct core_costs *core, struct timed *k, unsigned n);
/* Cycles from the issue of the first of n instructions until that of the last; all have met those behind them. */
u32 issue_cycles(const struct timed *k, unsigned n);
/* Cycles that pass before anything else is issued, alone. */
u32 issue_alone(const struct core_costs *core, const struct timed *k);

#endif
