/* SPDX-License-Identifier: Apache-2.0 */
/* In-order issue: an instruction waits for the ones before it, for what it reads, and for its units. When operands are read, after
 * LLVM's models and SLOTHY's: results of one cycle can be read by the next cycle's instructions, operands that are shifted a cycle
 * earlier, data of stores a cycle later; on the Cortex-M85 addresses as well a cycle earlier (EX1), accumulators later (EX3). */
#include "cpu/engine/issue.h"

enum { NORMAL, ADDRESS, TO_SHIFT, DATA, LATE, STAGES };
_Static_assert(STAGES == OPERAND_STAGES, "struct operands has them all");

/* Sets of registers: core registers by number, the flags, S registers. */
#define FLAGS (1ull << 16)
#define S_REGISTER(n) (1ull << (32 + ((n) & 31)))

static const struct class_cost *cost_of(const struct core_costs *core, const struct timed *k)
{
	return &core->of[op_infos[k->op].class];
}

static bool is_load(unsigned class)
{
	return class == C_LOAD || class == C_LOADD || class == C_FPLOAD || class == C_VLOAD || class == C_VDEINT;
}

static bool is_store(unsigned class)
{
	return class == C_STORE || class == C_STORED || class == C_FPSTORE || class == C_VSTORE;
}

static bool is_vector(unsigned class)
{
	return class >= C_VALU;
}

/* When an instruction of the class reads operand i (a, b, c, d). */
static unsigned stage_of(unsigned class, unsigned i)
{
	enum { A, B, C, D };

	if (is_load(class))
		return ADDRESS;
	if (is_store(class))
		return i == A || (class == C_STORED && i == C) ? DATA : ADDRESS;
	if (class == C_MULTI || class == C_FPMULTI || class == C_VGATHER)
		return ADDRESS;
	if (class == C_SHIFTED)
		return i == C ? TO_SHIFT : NORMAL;
	if (class == C_SELECT || class == C_FPMOVE || class >= C_VALU)
		return LATE;
	if (class == C_MUL || class == C_MULL) /* what is added to */
		return i == D || i == A ? LATE : NORMAL;
	return NORMAL;
}

/* FP registers of operand i; 0: it is none. */
static u64 fp_registers(const struct op_info *info, unsigned i, unsigned number)
{
	static const u32 core[3] = { R_A | W_A | NOT_A, R_B | W_B | NOT_B, R_C | W_C | NOT_C };
	const u32 none = i || !(info->uses & A_TOO) ? core[i] : core[i] & ~(u32)NOT_A;

	if (info->kind < KIND_FP || info->uses & none)
		return 0;
	if (is_vector(info->class))
		return 15 * S_REGISTER(4 * number);
	return info->uses & (i ? D_BC : D_A) ? 3 * S_REGISTER(2 * number) : S_REGISTER(number);
}

/* Registers of VLD2, VLD4, VST2, VST4. */
static unsigned interleaved(const struct op_info *info)
{
	const unsigned op = (unsigned)(info - op_infos);

	return (op >= OP_vld4_8 && op <= OP_vld4_32) || (op >= OP_vst4_8 && op <= OP_vst4_32) ? 4 : 2;
}

static void add_fp_operands(struct operands *o, const struct op_info *info, const u8 *number)
{
	const unsigned several = info->uses & INTERLEAVES ? interleaved(info) : 1;
	u64 a = fp_registers(info, 0, number[0]);
	const bool merges = is_store(info->class) || info->class == C_VMAC || info->class == C_VFPMAC || info->class == C_FPMAC;

	for (unsigned i = 1; i < several; i++)
		a |= fp_registers(info, 0, number[0] + i);
	if (!(info->uses & NOT_A))
		o->result |= a;
	if (info->uses & A_TOO)
		o->reads[merges ? LATE : NORMAL] |= a;
	o->reads[NORMAL] |= fp_registers(info, 1, number[1]) | fp_registers(info, 2, number[2]);
}

struct operands issue_operands(const struct timed *k)
{
	static const u16 reads[4] = { R_A, R_B, R_C, R_D }, writes[4] = { W_A, W_B, W_C, W_D };
	const struct op_info *info = &op_infos[k->op];
	const u8 number[4] = { k->s->a, k->s->b, k->s->c, k->s->d };
	const bool memory = info->uses & (R_MEM | W_MEM);
	struct operands o = { 0 };

	if (k->fixed)
		return o;
	for (unsigned i = 0; i < 4; i++) {
		const u64 bit = 1ull << (number[i] & 15);
		const bool base = memory && (writes[i] & W_B || info->class == C_MULTI);
		if (info->uses & reads[i])
			o.reads[stage_of(info->class, i)] |= bit;
		if (info->uses & writes[i])
			*(base ? &o.base : &o.result) |= bit;
	}
	if (info->uses & W_FLAGS)
		o.result |= FLAGS;
	if (info->uses & R_FLAGS && info->class != C_BRANCH && k->op != OP_it) /* these come with what makes the flags */
		o.reads[NORMAL] |= FLAGS;
	add_fp_operands(&o, info, number);
	for (unsigned stage = 0; stage < STAGES; stage++)
		o.reads_any |= o.reads[stage];
	return o;
}

u32 issue_alone(const struct core_costs *core, const struct timed *k)
{
	const struct op_info *info = &op_infos[k->op];
	u32 cycles = core->of[info->class].cycles;

	if (info->class == C_MULTI)
		cycles += k->s->d / 8; /* bytes */
	else if (info->class == C_FPMULTI)
		cycles += k->s->d / 2; /* single registers */
	if (info->kind == KIND_GO)
		cycles += core->taken;
	return cycles;
}

