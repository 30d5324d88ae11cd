/* SPDX-License-Identifier: Apache-2.0 */
/* Events of executed instructions, for the performance counters that select them (cpu/sys/pmu.def).
 * Only the engines of step.c call this, and only while some counter wants it: the tail-call
 * engine does not run then. Most events follow from the operation's row in exec/ops_*.def; the
 * others from operands, outcome, predicate and cost.
 *
 * Where the architecture leaves it to the core: an access is one transfer of up to 64 bits, as the
 * Cortex-M55's data ports make them; stalls are what the timing model charges beyond one cycle. */
#include "cpu/engine/count.h"
#include "cpu/sys/sys.h"

static u64 memory_events(const struct op_info *info)
{
	return (info->uses & R_MEM ? COUNT_BIT(LOADS) : 0) | (info->uses & W_MEM ? COUNT_BIT(STORES) : 0) |
	       (info->uses & (R_MEM | W_MEM) ? COUNT_BIT(ACCESSES) : 0);
}

static u64 branch_events(unsigned op, const struct op_info *info)
{
	bool direct = info->kind == KIND_BR || info->kind == KIND_GO || info->kind == KIND_BRM;
	u64 events = 0;

	if (direct || info->kind == KIND_JMP || op == OP_bxns || op == OP_blxns || op == OP_bxaut)
		events = COUNT_BIT(BRANCHES) | COUNT_BIT(BRANCHES_TAKEN) | COUNT_BIT(RETURNS) |
			 (direct ? COUNT_BIT(BRANCHES_DIRECT) : 0);
	if (op == OP_le || op == OP_le_always || op == OP_letp)
		events |= COUNT_BIT(LOOP_ENDS);
	return events;
}

static u64 vector_memory_events(unsigned op, const struct op_info *info)
{
	bool load = info->uses & R_MEM;

	if (info->uses & INTERLEAVES)
		return COUNT_BIT(MVE_LDST_MULTI) | (load ? COUNT_BIT(MVE_LD_MULTI) : COUNT_BIT(MVE_ST_MULTI));
	if (info->class == C_VGATHER)
		return COUNT_BIT(MVE_LDST_NONCONTIG) |
		       (load ? COUNT_BIT(MVE_LD_NONCONTIG) : COUNT_BIT(MVE_ST_NONCONTIG));
	return COUNT_BIT(MVE_LDST_CONTIG) | (load ? COUNT_BIT(MVE_LD_CONTIG) : COUNT_BIT(MVE_ST_CONTIG));
}

static u64 vector_arithmetic_events(unsigned op, const struct op_info *info)
{
	bool half = info->uses & F_HALF, single = info->uses & F_SINGLE, fp = half || single;
	u64 events = 0;

	if (op == OP_vpst || op == OP_vpnot || op == OP_vctp)
		return 0;
	if (info->class == C_VRED)
		events = COUNT_BIT(MVE_REDUCE) | (fp ? COUNT_BIT(MVE_REDUCE_FP) : COUNT_BIT(MVE_REDUCE_INT));
	if (!fp)
		return events | COUNT_BIT(MVE_INT) | (info->uses & MAC ? COUNT_BIT(MVE_INT_MAC) : 0);
	return events | COUNT_BIT(MVE_FP) | (half ? COUNT_BIT(MVE_FP_HALF) : 0) |
	       (single ? COUNT_BIT(MVE_FP_SINGLE) : 0) | (info->uses & MAC ? COUNT_BIT(MVE_FP_MAC) : 0);
}

static u64 vector_events(unsigned op, const struct op_info *info)
{
	u64 events = COUNT_BIT(MVE);

	if (!(info->uses & (R_MEM | W_MEM)))
		return events | vector_arithmetic_events(op, info);
	return events | COUNT_BIT(MVE_LDST) | (info->uses & R_MEM ? COUNT_BIT(MVE_LD) : COUNT_BIT(MVE_ST)) |
	       vector_memory_events(op, info);
}

/* Events that the operation can be; the conditional ones are taken out when they do not happen. */
static u64 events_of(unsigned op)
{
	const struct op_info *info = &op_infos[op];

	return memory_events(info) | branch_events(op, info) | (op >= OP_MVE_FIRST ? vector_events(op, info) : 0);
}

