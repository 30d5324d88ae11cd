/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of a comparison and the conditional branch behind it, which tests the host's own flags:
 * -DVARIANT=..., to which the condition is added. */
#define RESULT_IS_LATEST 1
#include "cpu/stencil/body.h"

#include "cpu/exec/alu.h"

#define RUN_FIRST(name) RUN(name) { op_##name(s, c, f); return OUT_NEXT; }
#define PAIR(name, uses, condition, number) \
	STENCIL(PAIR_NAME(VARIANT, condition), name) \
	{ \
		UNLESS_WANTED(LATEST_WANTED(uses)); \
		OPERANDS_B(NUMBER(H_IMM), LOADS_B(uses)); \
		if (LOADS_B(uses)) \
			LOAD_B(); \
		run_##name(k, c, &f, &target); \
		if ((uses) & W_A) /* before the branch; an asm would lose the host's flags */ \
			RA_MEMORY = latest; \
		enum out out_ = flags_hold(&f, number) ? OUT_TAKEN : OUT_NOT_TAKEN; \
		STENCIL_FINISH(out_, 0, false); \
	}
#define PAIR_NAME(variant, condition) PAIR_NAME_(variant, condition)
#define PAIR_NAME_(variant, condition) variant##_##condition
#define EQUAL(name, uses) PAIR(name, uses, eq, 0) PAIR(name, uses, ne, 1)
#define SIGN(name, uses) EQUAL(name, uses) PAIR(name, uses, mi, 4) PAIR(name, uses, pl, 5)
#define CARRY(name, uses) SIGN(name, uses) PAIR(name, uses, cs, 2) PAIR(name, uses, cc, 3)
#define ORDER(name, uses) \
	CARRY(name, uses) PAIR(name, uses, hi, 8) PAIR(name, uses, ls, 9) PAIR(name, uses, ge, 10) \
	PAIR(name, uses, lt, 11) PAIR(name, uses, gt, 12) PAIR(name, uses, le, 13)

#define FIRST(name, conditions, uses) RUN_FIRST(name) conditions(name, uses)
#include "cpu/stencil/pairs.def"
#undef FIRST
