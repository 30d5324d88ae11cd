/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/profile.h"

#include <stdlib.h>
#include <string.h>

/* A straight piece of code in one context, from where it was entered to where it was left, and where to. */
struct run {
	u32 context, start, end, to;
	u32 next[2]; /* numbers of runs that followed it, the latest first: mostly one of them follows again */
	u32 length;  /* instructions, when it is among the repeats */
	u32 callee;  /* of a call: the context that it leads to; 0: not known yet */
	bool plain;  /* leads to no other context */
	u64 count, cycles, instructions, taken;
};

struct asleep { u64 npu, idle; };

struct profile {
	struct machine *machine;
	struct calls calls;
	struct run *run;
	u32 count, room;
	u32 *index, index_size; /* open addressing: number of a run + 1 */
	u32 last;               /* number of the latest run */
	struct cpu_repeats repeats; /* runs that lead nowhere else are counted where they happen; tag: number of the run */
	bool counts_repeats;
	u32 context;            /* the innermost one */
	struct asleep *asleep;  /* by context */
	u32 asleep_room;
	u64 cycle, number;      /* up to here everything is counted */
	bool failed;
};

static u32 hash(u32 context, u32 start, u32 end, u32 to)
{
	u64 x = ((u64)start << 32 | end) * UINT64_C(0x9e3779b97f4a7c15);

	x ^= ((u64)to << 32 | context) * UINT64_C(0xc2b2ae3d27d4eb4f);
	return (u32)(x >> 32);
}

static void index_add(struct profile *p, u32 n)
{
	const struct run *r = &p->run[n];
	u32 i = hash(r->context, r->start, r->end, r->to) & (p->index_size - 1);

	while (p->index[i])
		i = (i + 1) & (p->index_size - 1);
	p->index[i] = n + 1;
}

/* Room for one more run; the index is never more than half full. */
static bool grow(struct profile *p)
{
	const u32 room = p->room ? 2 * p->room : 4096;
	struct run *more = realloc(p->run, room * sizeof *more);
	u32 *index = calloc(2 * (size_t)room, sizeof *index);

	if (more)
		p->run = more;
	if (!more || !index) {
		free(index);
		return false;
	}
	free(p->index);
	p->index = index;
	p->index_size = 2 * room;
	p->room = room;
	for (u32 i = 0; i < p->count; i++)
		index_add(p, i);
	return true;
}

ALWAYS_INLINE bool is_run(const struct run *r, u32 context, const struct cpu_course *t)
{
	return r->start == t->start && r->end == t->end && r->to == t->to && r->context == context;
}

/* False: host memory is short. */
static bool find(struct profile *p, const struct cpu_course *t, u32 *number)
{
	u32 i = hash(p->context, t->start, t->end, t->to) & (p->index_size - 1);

	for (; p->index[i]; i = (i + 1) & (p->index_size - 1)) {
		*number = p->index[i] - 1;
		if (is_run(&p->run[*number], p->context, t))
			return true;
	}
	if (p->count == p->room && !grow(p))
		return false;
	*number = p->count++;
	p->run[*number] = (struct run){ .context = p->context, .start = t->start, .end = t->end, .to = t->to };
	index_add(p, *number);
	return true;
}

/* The run behind the latest one where that did not lead before. NULL: host memory is short. */
static NOINLINE struct run *find_unforeseen(struct profile *p, const struct cpu_course *t)
{
	u32 number;

	if (!find(p, t, &number))
		return NULL;
	struct run *last = &p->run[p->last];
	last->next[1] = last->next[0];
	last->next[0] = number;
	p->last = number;
	return &p->run[number];
}

ALWAYS_INLINE struct run *find_next(struct profile *p, const struct cpu_course *t)
{
	const struct run *last = &p->run[p->last];

	for (unsigned i = 0; i < ARRAY_LEN(last->next); i++)
		if (LIKELY(is_run(&p->run[last->next[i]], p->context, t))) {
			p->last = last->next[i];
			return &p->run[p->last];
		}
	return find_unforeseen(p, t);
}

