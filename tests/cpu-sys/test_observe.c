/* SPDX-License-Identifier: Apache-2.0 */
/* What observers are told (cpu/observe.h): accesses of every encoding group, encodings from GNU as; registers; and the
 * program's course, which must name the same instructions in every engine, and cost nothing that a counter shows. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "cpu/observe.h"

enum { HERE = RIG_PC, R1 = 0x30001000, R2 = 0x40, STACK = 0x30004000 };
enum { N, R, W };

static const struct { u16 h0, h1; u8 kind; u32 addr, bytes; const char *text; } rows[] = {
	{ 0x4804, 0, R, HERE + 4 + 16, 4, "ldr r0, [pc, #16]" },
	{ 0x5088, 0, W, R1 + R2, 4, "str r0, [r1, r2]" },
	{ 0x5288, 0, W, R1 + R2, 2, "strh r0, [r1, r2]" },
	{ 0x5488, 0, W, R1 + R2, 1, "strb r0, [r1, r2]" },
	{ 0x5688, 0, R, R1 + R2, 1, "ldrsb r0, [r1, r2]" },
	{ 0x5888, 0, R, R1 + R2, 4, "ldr r0, [r1, r2]" },
	{ 0x5a88, 0, R, R1 + R2, 2, "ldrh r0, [r1, r2]" },
	{ 0x5c88, 0, R, R1 + R2, 1, "ldrb r0, [r1, r2]" },
	{ 0x5e88, 0, R, R1 + R2, 2, "ldrsh r0, [r1, r2]" },
	{ 0x67c8, 0, W, R1 + 124, 4, "str r0, [r1, #124]" },
	{ 0x6848, 0, R, R1 + 4, 4, "ldr r0, [r1, #4]" },
	{ 0x77c8, 0, W, R1 + 31, 1, "strb r0, [r1, #31]" },
	{ 0x7808, 0, R, R1, 1, "ldrb r0, [r1]" },
	{ 0x8048, 0, W, R1 + 2, 2, "strh r0, [r1, #2]" },
	{ 0x8fc8, 0, R, R1 + 62, 2, "ldrh r0, [r1, #62]" },
	{ 0x9002, 0, W, STACK + 8, 4, "str r0, [sp, #8]" },
	{ 0x98ff, 0, R, STACK + 1020, 4, "ldr r0, [sp, #1020]" },
	{ 0xb503, 0, W, STACK - 12, 12, "push {r0, r1, lr}" },
	{ 0xbd10, 0, R, STACK, 8, "pop {r4, pc}" },
	{ 0xc10c, 0, W, R1, 8, "stmia r1!, {r2, r3}" },
	{ 0xc91c, 0, R, R1, 12, "ldmia r1!, {r2, r3, r4}" },
	{ 0xbeab, 0, N, 0, 0, "bkpt 0xab" },
	{ 0xdf00, 0, N, 0, 0, "svc 0" },
	{ 0xde00, 0, N, 0, 0, "udf #0" },
	{ 0xbf00, 0, N, 0, 0, "nop" },
	{ 0xe7fe, 0, N, 0, 0, "b ." },
	{ 0x2001, 0, N, 0, 0, "movs r0, #1" },
	{ 0x1888, 0, N, 0, 0, "adds r0, r1, r2" },
	{ 0xb100, 0, N, 0, 0, "cbz r0, .+4" },
	{ 0xe891, 0x0300, R, R1, 8, "ldmia.w r1, {r8, r9}" },
	{ 0xe921, 0x4300, W, R1 - 12, 12, "stmdb r1!, {r8, r9, lr}" },
	{ 0xe92d, 0x4ff0, W, STACK - 36, 36, "push {r4-r11, lr}" },
	{ 0xe8bd, 0x8ff0, R, STACK, 36, "pop {r4-r11, pc}" },
	{ 0xe89f, 0x0003, N, 0, 0, "clrm {r0, r1}" },
	{ 0xe9d1, 0x0202, R, R1 + 8, 8, "ldrd r0, r2, [r1, #8]" },
	{ 0xe941, 0x0202, W, R1 - 8, 8, "strd r0, r2, [r1, #-8]" },
	{ 0xe8e1, 0x0202, W, R1, 8, "strd r0, r2, [r1], #8" },
	{ 0xe971, 0x02ff, R, R1 - 1020, 8, "ldrd r0, r2, [r1, #-1020]!" },
	{ 0xe851, 0x0f01, R, R1 + 4, 4, "ldrex r0, [r1, #4]" },
	{ 0xe841, 0x2000, N, 0, 0, "strex r0, r2, [r1]" },
	{ 0xe8d1, 0x0f4f, R, R1, 1, "ldrexb r0, [r1]" },
	{ 0xe8d1, 0x0faf, R, R1, 4, "lda r0, [r1]" },
	{ 0xe8c1, 0x0faf, W, R1, 4, "stl r0, [r1]" },
	{ 0xe8d1, 0xf002, R, R1 + R2, 1, "tbb [r1, r2]" },
	{ 0xe8d1, 0xf012, R, R1 + 2 * R2, 2, "tbh [r1, r2, lsl #1]" },
	{ 0xe841, 0xf000, N, 0, 0, "tt r0, r1" },
	{ 0xf8d1, 0x0fff, R, R1 + 4095, 4, "ldr.w r0, [r1, #4095]" },
	{ 0xf841, 0x0cff, W, R1 - 255, 4, "str.w r0, [r1, #-255]" },
	{ 0xf841, 0x0b04, W, R1, 4, "str.w r0, [r1], #4" },
	{ 0xf801, 0x0f08, W, R1 + 8, 1, "strb.w r0, [r1, #8]!" },
	{ 0xf931, 0x0032, R, R1 + 8 * R2, 2, "ldrsh.w r0, [r1, r2, lsl #3]" },
	{ 0xf841, 0x0022, W, R1 + 4 * R2, 4, "str.w r0, [r1, r2, lsl #2]" },
	{ 0xf85f, 0x0020, R, HERE + 4 - 32, 4, "ldr.w r0, [pc, #-32]" },
	{ 0xf851, 0x0e04, R, R1 + 4, 4, "ldrt r0, [r1, #4]" },
	{ 0xed91, 0x0a00, R, R1, 4, "vldr s0, [r1]" },
	{ 0xed2d, 0x0a01, W, STACK - 4, 4, "vpush {s0}" },
	{ 0xee30, 0x0a81, N, 0, 0, "vadd.f32 s0, s1, s2" },
	{ 0xf3bf, 0x8f4f, N, 0, 0, "dsb sy" },
	{ 0xf040, 0xc003, N, 0, 0, "wls lr, r0, .+8" },
	{ 0xf3ef, 0x8010, N, 0, 0, "mrs r0, primask" },
	{ 0xf04f, 0x0001, N, 0, 0, "mov.w r0, #1" },
};

struct seen { unsigned records; struct cpu_record last; };

static void keep(void *ctx, const struct cpu_record *r)
{
	struct seen *s = ctx;

	s->records++;
	s->last = *r;
}

static struct rig *rig_at(u16 h0, u16 h1)
{
	struct rig *r = rig_new();

	rig_poke(r, HERE, (u32)h1 << 16 | h0);
	cpu_set_reg(r->c, 0, 8);
	cpu_set_reg(r->c, 1, R1);
	cpu_set_reg(r->c, 2, R2);
	cpu_set_reg(r->c, 13, STACK);
	rig_write(r, 0xe000ed88, 0xf << 20); /* CPACR: floating point */
	return r;
}

