/* SPDX-License-Identifier: Apache-2.0 */
/* Makes plain functions from bodies: what the other engines call, and handlers where they refuse. Private to engine/. */
#ifndef CPU_ENGINE_PLAIN_H
#define CPU_ENGINE_PLAIN_H

#include "cpu/engine/engine.h"
#include "cpu/exec/body.h"

/* Plain functions, fast: predicated twins of vectors, whatever lanes there are. */
#define FAST_HEAD(name) static enum out fast_##name(const struct slot *s, struct cpu *c, struct flags *f)
#define FAST_ALU(name) FAST_HEAD(name) { op_##name(s, c, f); return OUT_NEXT; }
#define FAST_ALUA(name) FAST_ALU(name)
#define FAST_MEM(name) FAST_HEAD(name) { return LIKELY(op_##name(s, c, f, GRANULES)) ? OUT_NEXT : OUT_SLOW; }
#define FAST_BR(name) FAST_HEAD(name) { return op_##name(s, c, f) ? OUT_TAKEN : OUT_NOT_TAKEN; }
#define FAST_GO(name) FAST_HEAD(name) { op_##name(s, c, f); return OUT_GO; }
#define FAST_BRM(name) FAST_HEAD(name) { \
	bool taken = false; \
	if (UNLIKELY(!op_##name(s, c, f, GRANULES, &taken))) return OUT_SLOW; \
	return taken ? OUT_GO : OUT_NOT_TAKEN; }
#define FAST_SKIP(name) FAST_HEAD(name) { return OUT_NEXT; } /* engines know IT */
#define FAST_JMP(name) FAST_HEAD(name) { return LIKELY(op_##name(s, c, f, GRANULES, &c->core.next_pc)) ? OUT_JUMP : OUT_SLOW; }
#define FAST_SYS(name) FAST_HEAD(name) { return OUT_SLOW; }
#define FAST_FP(name) FAST_HEAD(name) { \
	if (UNLIKELY(!c->core.fp_ready)) return OUT_SLOW; \
	op_##name(s, c, f); \
	return OUT_NEXT; }
#define FAST_FPMEM(name) FAST_HEAD(name) { \
	return LIKELY(c->core.fp_ready && op_##name(s, c, f, GRANULES)) ? OUT_NEXT : OUT_SLOW; }
#define FAST_MVE(name) FAST_HEAD(name) { \
	if (!c->core.fp_ready) return OUT_SLOW; \
	op_##name(s, c, f, true); \
	return OUT_NEXT; }
#define FAST_MVEMEM(name) SOME(name) FAST_HEAD(name) { return c->core.fp_ready && some_##name(s, c, GRANULES) ? OUT_NEXT : OUT_SLOW; }
/* The body is the same on both paths. */
#define SOME(name) static NOINLINE bool some_##name(const struct slot *s, struct cpu *c, enum path path) { \
	return op_##name(s, c, NULL, path, true); }

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
	return fp_prepared(c, SLOW) && some_##name(s, c, SLOW) ? OUT_NEXT : OUT_FAULT; }

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

/* One row of an ops table: STAMP_PLAIN makes its functions, PLAIN_ENTRY its table entry. */
#define STAMP_PLAIN(name, kind) FAST_##kind(name) SLOW_##kind(name)
#define PLAIN_ENTRY(name, kind) { .fast = fast_##name, .slow = SLOW_OF_##kind(name) }

#endif
