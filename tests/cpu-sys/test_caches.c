/* SPDX-License-Identifier: Apache-2.0 */
/* Wait states and caches: sums by hand, and what must hold for any numbers. Data lies at 0x20000000 and 0x30000000 in a memory with
 * wait states, code at 0 and 0x10000000 in another. */
#include "cpu/sys/caches.h"
#include "cpu/sys/pay_pages.h"
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <string.h>

#include "cpu/observe.h"

enum { LATENCY = 10, BEAT = 3, LINE = LATENCY + 3 * BEAT, DC = 1 << 16, IC = 1 << 17 };
#define CCR 0xE000ED14u
#define DATA 0x30000000u

/* Of 256 parts, what others take of the memory; an event turns it over, after so many cycles; 0: it stays. */
static u32 taken, turn;
static u32 taken_now(void *ctx, u32 addr) { return taken; }
struct turning { struct sched *sched; u16 device; };
static void turns(void *ctx, const struct sched_event *ev)
{
	const struct turning *t = ctx;

	taken = 256 - taken;
	sched_add(t->sched, t->device, 0, t->sched->now + turn * sched_period(25000000), 0);
}

static struct rig *rig_waiting(u16 latency, u16 beat, unsigned cache_bytes)
{
	struct cpu_config k = rig_config();

	k.timing = CPU_TIMING_M55;
	k.icache_size = k.dcache_size = cache_bytes;
	k.memories[0] = (struct cpu_memory){ 0x20000000, 0x10000, latency, beat };
	k.memories[1] = (struct cpu_memory){ 0x30000000, 0x10000, latency, beat };
	k.memories[2] = (struct cpu_memory){ 0x00000000, 0x10000, latency, beat };
	k.memories[3] = (struct cpu_memory){ 0x10000000, 0x10000, latency, beat };
	k.memory_count = 4;
	k.taken = taken_now;
	return rig_new_of(&k);
}

static void enable(struct rig *r, u32 bits)
{
	rig_write(r, CCR, rig_read(r, CCR) | bits);
	caches_waits(r->c);
}

/* What one access waits. */
static u32 reads(struct rig *r, u32 addr)
{
	rig_read(r, addr);
	return caches_waits(r->c);
}
static u32 writes(struct rig *r, u32 addr)
{
	rig_write(r, addr, 1);
	return caches_waits(r->c);
}

Test(caches, off_is_the_sum_of_the_accesses)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	for (unsigned i = 0; i < 9; i++) {
		cr_expect_eq(reads(r, DATA + 4 * i), LATENCY);
		cr_expect_eq(writes(r, DATA + 4 * i), BEAT - 1);
	}
	for (unsigned i = 0; i < 4; i++) /* as one instruction's: two beats in one burst */
		rig_read(r, DATA + 4 * i);
	cr_expect_eq(caches_waits(r->c), LATENCY + BEAT);
	cr_expect_eq(caches_waits(r->c), 0);
	rig_free(r);
}

Test(caches, a_line_comes_once)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	enable(r, DC);
	r->c->sys->count_wanted = COUNT_BIT(BUS_ACCESS);
	cr_expect_eq(reads(r, DATA + 28), LINE);
	for (unsigned i = 0; i < 8; i++)
		cr_expect_eq(reads(r, DATA + 4 * i), 0);
	cr_expect_eq(r->c->sys->count[COUNT_DCACHE_REFILL], 1);
	cr_expect_eq(r->c->sys->count[COUNT_BUS_ACCESS], 4);
	rig_free(r);
}

/* A line of an even number stays beside one of an odd number. */
Test(caches, code_past_the_cache_has_two_lines)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);
	const struct { u32 pc, bytes, waits; } fetch[] = {
		{ 0x100, 2, LINE }, { 0x120, 4, LINE }, { 0x11E, 4, 0 }, { 0x100, 2, 0 }, { 0x140, 2, LINE }, { 0x120, 2, 0 },
		{ 0x100, 2, LINE }, { 0x13E, 4, LINE }, { 0x13E, 4, 0 }, { 0x15E, 4, LINE }, { 0x19E, 4, 2 * LINE },
	};

	for (unsigned i = 0; i < ARRAY_LEN(fetch); i++)
		cr_expect_eq(caches_fetch(r->c, fetch[i].pc, fetch[i].bytes), fetch[i].waits, "%u", i);
	rig_free(r);
}