/* The bytes from the lowest to the highest that the instruction touched, in one direction. */
static void expect_accesses(const struct cpu_record *r, size_t row)
{
	u32 low = r->accesses ? r->access[0].addr : 0, bytes = 0;

	for (unsigned i = 0; i < r->accesses; i++) {
		const struct cpu_access *a = &r->access[i];

		cr_expect_eq(a->write, rows[row].kind == W, "%s: direction", rows[row].text);
		low = a->addr < low ? a->addr : low;
		bytes += a->bytes;
	}
	cr_expect(low == rows[row].addr && bytes == rows[row].bytes, "%s: 0x%08x, %u bytes", rows[row].text, low, bytes);
}

Test(observe, accesses_of_every_group)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rig *r = rig_at(rows[i].h0, rows[i].h1);
		struct seen s = { 0 };

		cr_assert(cpu_observe(r->c, &(struct cpu_observer){ .instruction = keep, .ctx = &s }));
		cr_assert_eq(cpu_step(r->c), CPU_STOP_HORIZON);
		cr_assert_eq(s.records, 1, "%s", rows[i].text);
		cr_expect_eq(s.last.pc, HERE);
		expect_accesses(&s.last, i);
		cpu_unobserve(r->c, &s);
		rig_free(r);
	}
}

static bool has(const struct cpu_value *list, unsigned n, u16 reg, u32 value)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i].reg == reg)
			return list[i].value == value;
	return false;
}

