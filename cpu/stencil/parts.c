/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils that are no instruction, or a part of one. */
#include "cpu/stencil/body.h"

extern handler_fn go_horizon __attribute__((cold)), go_fetch __attribute__((cold));
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

/* FREE_FETCH: bit 2. */
#define LINE_TEST(exit) do { \
		bool there_; \
		__asm__("movq %c2(%1), %%r13\n\ttestb $4, %c3(%%r13)" : "=@ccne"(there_) : "r"(c), "i"(offsetof(struct cpu, lines)), "i"(H_LINE) : "r13"); \
		if (UNLIKELY(!there_)) { \
			LOAD_SLOT(); \
			TAIL(go_fetch); \
		} \
		TAIL(exit); \
	} while (0)
PART_STENCIL(line) { LINE_TEST(H_NEXT); }
PART_STENCIL(line_enter) { LINE_TEST(H_GO); }

PART_STENCIL(reload)
{
	latest = RA;
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

/* ---- lists of registers: A is the base, Vd the number of bytes ---------------------------------- */
/* With the number of bytes: by name, as the compiler would load it to a register. */
#define WITH_BYTES(op, value) ({ u32 x_ = (value); __asm__(op "l %1, %0" : "+r"(x_) : "i"(H_Vd) : "cc"); x_; })
/* All of a list lies in one page, at words. */
BODY bool list_open(const struct cpu *c, u32 at, u8 right)
{
	return page_open(c, FAST, at, 1, 1, right) && LIKELY(!(at & 3)) && LIKELY(WITH_BYTES("add", at & 4095) <= 4096);
}
#define OPEN(name, first, fits, right) \
	PART_STENCIL(open_##name) \
	{ \
		u32 at = (first); \
		if (UNLIKELY(!(fits) || !list_open(c, at, right))) { \
			LOAD_SLOT(); \
			TAIL(H_PLAIN); \
		} \
		s = (const struct slot *)(engine_memory + at); \
		TAIL(H_NEXT); \
	}
OPEN(load, RA, true, PAGE_READ)
OPEN(load_down, WITH_BYTES("sub", RA), true, PAGE_READ)
OPEN(load_sp, c->core.r[13], at >= c->sp_limit, PAGE_READ)
OPEN(store, RA, true, PAGE_WRITE)
OPEN(store_down, WITH_BYTES("sub", RA), true, PAGE_WRITE)
OPEN(store_sp, WITH_BYTES("sub", c->core.r[13]), at >= c->sp_limit, PAGE_WRITE)

#define LISTED (*(u32 *)((char *)(uintptr_t)s + (uintptr_t)H_IMM))
PART_STENCIL(load_one)
{
	RA = LISTED;
	TAIL(H_NEXT);
}
PART_STENCIL(store_one)
{
	LISTED = RA;
	TAIL(H_NEXT);
}
PART_STENCIL(load_pc)
{
	latest = LISTED;
	if (UNLIKELY(!jump_plain(latest))) {
		LOAD_SLOT();
		TAIL(H_PLAIN);
	}
	TAIL(H_NEXT);
}
PART_STENCIL(base_up)
{
	RA = WITH_BYTES("add", RA);
	TAIL(H_NEXT);
}
PART_STENCIL(base_down)
{
	RA = WITH_BYTES("sub", RA);
	TAIL(H_NEXT);
}
PART_STENCIL(jump_latest) { ENTER_ADDRESS(latest); }
PART_STENCIL(leave_latest)
{
	c->core.next_pc = latest;
	TAIL(H_GO);
}

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
PART_STENCIL(vector_step)
{
	c->fp.vpr = NUMBER(H_IMM);
	TAIL(H_NEXT);
}
