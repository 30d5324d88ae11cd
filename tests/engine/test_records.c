/* SPDX-License-Identifier: Apache-2.0 */
/* Records of instructions name every core register that changes, whatever the instruction: who follows them knows the registers. */
#include "tests/cpu-sys/rig.h"
#include "tests/engine/draw.h"

#include "cpu/observe.h"

#include <criterion/criterion.h>

#define CPACR 0xe000ed88u
#define DATA 0x30004000u
#define FLAGS 0xf80f0000u
#define NOP 0xbf00
enum { REGISTERS = 16, RUN_CYCLES = 24, STATES = 3 };

/* The registers as records have them; the flags are the last one. */
struct follower {
	struct cpu *cpu;
	u32 value[REGISTERS];
	bool lost;         /* an exception changes registers between two instructions */
	u32 bad, seen;
	struct cpu_record first; /* the first that was wrong */
};

static u32 value_of(const struct cpu *c, unsigned i)
{
	return i < REGISTERS - 1 ? cpu_get_reg(c, i) : cpu_get_reg(c, CPU_REG_XPSR) & FLAGS;
}

static void instruction(void *ctx, const struct cpu_record *r)
{
	struct follower *f = ctx;

	for (unsigned i = 0; i < r->writes; i++)
		if (r->write[i].reg < REGISTERS - 1)
			f->value[r->write[i].reg] = r->write[i].value;
		else if (r->write[i].reg == CPU_REG_XPSR)
			f->value[REGISTERS - 1] = r->write[i].value & FLAGS;
	for (unsigned i = 0; i < REGISTERS; i++) {
		const u32 now = value_of(f->cpu, i);

		if (now != f->value[i] && !f->lost && !f->bad++)
			f->first = *r;
		f->value[i] = now;
	}
	f->lost = false;
	f->seen++;
}

static void course(void *ctx, const struct cpu_course *t)
{
	struct follower *f = ctx;

	f->lost |= t->turn == CPU_TURN_ENTRY || t->turn == CPU_TURN_EXIT;
}

static void begin(struct draw *d, struct rig *r, unsigned state)
{
	cpu_reset(r->c);
	rig_write(r, CPACR, 0xf << 20);
	for (unsigned i = 0; i < 15; i++)
		cpu_set_reg(r->c, i, (state + i) & 1 ? DATA + 0x800 + insn_random_below(&d->random, 0x400) * 4 : insn_random_u32(&d->random));
	cpu_set_reg(r->c, 13, DATA + 0x1000 + insn_random_below(&d->random, 64) * 8);
	cpu_set_reg(r->c, CPU_REG_XPSR, (insn_random_u32(&d->random) & FLAGS) | 1 << 24);
}

static void follow(struct draw *d, struct follower *f, struct rig *r, unsigned number)
{
	struct drawn code;

	cr_assert(draw_sequence(d, number, RIG_PC, &code));
	for (unsigned state = 0; state < STATES && !f->bad; state++) {
		for (u32 at = RIG_PC; at < RIG_PC + 0x200; at += 4)
			rig_poke(r, at, (u32)NOP << 16 | NOP);
		cr_assert(cpu_poke(r->c, RIG_PC, code.code, code.halfwords * 2));
		begin(d, r, state);
		cpu_set_reg(r->c, 15, RIG_PC);
		f->lost = false;
		for (unsigned i = 0; i < REGISTERS; i++)
			f->value[i] = value_of(r->c, i);
		cpu_run(r->c, r->sched.now + RUN_CYCLES * sched_period(25000000));
	}
}

Test(records, name_all_that_changes)
{
	static struct follower f;
	static struct draw d;
	struct rig *r = rig_new_engine(CPU_ENGINE_TAIL);

	f.cpu = r->c;
	draw_init(&d, 1);
	cr_assert(cpu_observe(r->c, &(struct cpu_observer){ .instruction = instruction, .course = course, .ctx = &f }));
	for (unsigned i = 0; i < d.count && !f.bad; i++)
		follow(&d, &f, r, i);
	cr_assert_eq(f.bad, 0, "%s (%08x) changes a register that its record has not got", f.first.operation, f.first.encoding);
	cr_assert_gt(f.seen, d.count * STATES);
	cpu_unobserve(r->c, &f);
	rig_free(r);
	draw_free(&d);
}

/* All of a record but the registers that were read, which nobody has asked for. */
static u64 digest_of(const struct cpu_record *r)
{
	const u64 head[] = { r->cycle, r->number, (u64)r->pc << 32 | r->encoding, r->length | r->executed << 8 | r->abandoned << 9 |
			     r->secure << 10 | r->handler << 11 | (u32)r->writes << 12 | (u64)r->accesses << 20 };
	u64 sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		sum = (sum ^ head[i]) * 0x9e3779b97f4a7c15u;
	for (unsigned i = 0; i < r->writes; i++)
		sum = (sum ^ ((u64)r->write[i].reg << 32 | r->write[i].value)) * 0x9e3779b97f4a7c15u;
	for (unsigned i = 0; i < r->accesses; i++) {
		const struct cpu_access *a = &r->access[i];

		sum = (sum ^ ((u64)a->addr << 32 | a->value)) * 0x9e3779b97f4a7c15u;
		sum = (sum ^ ((u64)a->before << 32 | a->bytes | a->write << 8 | a->memory << 9)) * 0x9e3779b97f4a7c15u;
	}
	return sum;
}

