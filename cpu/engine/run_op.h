/* SPDX-License-Identifier: Apache-2.0 */
/* Wraps a body of any kind into one call with one kind of answer (enum out), inline. Private to engine/ and stencil/. */
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

#endif