static struct asleep *asleep_in(struct profile *p, u32 context)
{
	if (context >= p->asleep_room) {
		const u32 room = 2 * context + 64;
		struct asleep *more = realloc(p->asleep, room * sizeof *more);

		if (!more)
			return NULL;
		memset(more + p->asleep_room, 0, (room - p->asleep_room) * sizeof *more);
		p->asleep = more;
		p->asleep_room = room;
	}
	return &p->asleep[context];
}

/* The NPU's state changes at events only, and no event lies inside a sleep. */
static void sleep(struct profile *p, const struct cpu_course *t)
{
	struct asleep *a = asleep_in(p, p->context);

	if (!a)
		p->failed = true;
	else
		*(p->machine->npu && npu_busy(p->machine->npu) ? &a->npu : &a->idle) += t->until - t->cycle;
	p->cycle = t->until;
}

/* One cycle per instruction: then a run costs the same each time. */
static bool costs_are_constant(const struct machine *m)
{
	const struct cpu_config *c = &m->config.cpu;

	return c->timing == CPU_TIMING_IPC1 && c->cpi_mul == c->cpi_div;
}

/* Takes what was counted without being told, all of it before the present record. */
static void take_repeats(struct profile *p)
{
	struct cpu_repeats *repeats = &p->repeats;

	for (u32 i = 0; i < repeats->touched_count; i++) {
		struct cpu_repeat *e = &repeats->entry[repeats->touched[i]];
		struct run *r = &p->run[e->tag];
		const u64 instructions = e->count * r->length;

		r->count += e->count;
		r->taken += e->count;
		if (e->leads != CPU_REPEAT_STAYS && e->leads != CPU_REPEAT_RETURNS)
			p->calls.context[e->leads].calls += e->count;
		r->cycles += instructions;
		r->instructions += instructions;
		p->cycle += instructions;
		p->number += instructions;
		e->count = 0;
	}
	repeats->touched_count = 0;
	p->context = repeats->context;
	p->calls.depth = repeats->depth;
	if (repeats->stale) {
		memset(repeats->entry, 0, sizeof repeats->entry);
		repeats->stale = false;
	}
}

/* Where counting goes on without being told. */
static void hand_over(struct profile *p)
{
	struct cpu_repeats *r = &p->repeats;

	p->context = r->context = calls_current(&p->calls);
	r->frame = p->calls.frame;
	r->depth = p->calls.depth;
	r->low = p->calls.low;
	r->room = calls_room(&p->calls);
}

/* From now on the run is counted where it happens. Its length may be another one than before if the code was
 * changed. */
static void add_repeat(struct profile *p, struct run *r, const struct cpu_course *t, u64 instructions)
{
	struct cpu_repeat *e = cpu_repeat_place(&p->repeats, t->start, t->end, t->to);

	r->length = (u32)instructions;
	*e = (struct cpu_repeat){ .context = r->context, .start = t->start, .end = t->end, .to = t->to, .tag = p->last,
				  .leads = t->turn == CPU_TURN_CALL ? r->callee : t->turn == CPU_TURN_RETURN ? CPU_REPEAT_RETURNS : CPU_REPEAT_STAYS };
}

/* Where the run leads to: another function, or on in this one. */
static void turn(struct profile *p, struct run *r, const struct cpu_course *t)
{
	if (t->turn == CPU_TURN_SLEEP) {
		sleep(p, t);
	} else if (t->turn == CPU_TURN_CALL) {
		if (!r->callee)
			r->callee = calls_callee(&p->calls, t);
		calls_enter(&p->calls, t, r->callee);
	} else {
		r->plain = !calls_follow(&p->calls, t) && t->turn == CPU_TURN_BRANCH;
	}
	hand_over(p);
}

/* A call that the calls had no room for has no place to go to, either. */
static bool may_repeat(const struct run *r, const struct cpu_course *t)
{
	return t->turn == CPU_TURN_CALL ? r->callee != 0 : t->turn == CPU_TURN_RETURN || (t->turn == CPU_TURN_BRANCH && r->plain);
}

