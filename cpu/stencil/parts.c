/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils that are no instruction, or a part of one. */
#include "cpu/stencil/body.h"

extern handler_fn go_lookup __attribute__((cold));
#define PART_STENCIL(name) STENCIL(part, name)

#define PAY() do { \
		bool gone_; \
		__asm__("subl %2, %0" : "+r"(left), "=@ccs"(gone_) : "i"(H_COST)); \
		if (UNLIKELY(gone_)) { \
			LOAD_SLOT(); \
			TAIL(go_horizon); \
		} \
	} while (0)

PART_STENCIL(charge)
{
	PAY();
	TAIL(H_NEXT);
}

PART_STENCIL(enter)
{
	PAY();
	TAIL(H_GO);
}

PART_STENCIL(go) { TAIL(H_GO); }

PART_STENCIL(handler)
{
	LOAD_SLOT();
	TAIL(H_GO);
}

PART_STENCIL(dispatch)
{
	LOAD_SLOT();
	DISPATCH();
}

PART_STENCIL(far) { ENTER_ADDRESS(NUMBER(H_IMM)); }

PART_STENCIL(far_linked)
{
	bool executes_;
	__asm__("testb %2, %c1(%%r15)" : "=@ccne"(executes_) : "i"(H_LINE), "i"(PAGE_EXEC));
	if (UNLIKELY(!executes_)) {
		c->core.r[15] = NUMBER(H_IMM);
		TAIL(go_lookup);
	}
	PAY();
	TAIL(H_GO);
}

/* ---- IT ------------------------------------------------------------------------------------- */
#define WORD(name, cond) \
	PART_STENCIL(word_##name) \
	{ \
		struct flags f = FLAGS_IN; \
		u32 word = flags_word(&f, cond); \
		s = (const struct slot *)(uintptr_t)word; \
		TAIL(H_NEXT); \
	}
WORD(eq, 0) WORD(ne, 1) WORD(cs, 2) WORD(cc, 3) WORD(mi, 4) WORD(pl, 5) WORD(vs, 6) WORD(vc, 7)
WORD(hi, 8) WORD(ls, 9) WORD(ge, 10) WORD(lt, 11) WORD(gt, 12) WORD(le, 13) WORD(al, 14)

/* ---- vectors --------------------------------------------------------------------------------- */
#define VECTOR_CHECK(name, fits, exit) \
	PART_STENCIL(vector_##name) \
	{ \
		if (UNLIKELY(!(fits))) { \
			LOAD_SLOT(); \
			TAIL(H_PLAIN); \
		} \
		TAIL(exit); \
	}
#define IN_BLOCK (c->fp.vpr == NUMBER(H_IMM))
VECTOR_CHECK(open, c->core.fp_ready && mve_all_lanes(c), H_NEXT)
VECTOR_CHECK(enter, c->core.fp_ready && mve_all_lanes(c), H_GO)
VECTOR_CHECK(open_block, c->core.fp_ready && IN_BLOCK && mve_whole(c), H_NEXT)
VECTOR_CHECK(enter_block, c->core.fp_ready && IN_BLOCK && mve_whole(c), H_GO)
VECTOR_CHECK(block, IN_BLOCK, H_NEXT)
VECTOR_CHECK(reaches, left >= c->pay.most, H_NEXT)
PART_STENCIL(vector_step)
{
	c->fp.vpr = NUMBER(H_IMM);
	TAIL(H_NEXT);
}
/* All lanes or not: a plain function looks for itself. It neither reads nor writes flags. */
extern plain_fn H_PLAIN_FUNCTION __attribute__((weak));
PART_STENCIL(vector_call)
{
	LOAD_SLOT();
	H_PLAIN_FUNCTION(s, c, NULL);
	TAIL(H_NEXT);
}
