/* SPDX-License-Identifier: Apache-2.0 */
/* Budget, exact time and choice of engine. A run gets a budget of cost units that reaches to the
 * horizon; handlers pay per block; the last instructions before the horizon, and everything that
 * cannot be kept decoded, go through the stepping engine. */
#include "cpu/engine/observed.h"
#include "cpu/engine/translate.h"
#include "cpu/engine/waits.h"

#include <stdlib.h>

#include "cpu/sys/sys.h"

/* `left` counts at most 65535 instructions; no timing model goes below half a unit each. */
#define BUDGET_MAX 30000
_Static_assert(BUDGET_MAX * 32 * sizeof(u32) <= CPU_OUTLINE_ROOM, "what a run of so many instructions can load");
/* So many instructions before the one that ends the run, they are stepped. */
#define STEPPED_AT_END 32

static u32 cpi_mul(const struct cpu *c)
{
	return c->config.timing == CPU_TIMING_IPC1 && c->config.cpi_mul ? c->config.cpi_mul : 1;
}

static u32 cpi_div(const struct cpu *c)
{
	return c->config.timing == CPU_TIMING_IPC1 && c->config.cpi_div ? c->config.cpi_div : 1;
}

u32 engine_features(const struct cpu_config *k)
{
	return 1u << FEAT_BASE | (u32)k->dsp << FEAT_DSP | (u32)k->security << FEAT_SEC |
		       (u32)(k->fpu || k->mve_int) << FEAT_FPMEM | (u32)k->fpu << FEAT_FP |
		       (u32)k->fpu << FEAT_FP64 | (u32)k->mve_int << FEAT_MVE |
		       (u32)k->mve_fp << FEAT_MVEF | (u32)k->pacbti << FEAT_PACBTI;
}

bool engine_new(struct cpu *c)
{
	c->engine = calloc(1, sizeof(*c->engine));
	if (!c->engine)
		return false;
	c->engine->last_insn = UINT64_MAX;
	c->engine->set = insn_set_new(engine_features(&c->config));
	c->engine->period = sched_period(c->config.clock_hz);
	c->engine->scaled = cpi_div(c) != 1 || cpi_mul(c) != 1;
	c->engine->translated = translate_new(c);
	return c->engine->set && c->engine->period && code_init(c);
}

void engine_free(struct cpu *c)
{
	if (!c->engine)
		return;
	code_exit(c);
	insn_set_free(c->engine->set);
	free(c->engine->breakpoint);
	translate_free(c->engine->translated);
	free(c->engine);
	c->engine = NULL;
}

static u64 used_units(const struct engine *e, i64 left)
{
	return (u64)((i64)e->budget - (left >> 16));
}

u64 engine_scaled(const struct cpu *c, u64 units)
{
	return (c->engine->cpi_rest + units * cpi_mul(c)) / cpi_div(c);
}

void engine_charge(struct cpu *c, u32 cycles)
{
	c->core.cycles += cycles;
	c->engine->cycles_base += cycles; /* from where a run counts */
	c->engine->leave = true;          /* its budget reaches beyond the horizon now */
}

void engine_caches_changed(struct cpu *c)
{
	translate_forget(c->engine->translated);
	c->engine->leave = true;
}

/* Gives a budget that reaches the horizon; false when it is reached already. */
static bool begin(struct cpu *c, u64 tick)
{
	struct engine *e = c->engine;
	u64 goal = tick / e->period + !!(tick % e->period);

	e->horizon_tick = tick;
	e->cycles_base = c->core.cycles;
	e->insns_base = c->core.insns;
	if (goal <= c->core.cycles)
		return false;
	u64 need = goal - c->core.cycles;
	e->capped = need > BUDGET_MAX;
	if (e->capped)
		need = BUDGET_MAX;
	u64 units = (need * cpi_div(c) - e->cpi_rest + cpi_mul(c) - 1) / cpi_mul(c);
	if (units > BUDGET_MAX) {
		units = BUDGET_MAX;
		e->capped = true;
	}
	const u64 insns = e->last_insn - c->core.insns;
	if (insns / 2 < units && insns > STEPPED_AT_END) {
		units = insns / 2;
		e->capped = true;
	}
	e->budget = units;
	e->left = (i64)(units << 16 | 0xffff);
	e->leave = e->bad_horizon = false;
	c->sys->permissions_changed = false;
	e->counting = c->sys->count_wanted;
	c->taken_extra = (i32)timing_taken_extra(c) << 16;
	if (UNLIKELY(c->caches))
		pay_look_again(c);
	return true;
}

static void end(struct cpu *c)
{
	struct engine *e = c->engine;

	engine_sync(c, e->left);
	e->cpi_rest = (e->cpi_rest + used_units(e, e->left) * cpi_mul(c)) % cpi_div(c);
	e->cycles_base = c->core.cycles;
	e->insns_base = c->core.insns;
	e->budget = 0;
	e->left = 0xffff;
}