/* Cycles before the next instruction can be issued. */
static u32 occupied(const struct core_costs *core, const struct timed *k)
{
	const u32 cycles = issue_alone(core, k);

	return is_vector(op_infos[k->op].class) && cycles > 1 && !k->fixed ? cycles - 1 : cycles;
}

/* Cycles before the next instruction can be issued that uses the same vector pipeline or path. */
static u32 busy(const struct core_costs *core, const struct timed *k)
{
	return is_vector(op_infos[k->op].class) && !k->fixed ? issue_alone(core, k) : 0;
}

/* Cycles that operands of the stage are read after others. */
static u32 late_by(const struct core_costs *core, unsigned stage, u64 results, bool vector)
{
	if (stage != DATA && stage != LATE)
		return 0;
	if (results >= S_REGISTER(0))
		return vector ? core->late_vector : core->late_fp;
	return stage == DATA ? core->late_data : core->late;
}

/* Cycles that an operand to be shifted is read before others. What comes late for having been shifted is not late for that, too. */
static u32 early_shift(const struct core_costs *core, const struct timed *k)
{
	const bool shifted = op_infos[k->op].class == C_SHIFTED && cost_of(core, k)->latency;

	return shifted ? 0 : core->early_shift;
}

/* Cycles between the issue of k and that of an instruction which reads these registers in this stage. */
static u32 wait_for_stage(const struct core_costs *core, const struct timed *k, const struct operands *from, unsigned stage, u64 reads,
			  bool vector)
{
	const u64 results = from->result & reads;
	const u32 late = late_by(core, stage, results, vector);
	u32 wait = 0;

	if (results)
		wait = occupied(core, k) + cost_of(core, k)->latency;
	else if (from->base & reads)
		wait = core->base;
	else
		return 0;
	if (stage == ADDRESS)
		return wait + core->early_address;
	if (stage == TO_SHIFT)
		return wait + early_shift(core, k);
	return wait - (wait < late ? wait : late);
}

/* The same for `then`; 0: it reads nothing that k writes, or just in time. */
static u32 wait_for(const struct core_costs *core, const struct timed *k, const struct timed *then)
{
	const struct operands *from = &k->operands, *to = &then->operands;
	u32 wait = 0;

	if (!((from->result | from->base) & to->reads_any))
		return 0;
	const bool vector = is_vector(op_infos[then->op].class);
	for (unsigned stage = 0; stage < STAGES; stage++) {
		const u32 until = wait_for_stage(core, k, from, stage, to->reads[stage], vector);
		wait = until > wait ? until : wait;
	}
	return wait;
}

/* True when `first` keeps `then` from the units that it needs. Who needs half of a path waits only for who takes it whole. */
static bool same_unit(const struct core_costs *core, const struct timed *first, const struct timed *then)
{
	const u32 halves = LOAD | STORE, taken = cost_of(core, first)->unit, needed = cost_of(core, then)->unit;
	const u32 whole = needed & halves << 1;

	return taken & ((needed & ~halves) | (needed & halves) << 1 | whole >> 1);
}

bool issue_pairs(const struct core_costs *core, const struct timed *k, const struct timed *next)
{
	const struct class_cost *a = cost_of(core, k), *b = cost_of(core, next);

	if (issue_alone(core, k) != 1 || !(a->pairs & FIRST) || !(b->pairs & SECOND))
		return false;
	if (core->narrow_pairs && !(k->narrow && next->narrow))
		return false;
	return !same_unit(core, k, next) && !wait_for(core, k, next);
}

static bool is_hazard(const struct core_costs *core, const struct timed *k, const struct timed *then)
{
	return core->store_hazard && op_infos[k->op].class == C_VSTORE && is_load(op_infos[then->op].class);
}

void issue_meet(const struct core_costs *core, struct timed *k, unsigned n)
{
	const u32 keeps = busy(core, k);

	k->step = op_infos[k->op].class == C_LOOP_END ? 0 : (u8)occupied(core, k);
	k->hazards = 0;
	for (unsigned i = 1; i < n; i++) {
		const bool issued = op_infos[k[i].op].class != C_LOOP_END; /* a cached one is not */
		const u32 ready = issued ? wait_for(core, k, &k[i]) : 0, free = issued && keeps && same_unit(core, k, &k[i]) ? keeps : 0;

		k->until[i] = (u8)(ready > free ? ready : free);
		k->hazards |= (u8)(is_hazard(core, k, &k[i]) << i);
	}
}

/* One that would be issued two cycles after another waits for a third. */
static u32 after_hazards(const struct timed *k, const u32 *at, unsigned j)
{
	u32 when = at[j];

	for (unsigned i = 0; i < j; i++)
		when += k[i].hazards >> (j - i) & (when == at[i] + 2);
	return when;
}

u32 issue_cycles(const struct timed *k, unsigned n)
{
	u32 at[TIMING_AHEAD] = { 0 };
	u8 hazards = k[0].hazards;

	for (unsigned j = 1; j < n; j++) {
		at[j] = at[j - 1] + (k[j - 1].paired ? 0 : k[j - 1].step);
		for (unsigned i = 0; i < j; i++) {
			const u32 until = at[i] + k[i].until[j - i];
			at[j] = until > at[j] ? until : at[j];
		}
		if (hazards)
			at[j] = after_hazards(k, at, j);
		hazards |= k[j].hazards;
	}
	return at[n - 1];
}