Test(observe, registers_with_values)
{
	struct rig *r = rig_at(0x1888, 0); /* adds r0, r1, r2 */
	struct seen s = { 0 };

	cpu_observe(r->c, &(struct cpu_observer){ .instruction = keep, .ctx = &s, .reads = true });
	cpu_step(r->c);
	cr_expect(has(s.last.read, s.last.reads, 1, R1) && has(s.last.read, s.last.reads, 2, R2));
	cr_expect_eq(s.last.reads, 2);
	cr_expect(has(s.last.write, s.last.writes, 0, R1 + R2) && has(s.last.write, s.last.writes, CPU_REG_XPSR, 0));
	cr_expect_eq(s.last.writes, 2);
	cr_expect_str_eq(s.last.operation, "adds_rr");
	rig_free(r);
}

Test(observe, stores_know_what_was_there)
{
	struct rig *r = rig_at(0x6008, 0); /* str r0, [r1] */
	struct seen s = { 0 };

	rig_poke(r, R1, 0x12345678);
	cpu_observe(r->c, &(struct cpu_observer){ .instruction = keep, .ctx = &s });
	cpu_step(r->c);
	cr_assert_eq(s.last.accesses, 1);
	cr_expect(s.last.access[0].memory && s.last.access[0].before == 0x12345678 && s.last.access[0].value == 8);
	rig_free(r);
}

Test(observe, what_is_abandoned_is_told_so)
{
	struct rig *r = rig_at(0xde00, 0); /* udf */
	struct seen s = { 0 };

	cpu_observe(r->c, &(struct cpu_observer){ .instruction = keep, .ctx = &s });
	cpu_step(r->c);
	cr_expect(s.last.abandoned);
	rig_free(r);
}

/* ---- the course ---- */

/* A loop with calls, returns, an IT block of a branch, a table branch, a supervisor call and a loop of LE. */
static const u16 program[] = {
	0x2000, 0x2107, 0xf04f, 0x0e14, 0xf04e, 0xe001, /* movs r0, #0; movs r1, #7; mov.w lr, #20; dls lr, lr */
	0x3001, 0x4288, 0xbfa8, 0x2000, 0xf00f, 0xc009, /* 0xc: adds r0, #1; cmp r0, r1; it ge; movge r0, #0; le lr, 0xc */
	0xf000, 0xf805, 0xdf00, 0x2d64, 0xbf18, 0xe7ef, /* 0x18: bl 0x26; svc; cmp r5, #100; it ne; bne 0x4 */
	0xe7fe, 0xb510, 0x3501, 0xbd10,                 /* 0x24: b .; 0x26: push {r4, lr}; adds r5, #1; pop {r4, pc} */
};
static const u16 handler[] = { 0x3701, 0x4770 }; /* adds r7, #1; bx lr */

static struct rig *rig_with_program(enum cpu_engine engine, enum cpu_timing timing)
{
	struct rig *r = rig_new_with(engine, timing);

	cr_assert(cpu_poke(r->c, RIG_PC, program, sizeof program));
	cr_assert(cpu_poke(r->c, rig_handler(11), handler, sizeof handler));
	return r;
}

enum { INSTRUCTIONS = 4000 };

struct course { u32 pc[INSTRUCTIONS + 64]; unsigned count; u64 cycle, number; struct cpu *cpu; unsigned turns[8]; };

static void follow(void *ctx, const struct cpu_course *t)
{
	struct course *c = ctx;
	u16 first;

	for (u32 pc = t->start; pc < t->end && c->count < ARRAY_LEN(c->pc);) {
		c->pc[c->count++] = pc;
		cr_assert(cpu_peek(c->cpu, pc, &first, 2));
		pc += first >= 0xe800 ? 4 : 2;
	}
	cr_assert_geq(t->cycle, c->cycle);
	c->cycle = t->cycle;
	c->number = t->number;
	c->turns[t->turn]++;
}