bool engine_must_leave(const struct cpu *c)
{
	const struct engine *e = c->engine;

	return e->leave || __atomic_load_n(&e->stop, __ATOMIC_RELAXED) || e->counting != !!c->sys->count_wanted || c->sys->mon_step || c->sys->permissions_changed ||
	       c->core.activity != CPU_RUNNING ||
	       c->sched->next < e->horizon_tick || exception_pending(c);
}

bool engine_again(struct cpu *c, i64 left)
{
	struct engine *e = c->engine;
	u64 cycle, number;

	if (!e->capped || left >> 16 == (i64)e->budget || c->observed || c->break_asked || c->fault_caught || c->core.btype || engine_must_leave(c))
		return false;
	engine_time(c, left, &cycle, &number);
	if (e->last_insn - number <= STEPPED_AT_END || cycle * e->period >= e->horizon_tick)
		return false;
	timing_begin_again(c);
	e->left = left;
	end(c);
	begin(c, e->horizon_tick);
	return true;
}

static enum out slow_or_prepared(const struct op_plain *code, const struct slot *s, struct cpu *c, struct flags *f)
{
	if (code->slow)
		return code->slow(s, c, f);
	if (!c->core.fp_ready)
		c->core.fp_ready = cpu_fp_prepare(c, c->core.r[15]);
	return c->core.fp_ready ? code->fast(s, c, f) : OUT_FAULT;
}

enum out engine_slow(struct cpu *c, const struct slot *s, struct flags *f, unsigned op, u32 pc,
		     u32 next_pc, u8 it, i64 left)
{
	engine_sync(c, left);
	flags_spill(c, f);
	c->core.r[15] = pc;
	c->core.next_pc = next_pc;
	c->core.epsr_it = it;
	c->core.next_it = it_advance(it);
	timing_begin_again(c);
	const struct slot operands = *s; /* a store may clear the slot: its code lies in the page that it writes to */
	return slow_or_prepared(op_plain(op), &operands, c, f);
}

enum out run_slow_jump(struct cpu *c, u32 target)
{
	if (!jump_plain(target))
		return sysop_branch(c, target) ? OUT_SYS : OUT_FAULT;
	c->core.next_pc = target & ~1u;
	return OUT_JUMP;
}

bool sysop_div0_traps(const struct cpu *c)
{
	return c->sys->reg[c->core.secure ? BANK_S : BANK_NS][SCS_CCR] & 1u << 4;
}

#if defined(__OPTIMIZE__) && !defined(ENGINE_NO_TAIL)
#define HAVE_TAIL 1
#else
#define HAVE_TAIL 0
#endif

const char *cpu_engine_kind(void)
{
	return HAVE_TAIL ? translate_kind() : "plain functions, as the build is instrumented or not optimised";
}

bool engine_outlines(const struct cpu *c)
{
	return HAVE_TAIL && c->config.engine == CPU_ENGINE_TAIL && c->config.timing == CPU_TIMING_IPC1 && !c->engine->scaled;
}

/* What was executed without being told lies before what the stepping engine tells. */
static void outline_executed(struct cpu *c)
{
	u64 cycle, number;

	engine_time(c, c->engine->left, &cycle, &number);
	c->observed->outline->executed(c->observed->outline_ctx, number);
}

void engine_run(struct cpu *c, u64 tick)
{
	struct engine *e = c->engine;

	if (!begin(c, tick))
		return;
	const u64 insns = e->last_insn - c->core.insns;
	const bool tail = HAVE_TAIL && c->config.engine == CPU_ENGINE_TAIL && !e->counting;
	if (UNLIKELY(c->observed))
		observed_resumes(c);
	if ((c->observed && c->observed->instructions && (!tail || c->observed->brief || c->observed->stepped)) || insns <= STEPPED_AT_END || c->config.engine == CPU_ENGINE_STEP) {
		engine_step(c, insns);
	} else if (c->core.epsr_it || c->core.eci || c->core.btype) {
		engine_step(c, 1);
	} else {
		if (tail) {
			engine_tail(c);
			AFTER_TRANSLATED_CODE();
			timing_begin_again(c);
		} else {
			engine_switch(c);
		}
		if (UNLIKELY(observed_outlined(c)))
			outline_executed(c);
		bool stuck = e->left >> 16 == (i64)e->budget;
		if (e->bad_horizon && (!e->capped || stuck))
			engine_step(c, UINT64_MAX);
		else if (e->step_next)
			engine_step(c, 1);
		e->step_next = false;
	}
	end(c);
	if (UNLIKELY(c->observed))
		observed_stops(c);
}

void engine_run_one(struct cpu *c)
{
	if (UNLIKELY(c->observed))
		observed_resumes(c);
	if (begin(c, (c->core.cycles + 1) * c->engine->period))
		engine_step(c, 1);
	end(c);
	if (UNLIKELY(c->observed))
		observed_stops(c);
}