struct told { u64 digest[RUN_CYCLES + 8]; unsigned count; const char *last; };

static void add(void *ctx, const struct cpu_record *r)
{
	struct told *t = ctx;

	if (t->count < ARRAY_LEN(t->digest))
		t->digest[t->count] = digest_of(r);
	t->count++;
	t->last = r->operation;
}

/* One engine's side of the comparison: the same draws lead to the same programs and registers. */
struct side { struct draw draw; struct rig *rig; struct told told; };

static void side_begin(struct side *s, enum cpu_engine engine)
{
	s->rig = rig_new_engine(engine);
	draw_init(&s->draw, 2);
	cr_assert(cpu_observe(s->rig->c, &(struct cpu_observer){ .instruction = add, .ctx = &s->told }));
}

static void side_run(struct side *s, unsigned number, unsigned state)
{
	struct rig *r = s->rig;
	struct drawn code;

	cr_assert(draw_sequence(&s->draw, number, RIG_PC, &code));
	for (u32 at = RIG_PC; at < RIG_PC + 0x200; at += 4)
		rig_poke(r, at, (u32)NOP << 16 | NOP);
	cr_assert(cpu_poke(r->c, RIG_PC, code.code, code.halfwords * 2));
	begin(&s->draw, r, state);
	cpu_set_reg(r->c, 15, RIG_PC);
	s->told.count = 0;
	cpu_run(r->c, r->sched.now + RUN_CYCLES * sched_period(25000000));
}

static void side_end(struct side *s)
{
	cpu_unobserve(s->rig->c, &s->told);
	rig_free(s->rig);
	draw_free(&s->draw);
}

Test(records, are_those_of_the_stepping_engine)
{
	static struct side step, tail;
	unsigned instructions = 0;

	side_begin(&step, CPU_ENGINE_STEP);
	side_begin(&tail, CPU_ENGINE_TAIL);
	for (unsigned i = 0; i < step.draw.count; i++)
		for (unsigned state = 0; state < STATES; state++) {
			side_run(&step, i, state);
			side_run(&tail, i, state);
			cr_assert(step.told.count == tail.told.count && step.told.count <= ARRAY_LEN(step.told.digest),
				  "%s: %u records, not %u", tail.told.last, tail.told.count, step.told.count);
			for (unsigned k = 0; k < step.told.count; k++)
				cr_assert_eq(step.told.digest[k], tail.told.digest[k], "sequence %u (%s), record %u", i, tail.told.last, k);
			instructions += step.told.count;
		}
	cr_assert_gt(instructions, step.draw.count * STATES);
	side_end(&step);
	side_end(&tail);
}

static void keep(void *ctx, const struct cpu_record *r) { *(struct cpu_record *)ctx = *r; }

/* The distance of LDRD has bits where lists of registers have theirs. */
Test(records, of_a_pair_name_the_pair_alone)
{
	static const u16 ldrd_r0_r1[] = { 0xe9d2, 0x0102 }; /* [r2, #8] */
	struct rig *r = rig_new_engine(CPU_ENGINE_TAIL);
	struct cpu_record got;

	cr_assert(cpu_poke(r->c, RIG_PC, ldrd_r0_r1, sizeof ldrd_r0_r1));
	cpu_set_reg(r->c, 2, DATA);
	cr_assert(cpu_observe(r->c, &(struct cpu_observer){ .instruction = keep, .ctx = &got }));
	cpu_run(r->c, r->sched.now + sched_period(25000000));
	cr_assert(got.pc == RIG_PC && got.writes == 2 && got.write[0].reg == 0 && got.write[1].reg == 1, "%u registers", got.writes);
	cpu_unobserve(r->c, &got);
	rig_free(r);
}

/* Where it lies in the page that it writes to, decoded code is forgotten before the base is written back. */
Test(stores, into_their_own_page_write_their_base_back)
{
	static const u16 str_r1_r2[] = { 0xf842, 0x1f04 }; /* STR r1, [r2, #4]! */
	struct rig *r = rig_new_engine(CPU_ENGINE_TAIL);

	cr_assert(cpu_poke(r->c, RIG_PC, str_r1_r2, sizeof str_r1_r2));
	cpu_set_reg(r->c, 0, 0);
	cpu_set_reg(r->c, 2, RIG_PC + 0x100);
	cpu_run(r->c, r->sched.now + sched_period(25000000));
	cr_assert_eq(cpu_get_reg(r->c, 2), RIG_PC + 0x104);
	cr_assert_eq(cpu_get_reg(r->c, 0), 0);
	rig_free(r);
}