static void follow(void *ctx, const struct cpu_course *t)
{
	struct profile *p = ctx;

	take_repeats(p);
	struct run *r = find_next(p, t);
	const u64 instructions = t->number - p->number;

	if (UNLIKELY(!r)) {
		p->failed = true;
		return;
	}
	r->count++;
	r->cycles += t->cycle - p->cycle;
	r->instructions += instructions;
	r->taken += t->turn == CPU_TURN_BRANCH || t->turn == CPU_TURN_CALL || t->turn == CPU_TURN_RETURN;
	p->cycle = t->cycle;
	p->number = t->number;
	const bool known = p->counts_repeats && instructions <= UINT32_MAX && may_repeat(r, t);

	if (!r->plain || t->turn != CPU_TURN_BRANCH)
		turn(p, r, t);
	if (known)
		add_repeat(p, r, t, instructions);
}

/* Number 0 is there from the beginning and stands before the first run. */
static bool begin_runs(struct profile *p)
{
	if (!grow(p))
		return false;
	p->run[0] = (struct run){ 0 };
	p->count = 1;
	return true;
}

struct profile *profile_new(struct machine *m)
{
	struct profile *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->machine = m;
	p->cycle = machine_cycles(m);
	p->number = cpu_instructions(m->cpu);
	calls_init(&p->calls, m, cpu_get_reg(m->cpu, REG_PC), cpu_get_reg(m->cpu, 13));
	hand_over(p);
	p->counts_repeats = costs_are_constant(m);
	if (!p->calls.failed && begin_runs(p) && cpu_observe(m->cpu, &(struct cpu_observer){ .course = follow, .repeats = &p->repeats, .ctx = p }))
		return p;
	profile_free(p);
	return NULL;
}

bool profile_end(struct profile *p)
{
	cpu_observe_flush(p->machine->cpu);
	cpu_unobserve(p->machine->cpu, p);
	return !p->failed && !p->calls.failed;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	calls_free(&p->calls);
	free(p->run);
	free(p->index);
	free(p->asleep);
	free(p);
}

const struct calls *profile_calls(const struct profile *p) { return &p->calls; }
struct machine *profile_machine(const struct profile *p) { return p->machine; }

void profile_cost_add(struct profile_cost *to, const struct profile_cost *c)
{
	to->cycles += c->cycles;
	to->instructions += c->instructions;
	to->branches += c->branches;
	to->taken += c->taken;
	to->stalls += c->stalls;
	to->npu += c->npu;
	to->idle += c->idle;
}

/* Divides a piece's cycles by what the timing says of each instruction. What remains (an exception's entry, a taken branch,
 * an instruction that was given up) is the first's: sums stay exact. */
static void each_of_run(const struct profile *p, const struct run *r, profile_fn *fn, void *ctx)
{
	struct cpu *cpu = p->machine->cpu;
	u64 cycles = r->cycles, instructions = r->instructions;
	struct profile_cost c;

	for (u32 pc = r->start, length; pc < r->end; pc += length) {
		const struct cpu_instruction k = cpu_instruction_at(cpu, pc);
		const u64 own = k.units * r->count < cycles ? k.units * r->count : cycles;
		const u64 times = r->count < instructions ? r->count : instructions;

		length = k.length;
		c = (struct profile_cost){ .cycles = own, .instructions = times, .branches = k.branch ? times : 0,
					   .taken = pc + length == r->end ? r->taken : 0, .stalls = own > times ? own - times : 0,
					   .work = k.work };
		cycles -= own;
		instructions -= times;
		fn(ctx, r->context, pc, &c);
	}
	c = (struct profile_cost){ .cycles = cycles, .instructions = instructions, .stalls = cycles > instructions ? cycles - instructions : 0,
				   .work = CPU_WORKS };
	if (cycles || instructions)
		fn(ctx, r->context, r->start, &c);
}

void profile_each(const struct profile *p, profile_fn *fn, void *ctx)
{
	for (u32 i = 0; i < p->count; i++)
		each_of_run(p, &p->run[i], fn, ctx);
	for (u32 i = 0; i < p->asleep_room && i < p->calls.count; i++)
		if (p->asleep[i].npu || p->asleep[i].idle)
			fn(ctx, i, p->calls.context[i].function, &(struct profile_cost){ .npu = p->asleep[i].npu, .idle = p->asleep[i].idle, .work = CPU_WORKS });
}
