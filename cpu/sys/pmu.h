/* SPDX-License-Identifier: Apache-2.0 */
/* What the counters of the core count. Private to cpu/. */
#ifndef CPU_SYS_PMU_H
#define CPU_SYS_PMU_H

#include "memory/types.h"

struct cpu;

enum pmu_count {
	COUNT_NEVER,
	COUNT_SOFTWARE, COUNT_CHAIN, /* by the counters themselves */
	COUNT_CYCLES, COUNT_INSNS,   /* the core's own */
	/* In sys.count[], always counted: they are rare. */
	COUNT_EXC_TAKEN, COUNT_EXC_RETURN, COUNT_CALLS_TO_S, COUNT_CALLS_TO_NS,
	COUNT_MATCH0, COUNT_MATCH1, COUNT_MATCH2, COUNT_MATCH3,
	COUNT_EXC_CYCLES, COUNT_SLEEP_CYCLES,
	COUNT_ICACHE_REFILL, COUNT_DCACHE_REFILL, COUNT_DCACHE_REFILL_READ, COUNT_DCACHE_WB,
	COUNT_BUS_ACCESS, /* while it is wanted (sys.count_wanted), as translated code does not count it */
	/* In sys.count[], by the plain functions: handlers that make accesses at once do not run while
	 * sys.count_wanted has its bit. */
	COUNT_UNALIGNED,
	/* In sys.count[], by the engines while sys.count_wanted has their bit (engine/count.c). */
	COUNT_LOADS, COUNT_STORES, COUNT_ACCESSES, COUNT_DTCM, COUNT_DCACHE, COUNT_DCACHE_READ,
	COUNT_BRANCHES, COUNT_BRANCHES_DIRECT, COUNT_BRANCHES_TAKEN, COUNT_RETURNS, COUNT_LOOP_ENDS,
	COUNT_STALL, COUNT_STALL_BRANCH, COUNT_STALL_OTHER, COUNT_STALL_MEMORY, COUNT_FOLDED,
	COUNT_MVE, COUNT_MVE_FP, COUNT_MVE_FP_HALF, COUNT_MVE_FP_SINGLE, COUNT_MVE_FP_MAC,
	COUNT_MVE_INT, COUNT_MVE_INT_MAC, COUNT_MVE_LDST, COUNT_MVE_LD, COUNT_MVE_ST,
	COUNT_MVE_LDST_CONTIG, COUNT_MVE_LD_CONTIG, COUNT_MVE_ST_CONTIG, COUNT_MVE_LDST_NONCONTIG,
	COUNT_MVE_LD_NONCONTIG, COUNT_MVE_ST_NONCONTIG, COUNT_MVE_LDST_MULTI, COUNT_MVE_LD_MULTI,
	COUNT_MVE_ST_MULTI, COUNT_MVE_REDUCE, COUNT_MVE_REDUCE_FP, COUNT_MVE_REDUCE_INT,
	COUNT_MVE_PREDICATED, COUNT_MVE_STALL, COUNT_MVE_STALL_MEM, COUNT_MVE_STALL_FP,
	COUNT_MVE_STALL_INT,
	COUNT_END,
	COUNT_ENGINE_FIRST = COUNT_UNALIGNED,
};
_Static_assert(COUNT_END <= 64, "sys.count_wanted has a bit for each");

#define COUNT_BIT(name) (UINT64_C(1) << COUNT_##name)

/* Events that depend on where data lies: while one is wanted, the engines take the slow way to memory,
 * which notes the place in sys.place. */
#define COUNT_PLACES (COUNT_BIT(DTCM) | COUNT_BIT(DCACHE) | COUNT_BIT(DCACHE_READ))

/* What a counter of that source shows since the reset, and whether engines must count it. */
u64 count_value(const struct cpu *c, enum pmu_count what);
static inline bool count_by_engine(enum pmu_count what) { return what >= COUNT_ENGINE_FIRST; }

void pmu_reset(struct cpu *c); /* the counters have event 0 */
/* Brings all counters up to now. */
void pmu_sync(struct cpu *c);
/* Cycles until some overflow must be looked for; 0 when none will. */
u64 pmu_next_overflow(const struct cpu *c);
/* Bits of enum pmu_count that its counters need from the engines. */
u64 pmu_wants(const struct cpu *c);

#endif
