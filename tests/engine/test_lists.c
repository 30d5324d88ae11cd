/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of registers, calls, returns and jumps by tables, among instructions that hold registers: at ends of pages, at any address, below the stack's limit,
 * in code that changes; interrupted anywhere, with each timing, in memories with wait states. LISTS and LISTS_SEED choose others and more of
 * them. */
#include "tests/engine/draw_waits.h"
#include "tests/engine/runner.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTS 1500
#define LISTS_OF_A_CORE 60
#define ENGINES 3

/* r0 and r1 are bases; r7 and r11 lead to functions; r8 counts; r10 is where code changes, r12 what it becomes. The others hold data. */
#define DATA_LOW 0x7cu /* r2 to r6 */
#define DATA_LIST (DATA_LOW | 1u << 9)

/* Code on its way: two functions, then what calls them. */
struct sketch { struct insn_random *r; struct drawn *out; unsigned function[2], changes; };

static u32 below(struct sketch *s, u32 n) { return insn_random_below(s->r, n); }

static void put(struct sketch *s, u32 encoding)
{
	if (encoding >> 16)
		s->out->code[s->out->halfwords++] = (u16)(encoding >> 16);
	s->out->code[s->out->halfwords++] = (u16)encoding;
}

static u32 data(struct sketch *s)
{
	static const u8 registers[] = { 2, 3, 4, 5, 6, 9 };

	return registers[below(s, ARRAY_LEN(registers))];
}

/* Some registers of a set, `least` or more. */
static u32 list_of(struct sketch *s, u32 set, int least)
{
	u32 list = 0;

	while (__builtin_popcount(list) < least)
		list = (below(s, 2) ? insn_random_u32(s->r) : 0xffff) & set;
	return list;
}

/* LDM and STM, narrow and wide, with the base among what is loaded at times. */
static void put_list(struct sketch *s)
{
	static const u32 wide[] = { 0xe8800000, 0xe8900000, 0xe9000000, 0xe9100000 }; /* STMIA, LDMIA, STMDB, LDMDB */
	const u32 base = below(s, 8) ? below(s, 2) : 13, number = below(s, 4), back = below(s, 2) << 21;
	const bool loads = number & 1, itself = loads && base != 13 && below(s, 6) == 0;

	if (base != 13 && below(s, 2))
		put(s, (loads ? 0xc800 : 0xc000) | base << 8 | list_of(s, DATA_LOW, 1) | (itself ? 1u << base : 0));
	else
		put(s, wide[number] | (itself ? 0 : back) | base << 16 | list_of(s, DATA_LIST, 2) | (itself ? 1u << base : 0));
}

/* PUSH, and POP of as much. */
static void put_stack(struct sketch *s)
{
	const u32 list = list_of(s, DATA_LOW, 1), other = below(s, 2) ? list : list_of(s, DATA_LOW, 1);

	put(s, 0xb400 | list);
	put(s, 0x1840 | below(s, 8) << 3 | 2); /* ADDS r2 */
	put(s, 0xbc00 | (__builtin_popcount(other) == __builtin_popcount(list) ? other : list));
}

/* TBB or TBH by a table behind it, of which pc or r9 says where it is, over none or one of two instructions. */
static void put_table_jump(struct sketch *s)
{
	const u32 index = 2 + below(s, 5), wide = below(s, 2), here_is_base = below(s, 2), entry[2] = { 1 + wide + below(s, 2), 1 + wide + below(s, 2) };

	put(s, 0xf0000001 | index << 16 | index << 8); /* AND index, index, #1 */
	const u32 at = 2 * s->out->halfwords;
	if (!here_is_base)
		put(s, 0xf20f0900 | (at + 8 - ((at + 4) & ~3u))); /* ADR r9, the table */
	put(s, 0xe8d0f000 | (here_is_base ? 15u : 9u) << 16 | wide << 4 | index);
	for (unsigned i = 0; i < 1 + wide; i++)
		s->out->code[s->out->halfwords++] = (u16)(wide ? entry[i] : entry[1] << 8 | entry[0]);
	for (unsigned i = 0; i < 2; i++)
		put(s, 0x3001 | (2 + below(s, 5)) << 8); /* ADDS */
}

static void put_instruction(struct sketch *s)
{
	static const u32 wide[] = { 0xeb000000, 0xeba00000, 0xea400000, 0xebb00000, 0xeb100000 }; /* ADD, SUB, ORR, SUBS, ADDS */

	switch (below(s, 10)) {
	case 0: case 1: case 2:
		put_list(s);
		break;
	case 3:
		put_stack(s);
		break;
	case 4: case 5:
		put(s, wide[below(s, ARRAY_LEN(wide))] | data(s) << 16 | data(s) << 8 | data(s));
		break;
	case 6: /* LDR or STR [base, #i] */
		put(s, (below(s, 2) ? 0x6800u : 0x6000u) | below(s, 4) << 6 | below(s, 2) << 3 | (2 + below(s, 5)));
		break;
	case 7: /* CMP, and a branch over the next instruction, of which a half may be left */
		put(s, 0x2800 | (2 + below(s, 5)) << 8 | below(s, 3));
		put(s, 0xd000 | below(s, 14) << 8);
		put(s, 0x3001 | (2 + below(s, 5)) << 8);
		break;
	case 8:
		put_table_jump(s);
		break;
	default: /* STR r12, [r10], or STMIA r10, {r11, r12} */
		put(s, below(s, 2) ? 0xf8cac000 : 0xe88a1800);
	}
}