/* A page's words, as translated code reads them: with its rights, and while the data cache is off. */
Test(caches, words_of_pages)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);
	u8 *const table = r->c->page_ok;
	const u32 page = DATA >> BUS_PAGE_SHIFT;

	cr_expect_eq(*pay_page(table, page, false), PAY_NOT);
	reads(r, DATA);
	cr_expect_eq(*pay_page(table, page, false), 0 - ((u32)LATENCY << 16));
	cr_expect_eq(*pay_page(table, page, true), 0 - ((u32)(BEAT - 1) << 16));
	cr_expect_eq(*pay_page(table, page + 1, false), PAY_NOT);
	bus_flag_page(r->bus, bus_ram_page(r->bus, DATA, BUS_CPU), PAGE_CODE);
	cr_expect_eq(*pay_page(table, page, false) | *pay_page(table, page, true), PAY_NOT);
	reads(r, DATA);
	cr_expect_eq(*pay_page(table, page, false), 0 - ((u32)LATENCY << 16));
	cr_expect_eq(*pay_page(table, page, true), PAY_NOT);
	enable(r, DC);
	cr_expect_eq(*pay_page(table, page, false), PAY_NOT);
	reads(r, DATA + 64);
	cr_expect_eq(*pay_page(table, page, false), PAY_NOT);
	rig_free(r);
}

/* Writes whose beat hides behind the instruction's own cycle; what others begin to take is not in the words. */
Test(caches, words_of_posted_writes)
{
	struct rig *r = rig_waiting(LATENCY, 1, 4096);
	u8 *const table = r->c->page_ok;

	writes(r, DATA);
	cr_expect_eq(*pay_page(table, DATA >> BUS_PAGE_SHIFT, true), PAY_NOTHING);
	taken = 256;
	pay_look_again(r->c);
	cr_expect_eq(*pay_page(table, DATA >> BUS_PAGE_SHIFT, true), PAY_NOT);
	writes(r, DATA);
	cr_expect_eq(*pay_page(table, DATA >> BUS_PAGE_SHIFT, true), 0 - (1u << 16));
	rig_free(r);
}

/* Four ways: the fifth line of a set takes the place of the first, and a changed one is written back. */
Test(caches, a_set_has_four_ways)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	enable(r, DC);
	cr_expect_eq(writes(r, DATA), 4 * BEAT); /* allocated, not waited for */
	cr_expect_eq(writes(r, DATA), 0);
	for (unsigned i = 1; i < 4; i++)
		cr_expect_eq(reads(r, DATA + 1024 * i), LINE);
	cr_expect_eq(reads(r, DATA), 0);
	cr_expect_eq(reads(r, DATA + 1024 * 4), 4 * BEAT + LINE);
	cr_expect_eq(r->c->sys->count[COUNT_DCACHE_WB], 1);
	cr_expect_eq(reads(r, DATA + 1024), 0);
	cr_expect_eq(reads(r, DATA), LINE);
	rig_free(r);
}

Test(caches, maintenance)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	enable(r, DC);
	writes(r, DATA + 32);
	rig_write(r, 0xE000EF68, DATA + 32); /* DCCMVAC: clean */
	cr_expect_eq(caches_waits(r->c), 4 * BEAT);
	cr_expect_eq(reads(r, DATA + 32), 0);
	rig_write(r, 0xE000EF5C, DATA + 32); /* DCIMVAC: invalidate */
	cr_expect_eq(caches_waits(r->c), 0);
	cr_expect_eq(reads(r, DATA + 32), LINE);
	writes(r, DATA + 32);
	rig_write(r, 0xE000EF74, 0u << 30 | 1 << 5); /* DCCISW: set 1, way 0 */
	cr_expect_eq(caches_waits(r->c), 4 * BEAT);
	cr_expect_eq(reads(r, DATA + 32), LINE);
	rig_free(r);
}

/* Code memory is written through by the default map; what the MPU says wins. */
Test(caches, attributes)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	enable(r, DC);
	cr_expect_eq(writes(r, 0x10008000), BEAT - 1);
	cr_expect_eq(reads(r, 0x10008000), LINE);
	cr_expect_eq(writes(r, 0x10008000), BEAT - 1);
	cr_expect_eq(reads(r, 0x10008000), 0);
	rig_write(r, 0xE000EDC0, 0x44);              /* MAIR0: attribute 0 is not cacheable */
	rig_write(r, 0xE000ED9C, DATA);              /* RBAR */
	rig_write(r, 0xE000EDA0, 0x3000FFE0 | 1);    /* RLAR */
	rig_write(r, 0xE000ED94, 5);                 /* MPU_CTRL: PRIVDEFENA */
	caches_waits(r->c);
	cr_expect_eq(reads(r, DATA + 64), LATENCY);
	cr_expect_eq(reads(r, DATA + 64), LATENCY);
	rig_free(r);
}