static void record(void *ctx, const struct cpu_record *r)
{
	struct course *c = ctx;

	c->pc[c->count++] = r->pc;
	c->cycle = r->cycle;
	c->number = r->number;
}

struct end { u64 cycles, insns; u32 r[16], xpsr; };

static struct end run(enum cpu_engine engine, enum cpu_timing timing, bool course, bool instructions, struct course *out)
{
	struct rig *r = rig_with_program(engine, timing);
	struct cpu_observer o = { .course = course ? follow : NULL, .instruction = instructions ? record : NULL, .ctx = out };
	struct end end = { 0 };

	*out = (struct course){ .cpu = r->c };
	if (course || instructions)
		cr_assert(cpu_observe(r->c, &o));
	cpu_set_last_instruction(r->c, INSTRUCTIONS);
	while (cpu_run(r->c, SCHED_NEVER) != CPU_STOP_COUNT)
		;
	cpu_observe_flush(r->c);
	end.cycles = cpu_cycles(r->c);
	end.insns = cpu_instructions(r->c);
	for (unsigned i = 0; i < 16; i++)
		end.r[i] = cpu_get_reg(r->c, i);
	end.xpsr = cpu_get_reg(r->c, CPU_REG_XPSR);
	rig_free(r);
	return end;
}

Test(observe, the_course_names_the_instructions_that_were_executed)
{
	static const enum cpu_engine engines[] = { CPU_ENGINE_TAIL, CPU_ENGINE_SWITCH, CPU_ENGINE_STEP };
	static struct course plain, stepped, course;

	for (unsigned timing = CPU_TIMING_IPC1; timing <= CPU_TIMING_M85; timing++) {
		const struct end silent = run(CPU_ENGINE_TAIL, timing, false, false, &plain);
		const struct end traced = run(CPU_ENGINE_TAIL, timing, false, true, &stepped);

		cr_expect_arr_eq(&silent, &traced, sizeof silent, "records change nothing");
		cr_expect_eq(stepped.count, INSTRUCTIONS);
		for (unsigned e = 0; e < ARRAY_LEN(engines); e++) {
			const struct end followed = run(engines[e], timing, true, false, &course);

			cr_expect_arr_eq(&silent, &followed, sizeof silent, "engine %u, timing %u", e, timing);
			cr_expect_eq(course.count, stepped.count, "engine %u: %u instead of %u", e, course.count, stepped.count);
			cr_expect_arr_eq(course.pc, stepped.pc, sizeof stepped.pc, "engine %u, timing %u", e, timing);
			cr_expect_eq(course.cycle, followed.cycles);
			cr_expect_eq(course.number, followed.insns);
			cr_expect_eq(course.turns[CPU_TURN_CALL], course.turns[CPU_TURN_RETURN]);
			cr_expect_eq(course.turns[CPU_TURN_ENTRY], course.turns[CPU_TURN_EXIT]);
			cr_expect_gt(course.turns[CPU_TURN_ENTRY], 10);
		}
	}
}

struct turns { struct cpu_course turn[4]; unsigned count; };

static void keep_turn(void *ctx, const struct cpu_course *t)
{
	struct turns *s = ctx;

	if (s->count < ARRAY_LEN(s->turn))
		s->turn[s->count++] = *t;
}

Test(observe, a_branch_to_an_even_address_is_told_before_the_fault)
{
	static const u32 targets[] = { R1, 0, 0x5fff0000 };

	for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
		struct rig *r = rig_at(0x4788, 0); /* blx r1 */
		struct turns s = { .count = 0 };

		cpu_set_reg(r->c, 1, targets[i]);
		cpu_observe(r->c, &(struct cpu_observer){ .course = keep_turn, .ctx = &s });
		cpu_step(r->c);
		cpu_step(r->c);
		cr_assert_eq(s.count, 2, "%u", s.count);
		cr_expect_eq(s.turn[0].turn, CPU_TURN_CALL);
		cr_expect_eq(s.turn[0].at, HERE);
		cr_expect_eq(s.turn[0].end, HERE + 2);
		cr_expect_eq(s.turn[0].to, targets[i]);
		cr_expect_eq(s.turn[1].turn, CPU_TURN_ENTRY);
		cr_expect_eq(s.turn[1].start, targets[i]);
		cr_expect_eq(s.turn[1].end, targets[i], "nothing was executed there");
		rig_free(r);
	}
}