bool op_returns(unsigned op, const struct slot *s)
{
	switch (op) {
	case OP_bx: case OP_bxns:
		return s->a == 14;
	case OP_mov_pc:
		return s->c == 14;
	case OP_ldr_pc_ri: case OP_ldr_pc_post:
		return s->b == 13;
	case OP_ldmia_pc: case OP_ldmia_w_pc: case OP_ldmdb_pc: case OP_ldmdb_w_pc:
		return s->a == 13;
	default:
		return op == OP_pop_pc || op == OP_bxaut;
	}
}

static unsigned gather_elements(unsigned op)
{
	switch (op) {
	case OP_vldrb_8_g: case OP_vstrb_8_g:
		return 16;
	case OP_vldrb_s16_g: case OP_vldrb_u16_g: case OP_vldrh_16_g: case OP_vstrb_16_g: case OP_vstrh_16_g:
		return 8;
	case OP_vldrd_g: case OP_vstrd_g: case OP_vldrd_v: case OP_vstrd_v:
		return 2;
	default:
		return 4;
	}
}

static unsigned accesses(unsigned op, const struct slot *s)
{
	switch (op_infos[op].class) {
	case C_MULTI:
		return s->d ? (s->d + 7u) / 8 : 1;
	case C_FPMULTI:
		return (s->d + 1u) / 2; /* of single registers */
	case C_VLOAD: case C_VDEINT: case C_VSTORE:
		return 2;
	case C_VGATHER:
		return gather_elements(op);
	default:
		return 1;
	}
}

/* Stalls by what held the instruction; a pair's first is issued in its second's cycle. */
static void count_stalls(struct cpu *c, unsigned op, u32 units)
{
	const struct op_info *info = &op_infos[op];
	u64 *count = c->sys->count;
	u32 stall = units ? units - 1 : 0;
	bool branch = branch_events(op, info), memory = info->uses & (R_MEM | W_MEM);

	count[COUNT_FOLDED] += !units;
	count[COUNT_STALL] += stall;
	count[branch ? COUNT_STALL_BRANCH : COUNT_STALL_OTHER] += stall;
	count[COUNT_STALL_MEMORY] += memory && !branch ? stall : 0;
	if (op < OP_MVE_FIRST)
		return;
	count[COUNT_MVE_STALL] += stall;
	count[memory ? COUNT_MVE_STALL_MEM : info->uses & (F_HALF | F_SINGLE) ? COUNT_MVE_STALL_FP :
	      COUNT_MVE_STALL_INT] += stall;
}

void count_fetch(struct cpu *c, u32 units)
{
	c->sys->count[COUNT_STALL] += units;
	c->sys->count[COUNT_STALL_BRANCH] += units;
}

bool count_asks_place(struct cpu *c, unsigned op)
{
	c->sys->placed = false;
	return c->sys->count_wanted & COUNT_PLACES && op_infos[op].uses & (R_MEM | W_MEM);
}

/* All of an instruction's accesses lie where the first does. */
static void count_accesses(struct cpu *c, unsigned n)
{
	u64 *count = c->sys->count, place = c->sys->placed ? c->sys->place : 0;

	count[COUNT_ACCESSES] += n;
	for (; place; place &= place - 1)
		count[__builtin_ctzll(place)] += n;
}

void count_before(const struct cpu *c, unsigned op, const struct slot *s, u32 units, struct counted *out)
{
	*out = (struct counted){ .slot = *s, .units = units, .op = (u16)op };
	if (op < OP_MVE_FIRST || mve_all_lanes(c))
		return;
	u32 lanes = mve_lanes(c);
	out->predicated = ((lanes & 0xff) != 0xff) + (lanes >> 8 != 0xff);
}

void count_retired(struct cpu *c, const struct counted *k, enum out out)
{
	u64 events = events_of(k->op), *count = c->sys->count;
	u32 extra = out == OUT_TAKEN ? timing_taken_extra(c) : 0;

	if (out == OUT_NOT_TAKEN)
		events &= ~COUNT_BIT(BRANCHES_TAKEN);
	if (events & COUNT_BIT(RETURNS) && !op_returns(k->op, &k->slot))
		events &= ~COUNT_BIT(RETURNS);
	if (events & COUNT_BIT(ACCESSES)) {
		count_accesses(c, accesses(k->op, &k->slot));
		events &= ~COUNT_BIT(ACCESSES);
	}
	for (; events; events &= events - 1)
		count[__builtin_ctzll(events)]++;
	count[COUNT_MVE_PREDICATED] += k->predicated;
	count_stalls(c, k->op, k->units + extra);
}