/* 40 times: loads and stores of `words` words in a row, in a loop of two lines. */
static u64 kernel(enum cpu_engine engine, u16 latency, u16 beat, unsigned cache_bytes, unsigned words, u32 ccr)
{
	static const u16 code[] = {
		0x2428,         /* movs r4, #40 */
		0x4601, 0x462A, /* 1: mov r1, r0; mov r2, r5 */
		0x680B,         /* 2: ldr r3, [r1] */
		0x3301,         /* adds r3, #1 */
		0xC108,         /* stmia r1!, {r3} */
		0x3A01, 0xD1FA, /* subs r2, #1; bne 2b */
		0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
		0x3C01, 0xD1EC, /* subs r4, #1; bne 1b */
		0xE7FE,         /* b . */
	};
	struct rig *r = rig_waiting(latency, beat, cache_bytes);
	struct cpu *c = r->c;

	struct turning others = { &r->sched, 0 };

	c->config.engine = engine;
	if (turn) {
		others.device = sched_attach(&r->sched, turns, &others);
		sched_add(&r->sched, others.device, 0, turn * sched_period(25000000), 0);
	}
	cr_assert(cpu_poke(c, RIG_PC, code, sizeof(code)));
	enable(r, ccr);
	c->core.r[0] = DATA;
	c->core.r[5] = words;
	const u64 start = c->core.cycles, last = 1 + 40 * (12ull + 2 + 5 * words);
	cpu_set_last_instruction(c, last);
	enum cpu_stop stop;
	while ((stop = cpu_run(c, r->sched.next < SCHED_NEVER ? r->sched.next : UINT64_MAX / 2)) == CPU_STOP_HORIZON)
		sched_run(&r->sched, c->core.cycles * sched_period(25000000));
	cr_assert_eq(stop, CPU_STOP_COUNT);
	cr_assert_eq(rig_peek(r, DATA), 40);
	const u64 used = c->core.cycles - start;
	rig_free(r);
	return used;
}

Test(caches, more_wait_states_are_never_faster)
{
	for (unsigned words = 4; words <= 256; words *= 4)
		for (u32 ccr = 0; ccr <= (DC | IC); ccr += DC) {
			u64 before = 0;
			for (u16 latency = 0; latency <= 40; latency += 5) {
				const u64 now = kernel(CPU_ENGINE_TAIL, latency, 1, 1024, words, ccr);
				cr_expect_geq(now, before, "latency %u, %u words, CCR %x", latency, words, ccr);
				before = now;
			}
			for (u16 beat = 1; beat <= 9; beat++) {
				const u64 now = kernel(CPU_ENGINE_TAIL, 5, beat, 1024, words, ccr);
				cr_expect_geq(now, beat > 1 ? before : 0, "beat %u", beat);
				before = now;
			}
		}
}

Test(caches, larger_caches_are_never_slower)
{
	for (unsigned words = 16; words <= 1024; words *= 4) {
		u64 before = UINT64_MAX;
		for (unsigned bytes = 256; bytes <= 65536; bytes *= 2) {
			const u64 now = kernel(CPU_ENGINE_TAIL, 20, 2, bytes, words, DC | IC);
			cr_expect_leq(now, before, "%u words, %u bytes", words, bytes);
			before = now;
		}
	}
}

/* Beats of others come between, at most one for each. */
Test(caches, others_take_turns)
{
	struct rig *r = rig_waiting(LATENCY, BEAT, 4096);

	taken = 128;
	cr_expect_eq(reads(r, DATA), LATENCY + (BEAT + 1) / 2);
	taken = 256;
	cr_expect_eq(reads(r, DATA), LATENCY + BEAT);
	cr_expect_eq(writes(r, DATA), BEAT - 1 + BEAT);
	enable(r, DC);
	cr_expect_eq(reads(r, DATA), LINE + 4 * BEAT);
	cr_expect_eq(reads(r, DATA), 0);
	taken = 0;
	cr_expect_eq(reads(r, DATA + 32), LINE);
	rig_free(r);
}

Test(caches, others_never_make_it_faster)
{
	for (u32 ccr = 0; ccr <= (DC | IC); ccr += DC) {
		u64 before = 0;
		for (taken = 0; taken <= 256; taken += 32) {
			const u64 now = kernel(CPU_ENGINE_TAIL, 5, 2, 1024, 64, ccr);
			cr_expect_geq(now, before, "%u of 256, CCR %x", taken, ccr);
			before = now;
		}
	}
}

Test(caches, engines_agree_about_others)
{
	for (turn = 3; turn <= 10000; turn = turn * 3 + 1)
		for (u32 ccr = 0; ccr <= (DC | IC); ccr += DC) {
			taken = 0;
			const u64 step = kernel(CPU_ENGINE_STEP, 13, 2, 512, 60, ccr);
			taken = 0;
			cr_expect_eq(kernel(CPU_ENGINE_SWITCH, 13, 2, 512, 60, ccr), step, "every %u cycles", turn);
			taken = 0;
			cr_expect_eq(kernel(CPU_ENGINE_TAIL, 13, 2, 512, 60, ccr), step, "every %u cycles", turn);
		}
}

