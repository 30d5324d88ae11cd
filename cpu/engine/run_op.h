/* SPDX-License-Identifier: Apache-2.0 */
/* Wraps a body of any kind into one call with one kind of answer (enum out), inline for the
 * handlers and as plain functions for the other engines. Private to engine/. */
#ifndef CPU_ENGINE_RUN_OP_H
#define CPU_ENGINE_RUN_OP_H

#include "cpu/engine/engine.h"

#define RUN_ARGS const struct slot *s, struct cpu *c, struct flags *f, u32 *target
#define RUN(name) BODY enum out run_##name(RUN_ARGS)
/* Kinds that touch memory: handlers with FAST, plain functions with GRANULES. */
#define RUN_PATHS(name) \
	BODY enum out reach_##name(RUN_ARGS, const enum path path); \
	RUN(name) { return reach_##name(s, c, f, target, FAST); } \
	BODY enum out reach_##name(RUN_ARGS, const enum path path)

#define RUN_ALU(name) RUN(name) { op_##name(s, c, f); return OUT_NEXT; }
#define RUN_ALUA(name) RUN_ALU(name)
#define RUN_MEM(name) RUN_PATHS(name) { return LIKELY(op_##name(s, c, f, path)) ? OUT_NEXT : OUT_SLOW; }
#define RUN_BR(name) RUN(name) { return op_##name(s, c, f) ? OUT_TAKEN : OUT_NOT_TAKEN; }
#define RUN_GO(name) RUN(name) { op_##name(s, c, f); return OUT_GO; }
#define RUN_BRM(name) RUN_PATHS(name) { \
	bool taken = false; \
	if (UNLIKELY(!op_##name(s, c, f, path, &taken))) return OUT_SLOW; \
	return taken ? OUT_GO : OUT_NOT_TAKEN; }
#define RUN_SKIP(name) RUN(name) { return OUT_NEXT; } /* engines know IT */
#define RUN_JMP(name) RUN_PATHS(name) { return LIKELY(op_##name(s, c, f, path, target)) ? OUT_JUMP : OUT_SLOW; }
#define RUN_SYS(name) RUN(name) { return OUT_SLOW; }
#define RUN_FP(name) RUN(name) { \
	if (UNLIKELY(!c->core.fp_ready)) return OUT_SLOW; \
	op_##name(s, c, f); return OUT_NEXT; }
#define RUN_FPMEM(name) RUN_PATHS(name) { \
	return LIKELY(c->core.fp_ready && op_##name(s, c, f, path)) ? OUT_NEXT : OUT_SLOW; }
#define RUN_MVE(name) RUN(name) { \
	if (UNLIKELY(!c->core.fp_ready)) return OUT_SLOW; \
	enum mve_activity lanes = mve_activity(c); \
	if (lanes == MVE_SOME || (lanes == MVE_BLOCK && (USES_##name & STARTS_VPT))) return OUT_PRED; \
	op_##name(s, c, f, false); \
	return lanes == MVE_ALL ? OUT_NEXT : OUT_ADVANCE; }
#define RUN_MVEMEM(name) RUN(name) { \
	if (UNLIKELY(!c->core.fp_ready)) return OUT_SLOW; \
	enum mve_activity lanes = mve_activity(c); \
	if (lanes == MVE_SOME || (lanes == MVE_BLOCK && (USES_##name & INTERLEAVES))) return OUT_PRED; \
	if (UNLIKELY(!op_##name(s, c, f, FAST, false))) return OUT_SLOW; \
	return lanes == MVE_ALL ? OUT_NEXT : OUT_ADVANCE; }

/* Plain functions, fast: as above, but predicated twins are called here, whatever lanes there are. (Of memory only where there
 * are not all: all lanes are one access.) */
#define FAST_HEAD(name) static enum out fast_##name(const struct slot *s, struct cpu *c, struct flags *f)
#define FAST_PLAIN(name) FAST_HEAD(name) { return run_##name(s, c, f, &c->core.next_pc); }
#define FAST_PATHS(name) FAST_HEAD(name) { return reach_##name(s, c, f, &c->core.next_pc, GRANULES); }
#define FAST_ALU(name) FAST_PLAIN(name)
#define FAST_ALUA(name) FAST_PLAIN(name)
#define FAST_MEM(name) FAST_PATHS(name)
#define FAST_BR(name) FAST_PLAIN(name)
#define FAST_GO(name) FAST_PLAIN(name)
#define FAST_BRM(name) FAST_PATHS(name)
#define FAST_SKIP(name) FAST_PLAIN(name)
#define FAST_JMP(name) FAST_PATHS(name)
#define FAST_SYS(name) FAST_PLAIN(name)
#define FAST_FP(name) FAST_PLAIN(name)
#define FAST_FPMEM(name) FAST_PATHS(name)
#define FAST_MVE(name) FAST_HEAD(name) { \
	if (!c->core.fp_ready) return OUT_SLOW; \
	op_##name(s, c, f, true); \
	return OUT_NEXT; }
#define FAST_MVEMEM(name) FAST_HEAD(name) { \
	if (!c->core.fp_ready) return OUT_SLOW; \
	bool ok = mve_all_lanes(c) && !c->core.eci ? op_##name(s, c, f, GRANULES, false) : \
						     op_##name(s, c, f, GRANULES, true); \
	return ok ? OUT_NEXT : OUT_SLOW; }

/* Plain functions, slow. What neither touches memory nor may lack its registers is done by the fast one; without one of them
 * (NULL) the registers are prepared for that (engine_slow). */
#define SLOW_HEAD(name) static enum out slow_##name(const struct slot *s, struct cpu *c, struct flags *f)
#define SLOW_ALU(name)
#define SLOW_ALUA(name)
#define SLOW_BR(name)
#define SLOW_GO(name)
#define SLOW_SKIP(name)
#define SLOW_MEM(name) SLOW_HEAD(name) { return op_##name(s, c, f, SLOW) ? OUT_NEXT : OUT_FAULT; }
#define SLOW_BRM(name) SLOW_HEAD(name) { \
	bool taken = false; \
	if (!op_##name(s, c, f, SLOW, &taken)) return OUT_FAULT; \
	return taken ? OUT_GO : OUT_NOT_TAKEN; }
#define SLOW_JMP(name) SLOW_HEAD(name) { \
	u32 target = 0; \
	return op_##name(s, c, f, SLOW, &target) ? run_slow_jump(c, target) : OUT_FAULT; }
#define SLOW_SYS(name) SLOW_HEAD(name) { return op_##name(s, c) ? OUT_SYS : OUT_FAULT; }
#define SLOW_FP(name)
#define SLOW_FPMEM(name) SLOW_HEAD(name) { \
	return fp_prepared(c, SLOW) && op_##name(s, c, f, SLOW) ? OUT_NEXT : OUT_FAULT; }
#define SLOW_MVE(name)
#define SLOW_MVEMEM(name) SLOW_HEAD(name) { \
	return fp_prepared(c, SLOW) && op_##name(s, c, f, SLOW, true) ? OUT_NEXT : OUT_FAULT; }

/* For a table of operations: the slow function of one. */
#define SLOW_OF_ALU(name) fast_##name
#define SLOW_OF_ALUA(name) fast_##name
#define SLOW_OF_BR(name) fast_##name
#define SLOW_OF_GO(name) fast_##name
#define SLOW_OF_SKIP(name) fast_##name
#define SLOW_OF_MEM(name) slow_##name
#define SLOW_OF_BRM(name) slow_##name
#define SLOW_OF_JMP(name) slow_##name
#define SLOW_OF_SYS(name) slow_##name
#define SLOW_OF_FP(name) NULL
#define SLOW_OF_FPMEM(name) slow_##name
#define SLOW_OF_MVE(name) NULL
#define SLOW_OF_MVEMEM(name) slow_##name

#define STAMP_PLAIN(name, kind) RUN_##kind(name) FAST_##kind(name) SLOW_##kind(name)

#endif
