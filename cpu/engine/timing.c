/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle costs. ipc1: one unit per instruction. m55, m85: estimates for in-order cores from timing
 * classes: pairs issued together, delays of dependent instructions, branches, and vector
 * instructions that keep their unit for two cycles while other units go on. Where each number
 * comes from, and the measured error: docs/evidence/timing-cpu.md.
 *
 * Costs depend on an instruction, the next one of its block and whether that one already pairs
 * with its own successor, so they are the same wherever a block is entered. */
#include "cpu/engine/waits.h"

#include "cpu/sys/protect.h"

/* What two instructions of a pair cannot both use (ANY: no such thing), and the pipelines of vector
 * instructions. */
enum unit { ANY, SHIFTER, MULTIPLIER, BRANCHER, MEMORY, FLOAT, VINT, VMUL, VMEM, VSTR, VSYS };
enum pairing { ALONE = 0, FIRST = 1, SECOND = 2, EITHER = 3 };

struct class_cost {
	u8 cycles, latency;
	u8 unit;  /* enum unit */
	u8 pairs; /* enum pairing */
};

struct core_costs {
	struct class_cost of[C_COUNT];
	bool narrow_pairs; /* pairs are two 16-bit instructions */
	bool late_data;    /* a store wants its data so late that the instruction before it may make it */
	u8 refill;         /* direct branches and calls: cycles until the target is issued */
	u8 taken;          /* the same for conditional branches */
};

#define M55(...) { __VA_ARGS__ }
#define M85(...) { __VA_ARGS__ }
static const struct core_costs m55 = {
	.narrow_pairs = true, .refill = 1, .taken = 0,
	.of = {
#define T(class, on_m55, on_m85) [C_##class] = on_m55,
#include "cpu/engine/timing.def"
#undef T
	},
}, m85 = {
	.late_data = true, .refill = 0, .taken = 0,
	.of = {
#define T(class, on_m55, on_m85) [C_##class] = on_m85,
#include "cpu/engine/timing.def"
#undef T
	},
};
#undef M55
#undef M85

static const struct core_costs *costs(const struct cpu *c)
{
	return c->config.timing == CPU_TIMING_M85 ? &m85 : &m55;
}

static u32 registers(const struct timed *k, const u16 use[4])
{
	const u8 number[4] = { k->s->a, k->s->b, k->s->c, k->s->d };
	u32 set = 0;

	for (unsigned i = 0; i < 4; i++)
		if (op_infos[k->op].uses & use[i])
			set |= 1u << (number[i] & 15);
	return set;
}

/* Core registers and flags; the FP registers of an instruction are not known here. */
static bool depends(const struct core_costs *core, const struct timed *k, const struct timed *next)
{
	static const u16 writes[4] = { W_A, W_B, W_C, W_D };
	bool late = core->late_data && op_infos[next->op].class == C_STORE;
	const u16 reads[4] = { late ? 0 : R_A, R_B, R_C, R_D };

	if (op_infos[k->op].uses & W_FLAGS && op_infos[next->op].uses & R_FLAGS &&
	    op_infos[next->op].class != C_BRANCH)
		return true;
	return registers(k, writes) & registers(next, reads);
}

/* True when both are issued in one cycle, the first of them for nothing. */
static bool pair(const struct core_costs *core, const struct timed *k, const struct timed *next)
{
	const struct class_cost *a = &core->of[op_infos[k->op].class], *b = &core->of[op_infos[next->op].class];

	if (op_infos[next->op].class == C_LOOP) /* a cached loop end is not issued */
		return true;
	if (!(a->pairs & FIRST) || !(b->pairs & SECOND))
		return false;
	if (core->narrow_pairs && !(k->narrow && next->narrow))
		return false;
	return a->unit == ANY || a->unit != b->unit;
}

static bool is_between(unsigned class, unsigned first, unsigned last)
{
	return class >= first && class <= last;
}

/* A vector instruction that reads what a vector multiplication or FP operation makes; a store wants it later. */
static bool awaits_vector(const struct timed *k, const struct timed *next)
{
	const struct op_info *info = &op_infos[next->op];
	const bool slow = is_between(op_infos[k->op].class, C_VMUL, C_VFP);
	const bool reads = is_between(info->class, C_VALU, C_VFP) || is_between(info->class, C_VCMP, C_VRED);

	return slow && reads && ((!(info->uses & R_B) && next->s->b == k->s->a) ||
				 (!(info->uses & R_C) && next->s->c == k->s->a));
}

/* A vector instruction leaves its first cycle to instructions of other units. */
static bool leaves_a_cycle(const struct core_costs *core, const struct timed *k, const struct timed *next)
{
	const struct class_cost *own = &core->of[op_infos[k->op].class];
	const unsigned next_class = op_infos[next->op].class;

	if (own->unit < VINT || own->cycles < 2 || own->unit == core->of[next_class].unit)
		return false;
	if (is_between(op_infos[k->op].class, C_VLOAD, C_VGATHER) &&
	    (is_between(next_class, C_LOAD, C_MULTI) || is_between(next_class, C_FPLOAD, C_FPMULTI)))
		return false;
	return !awaits_vector(k, next);
}

u32 timing_cost(const struct cpu *c, const struct timed *k, const struct timed *next, bool next_pairs)
{
	const struct core_costs *core = costs(c);
	const struct op_info *info = &op_infos[k->op];
	const struct class_cost *own = &core->of[info->class];

	if (c->config.timing == CPU_TIMING_IPC1)
		return 1;
	u32 cycles = own->cycles;
	if (info->class == C_MULTI)
		cycles += k->s->d / 8; /* bytes */
	else if (info->class == C_FPMULTI)
		cycles += k->s->d / 2; /* single registers */
	if (info->kind == KIND_GO)
		cycles += core->refill;
	if (!next)
		return cycles;
	if (depends(core, k, next))
		return cycles + own->latency;
	if (!next_pairs && cycles == 1 && pair(core, k, next))
		return 0;
	return cycles - leaves_a_cycle(core, k, next);
}

u32 timing_taken_extra(const struct cpu *c)
{
	return c->config.timing == CPU_TIMING_IPC1 ? 0 : costs(c)->taken;
}

/* The ITCM has one port of 32 bits, for instructions and data (Cortex-M55 TRM, "TCM interfaces"). 32-bit instructions take
 * all of it, so that each word read holds the next fetch for a cycle; 16-bit ones leave every other cycle free. */
u32 timing_waits_of(struct cpu *c, unsigned op, bool narrow, u32 pc)
{
	enum { WORD = 4 };
	const u32 words = op_infos[op].class == C_VGATHER ? c->sys->itcm_reads : (c->sys->itcm_bytes + WORD - 1u) / WORD;
	const bool held = words && !narrow && tcm_read_waits(c, pc);

	c->sys->itcm_reads = c->sys->itcm_bytes = 0;
	return (held ? words : 0) + (c->caches ? caches_waits(c) : 0);
}