/* What fits is read once: the rest is as fast as without wait states. */
Test(caches, what_fits_comes_once)
{
	const u64 fast = kernel(CPU_ENGINE_TAIL, 0, 1, 65536, 64, DC | IC), slow = kernel(CPU_ENGINE_TAIL, 100, 1, 65536, 64, DC | IC);

	cr_expect_eq(slow - fast, 100 * (8 + 2)); /* lines of data and code */
}

Test(caches, engines_agree)
{
	for (unsigned words = 3; words <= 300; words += 99)
		for (u32 ccr = 0; ccr <= (DC | IC); ccr += DC) {
			const u64 step = kernel(CPU_ENGINE_STEP, 13, 2, 512, words, ccr);
			cr_expect_eq(kernel(CPU_ENGINE_SWITCH, 13, 2, 512, words, ccr), step);
			cr_expect_eq(kernel(CPU_ENGINE_TAIL, 13, 2, 512, words, ccr), step);
		}
}

static void nothing(void *ctx, const struct cpu_record *r) { }

/* 500 times: loads of which some lanes are read, at addresses and with predicates that go on by a number; the sum of what they
 * brought. Each lane is an access of its own while somebody is told of them, else they are one. */
static u64 predicated(u32 step, u32 ccr, bool told, union vec *sum)
{
	static const u16 code[] = {
		0xEEED, 0x2A10,                                         /* 1: vmsr p0, r2 */
		0xFE71, 0x0F4D, 0xED91, 0x7F00, 0xEF24, 0x4846,         /* vpst; vldrwt.u32 q3, [r1]; vadd.i32 q2, q2, q3 */
		0xFE71, 0x0F4D, 0xED91, 0x7E80, 0xEF24, 0x4846,         /* vpst; vldrht.u16 q3, [r1]; vadd.i32 q2, q2, q3 */
		0xFE71, 0x0F4D, 0xED91, 0x7E00, 0xEF24, 0x4846,         /* vpst; vldrbt.u8 q3, [r1]; vadd.i32 q2, q2, q3 */
		0xFE71, 0x0F4D, 0xFD91, 0x6F00, 0xEF24, 0x4846,         /* vpst; vldrbt.u32 q3, [r1]; vadd.i32 q2, q2, q3 */
		0x442A, 0xF3C2, 0x4109, 0xEB00, 0x0181, 0x3C01, 0xD1DE, /* add r2, r5; ubfx r1, r2, #16, #10; add.w r1, r0, r1, lsl #2; subs r4, #1; bne 1b */
		0xE7FE,                                                 /* b . */
	};
	enum { ROUNDS = 500, ROUND = 18 };
	struct rig *r = rig_waiting(LATENCY, BEAT, 512);
	struct cpu *c = r->c;

	c->config.engine = CPU_ENGINE_TAIL;
	cr_assert(cpu_poke(c, RIG_PC, code, sizeof(code)));
	for (u32 i = 0, v = 1; i < 0x1100; i += 4, v = v * 1664525 + 1013904223)
		rig_poke(r, DATA + i, v);
	rig_write(r, 0xE000ED88, 0xF << 20); /* CPACR */
	enable(r, ccr);
	c->core.r[0] = c->core.r[1] = DATA;
	c->core.r[2] = step;
	c->core.r[4] = ROUNDS;
	c->core.r[5] = step;
	if (told)
		cr_assert(cpu_observe(c, &(struct cpu_observer){ .instruction = nothing }));
	const u64 start = c->core.cycles;
	cpu_set_last_instruction(c, ROUNDS * ROUND);
	cr_assert_eq(cpu_run(c, UINT64_MAX / 2), CPU_STOP_COUNT);
	cr_assert_eq(c->core.r[4], 0);
	*sum = c->fp.q[2];
	const u64 used = c->core.cycles - start;
	rig_free(r);
	return used;
}

Test(caches, lanes_at_once_cost_what_they_cost_one_by_one)
{
	for (u32 step = 0x12345; step < 0xF0000000; step = step * 3 + 0x1001)
		for (u32 ccr = 0; ccr <= (DC | IC); ccr += DC) {
			union vec one, all;
			const u64 cycles = predicated(step, ccr, true, &one);

			cr_expect_eq(predicated(step, ccr, false, &all), cycles, "step 0x%x, CCR 0x%x", step, ccr);
			cr_expect(memcmp(&one, &all, sizeof(one)) == 0);
		}
}