/* A function ends as it begins, most often. */
static void put_function(struct sketch *s, unsigned number)
{
	const u32 list = list_of(s, DATA_LOW, 0), more = list_of(s, DATA_LIST, 2), kind = below(s, 9);
	static const u32 begin[] = { 0xb500, 0xb500, 0xe92d4000, 0xe92d4000 }; /* PUSH {lr}, STMDB sp!, {lr} */
	static const u32 end[] = { 0xbd00, 0xbd00, 0xe8bd8000, 0xe8bd4000 };   /* POP {pc}, LDMIA sp!, {pc}, the same with lr */
	const bool alone = kind == 8; /* PUSH {lr} and LDR pc, [sp], #4 */

	s->function[number] = s->out->halfwords;
	if (kind < 4)
		put(s, begin[kind] | (kind < 2 ? list : more));
	if (alone)
		put(s, 0xb500);
	put_instruction(s);
	if (number) {
		s->out->halfwords += s->out->halfwords & 1;
		s->out->code[s->out->halfwords - 1] = s->out->halfwords > s->function[number] + 1 ? s->out->code[s->out->halfwords - 1] : NOP;
		s->changes = s->out->halfwords;
		for (unsigned i = 0; i < 4; i++)
			put(s, NOP);
	}
	if (kind < 4)
		put(s, end[kind] | (kind < 2 ? list : more));
	if (alone)
		put(s, 0xf85dfb00 | (below(s, 8) ? 4 : 1 + below(s, 12)));
	if (kind == 4)
		put(s, 0xbf18); /* IT NE */
	if (kind > 2 && !alone)
		put(s, 0x4770); /* BX LR */
	if (kind == 4)
		put(s, 0x4770);
}

static void put_call(struct sketch *s)
{
	const u32 away = (s->function[below(s, 2)] - s->out->halfwords - 2) & 0xffffff;

	if (below(s, 4) == 0)
		put(s, 0x4696); /* MOV lr, r2: is held */
	switch (below(s, 4)) {
	case 0: put(s, 0x47b8); break; /* BLX r7 */
	case 1: put(s, 0x47d8); break; /* BLX r11 */
	default: put(s, 0xf400f800 | (away >> 11 & 0x3ff) << 16 | (away & 0x7ff) | 0x2800 * (away >> 21 & 1)); /* BL, back */
	}
}

/* The halfword where it begins. */
static unsigned draw_code(struct sketch *s)
{
	put_function(s, 0);
	put_function(s, 1);
	const unsigned begin = s->out->halfwords;
	for (unsigned k = below(s, 2); k > 0; k--)
		put_instruction(s);
	put_call(s);
	put_instruction(s);
	put_call(s);
	put(s, 0xf1b80801); /* SUBS.W r8, r8, #1 */
	put(s, 0xd100 | ((begin - s->out->halfwords - 2) & 0xff));
	cr_assert_leq(s->out->halfwords, DRAW_HALFWORDS);
	return begin;
}

static u32 any_base(struct insn_random *r)
{
	const u32 off = insn_random_below(r, 6) ? 0 : 1 + insn_random_below(r, 3);

	switch (insn_random_below(r, 12)) {
	case 0: return NOWHERE + insn_random_below(r, 0x1000);
	case 1: return RIG_PC + 0x3000 + 4 * insn_random_below(r, 64) + off; /* the code's memory, which may be the ITCM */
	case 2: return 0x30010000 - 4 * insn_random_below(r, 24); /* memory ends */
	default: return DATA + 0xf00 + 4 * insn_random_below(r, 128) + off;
	}
}

static void draw_start(struct sketch *s, u32 at, struct start *x)
{
	runner_draw(s->r, 5, x);
	x->core.r[0] = any_base(s->r);
	x->core.r[1] = any_base(s->r);
	x->core.r[7] = (at + 2 * s->function[0]) | 1;
	x->core.r[11] = below(s, 12) ? (at + 2 * s->function[1]) | 1 : below(s, 2) ? at : 0xffffffbc | below(s, 2);
	x->core.r[8] = 1 + below(s, 6);
	x->core.r[10] = below(s, 3) ? at + 2 * s->changes : DATA + 0x1800;
	x->core.r[12] = 0x33013201 + below(s, 4); /* ADDS r2, #1; ADDS r3, #1 */
	x->core.r[13] = DATA + 0xfc0 + 4 * below(s, 48);
	x->core.sp_limit = below(s, 4) ? 0 : x->core.r[13] - 8 * below(s, 6);
}

