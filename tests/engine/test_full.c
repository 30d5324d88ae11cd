/* SPDX-License-Identifier: Apache-2.0 */
/* Code memory that is full: what has no room runs as handlers, and all code is dropped, in the middle of whatever runs. */
#include "cpu/engine/emit.h"
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define FUNCTION RIG_PC
#define HALFWORDS 0x2000u /* of the function: four pages */
#define MAIN (FUNCTION + 2 * HALFWORDS)
#define STAYS (MAIN + 8)
#define DATA 0x30004000u
#define ROUNDS 400 /* at most */
#define PLACES 160
#define BEHIND 3 /* rounds after it was full */
#define CALLS 2
#define BX_LR 0x4770u

/* Lists, comparisons with branches, accesses off one base, flags: what holds registers and relies on what comes before. */
static const u16 pattern[] = { 0x3201, 0xb40f, 0x6839, 0x687c, 0x1909, 0x60b9, 0x2a07, 0xd100, 0x3301, 0xbc0f, 0x405a, 0x1892 };

static void put_code(struct rig *r)
{
	static u16 code[HALFWORDS];
	/* BL FUNCTION; SUBS r6, #1; BNE MAIN; B to itself */
	static const u16 calls[] = { 0xf7fb, 0xfffe, 0x3e01, 0xd1fb, 0xe7fe };

	for (unsigned i = 0; i < HALFWORDS; i++)
		code[i] = pattern[i % ARRAY_LEN(pattern)];
	code[HALFWORDS - 1] = BX_LR;
	cr_assert(cpu_poke(r->c, FUNCTION, code, sizeof(code)));
	cr_assert(cpu_poke(r->c, MAIN, calls, sizeof(calls)));
}

/* Each page of the function changes: so none of its code is left, but what it took of the memory. */
static void change(struct rig *r, unsigned round)
{
	for (u32 at = FUNCTION; at < MAIN; at += BUS_PAGE_SIZE)
		cr_assert(cpu_poke(r->c, at + 2 * ARRAY_LEN(pattern) * (1 + round % PLACES), (const u16[]){ (u16)(0x3202 + round % PLACES) }, 2));
}

/* True when code memory begins anew, or there is none. */
static bool was_dropped(const struct rig *r, u32 *chunk)
{
	const struct emit_memory *m = r->c->engine->translated;
	const bool dropped = !m || m->off || m->now < *chunk;

	*chunk = m ? m->now : 0;
	return dropped;
}

static void run(struct rig *r)
{
	const u64 until = r->sched.now + 2 * CALLS * HALFWORDS * sched_period(25000000);

	cpu_set_reg(r->c, 6, CALLS);
	cpu_set_reg(r->c, 7, DATA);
	cpu_set_reg(r->c, 15, MAIN);
	cpu_run(r->c, until);
	sched_run(&r->sched, until);
}

Test(full, code_memory_begins_anew)
{
	struct rig *tail = rig_new_engine(CPU_ENGINE_TAIL), *step = rig_new_engine(CPU_ENGINE_STEP);
	unsigned behind = 0;
	u32 chunk = 0;

	put_code(tail);
	put_code(step);
	for (unsigned round = 0; round < ROUNDS && behind < BEHIND; round++) {
		run(tail);
		run(step);
		for (unsigned i = 0; i <= CPU_REG_XPSR; i++)
			cr_assert_eq(cpu_get_reg(tail->c, i), cpu_get_reg(step->c, i), "round %u, register %u", round, i);
		cr_assert_eq(cpu_get_reg(tail->c, 15), STAYS);
		cr_assert_eq(cpu_instructions(tail->c), cpu_instructions(step->c));
		behind += behind || was_dropped(tail, &chunk);
		change(tail, round);
		change(step, round);
	}
	cr_assert_eq(behind, BEHIND, "there is room for more than was laid");
	rig_free(tail);
	rig_free(step);
}
