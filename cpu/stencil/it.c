/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of instructions whose result counts by the word that an IT left, or that a select looks at: -DVARIANT=then,
 * or otherwise with -DOTHERWISE: where the word is 0. */
#define RESULT_IS_LATEST 1
#include "cpu/stencil/body.h"

#include "cpu/exec/alu.h"
#include "cpu/exec/dsp.h"

#ifdef OTHERWISE
#define CHOOSE(word, result, old) select_without_branch(word, old, result)
#else
#define CHOOSE(word, result, old) select_without_branch(word, result, old)
#endif

#define ST_ALUA(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		UNLESS_WANTED(WANTED(uses)); \
		u32 word = (u32)(uintptr_t)s, old = RA_MEMORY; \
		OPERANDS(OP_##name >= OP_csel && OP_##name <= OP_csneg ? word : NUMBER(H_IMM)); \
		op_##name(k, c, &f); \
		if (!(OP_##name >= OP_csel && OP_##name <= OP_csneg)) \
			latest = CHOOSE(word, latest, old); \
		RA_MEMORY = latest; \
		TAIL(H_NEXT); \
	}
#define ST_ALU(name, uses)
#define ST_MEM(name, uses)
#define ST_BR(name, uses)
#define ST_GO(name, uses)
#define ST_BRM(name, uses)
#define ST_JMP(name, uses)
#define ST_SKIP(name, uses)
#define ST_SYS(name, uses)
#define ST_FP(name, uses)

#define OP(name, kind, lengths, uses, class) ST_##kind(name, uses)
#include "cpu/exec/ops_int.def"
#undef OP