static void print(const struct drawn *code, u32 at, u32 pc, const struct start *start)
{
	fprintf(stderr, "at %08x, from %08x:", at, pc);
	for (unsigned i = 0; i < code->halfwords; i++)
		fprintf(stderr, " %04x", code->code[i]);
	fprintf(stderr, "\n ");
	for (unsigned i = 0; i < 15; i++)
		fprintf(stderr, " %08x", start->core.r[i]);
	fprintf(stderr, " limit %08x\n", start->core.sp_limit);
}

static bool code_is_right(struct insn_random *r, struct runner *x, bool waits)
{
	static struct start start;
	static struct end end[ENGINES][2];
	struct drawn code = { .halfwords = 0 };
	struct sketch s = { .r = r, .out = &code };
	const unsigned begin = draw_code(&s);
	const u32 at = RIG_PC + (below(&s, 3) ? 4 * below(&s, 8) : 0x1000 - 4 * below(&s, 20)); /* at a page's end, too */
	const u64 cycles = 1 + below(&s, below(&s, 2) ? 60 : waits ? 1500 : 250);

	draw_start(&s, at, &start);
	start.core.ccr = waits ? 0x201 | below(&s, 4) << 16 : 0;
	for (unsigned e = 0; e < ENGINES; e++)
		runner_run(&x[e], at, at + 2 * begin, &code, &start, cycles, end[e]);
	for (unsigned e = 0; e < ENGINES; e += 2)
		for (unsigned i = 0; i < 2; i++)
			if (memcmp(&end[e][i], &end[1][i], sizeof(end[e][i])) != 0) {
				fprintf(stderr, "engine %u, %" PRIu64 " cycles%s, ", e, cycles, i ? " and 24 more" : "");
				print(&code, at, at + 2 * begin, &start);
				runner_print(&end[e][i], &end[1][i]);
				return false;
			}
	return true;
}

/* On cores of that configuration, or of one with memories that are drawn. */
static bool cores_are_right(struct insn_random *r, struct cpu_config config, bool waits, unsigned count)
{
	static const enum cpu_engine engines[ENGINES] = { CPU_ENGINE_TAIL, CPU_ENGINE_STEP, CPU_ENGINE_SWITCH };
	static struct runner x[ENGINES];
	bool good = true;

	if (waits)
		draw_waits(r, &config);
	for (unsigned e = 0; e < ENGINES; e++) {
		config.engine = engines[e];
		runner_init_of(&x[e], &config);
	}
	for (; count > 0 && good; count--)
		good = code_is_right(r, x, waits);
	for (unsigned e = 0; e < ENGINES; e++)
		runner_free(&x[e]);
	return good;
}

static struct insn_random random_of(u64 otherwise)
{
	const char *seed = getenv("LISTS_SEED");

	return (struct insn_random){ .state = seed ? strtoull(seed, NULL, 0) : otherwise };
}
static unsigned count_of(void)
{
	const char *count = getenv("LISTS");

	return count ? (unsigned)atoi(count) : LISTS;
}

Test(lists, calls_and_returns_do_the_same_in_all_engines)
{
	struct insn_random r = random_of(11);

	cr_assert(cores_are_right(&r, rig_config(), false, count_of()));
}

Test(lists, calls_and_returns_take_the_same_time)
{
	struct insn_random r = random_of(12);

	for (enum cpu_timing timing = CPU_TIMING_M55; timing <= CPU_TIMING_M85; timing++) {
		struct cpu_config config = rig_config();
		config.timing = timing;
		config.itcm_size_code = 7; /* all of the code */
		cr_assert(cores_are_right(&r, config, false, count_of() / 2));
	}
}

Test(lists, in_memories_with_wait_states_take_the_same_time)
{
	struct insn_random r = random_of(13);

	for (unsigned k = count_of() / LISTS_OF_A_CORE; k > 0; k--)
		cr_assert(cores_are_right(&r, rig_config(), true, LISTS_OF_A_CORE));
}

/* The C library's copying of words, two at a time, once more than at first: it enters at a comparison whose branch is the head of a loop. */
Test(lists, nobody_goes_back_to_a_branch_that_is_laid_with_its_comparison)
{
	static const struct drawn code = {
		.code = { 0x2240, 0x3a08, 0xf0c0, 0x8008,         /* MOVS r2, #64; SUBS r2, #8; head: BCC.W out */
			  0xf851, 0x3b04, 0x3a08, 0xf851, 0xcb04, /* LDR r3, [r1], #4; SUBS r2, #8; LDR r12, [r1], #4 */
			  0xe8a0, 0x1008, 0xe7f5,                 /* STMIA r0!, {r3, r12}; B head */
			  0xf1b8, 0x0801, 0xd1f0, 0xe7fe },       /* out: SUBS r8, r8, #1; BNE to the begin; B . */
		.halfwords = 16,
	};
	static struct start start;
	static struct end end[2];
	static struct runner x;

	runner_init(&x, CPU_ENGINE_TAIL);
	start.core.r[0] = DATA + 0x1000;
	start.core.r[1] = DATA;
	start.core.r[8] = 4;
	runner_run(&x, RIG_PC, RIG_PC, &code, &start, 1000, end);
	runner_free(&x);
	cr_assert_eq(end[0].core.r[0], DATA + 0x1000 + 4 * 64);
	cr_assert_eq(end[0].core.r[8], 0);
}
