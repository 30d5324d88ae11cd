/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle costs. ipc1: one unit per instruction. m55: an estimate from timing classes, of an
 * in-order core that issues pairs of simple instructions, with a load-use delay, costly taken
 * branches, and vector instructions of two cycles that overlap when neighbours use different
 * units. Sources and the state of calibration: docs/timing-cpu.md.
 *
 * Costs depend on an instruction, the next one of its block and whether that one already pairs
 * with its own successor, so they are the same wherever a block is entered. */
#include "cpu/engine/engine.h"

enum unit { UNIT_INTEGER, UNIT_VECTOR_ALU, UNIT_VECTOR_MAC, UNIT_VECTOR_MEMORY };

struct class_cost {
	u8 cycles;
	u8 unit;   /* enum unit: vector neighbours in different ones overlap */
	u8 pairs;  /* PAIR_FIRST, PAIR_SECOND: may be issued in one cycle with a neighbour */
	u8 latency; /* further cycles until a dependent next instruction may start */
};
enum { PAIR_FIRST = 1, PAIR_SECOND = 2 };

static const struct class_cost m55[C_COUNT] = {
	[C_ALU] = { 1, UNIT_INTEGER, PAIR_FIRST | PAIR_SECOND, 0 },
	[C_SHIFT] = { 1, UNIT_INTEGER, PAIR_FIRST, 0 },
	[C_MUL] = { 1, UNIT_INTEGER, PAIR_SECOND, 1 },
	[C_MULL] = { 1, UNIT_INTEGER, 0, 1 },
	[C_DIV] = { 8, UNIT_INTEGER, 0, 0 },
	[C_LOAD] = { 1, UNIT_INTEGER, PAIR_SECOND, 1 },
	[C_STORE] = { 1, UNIT_INTEGER, PAIR_SECOND, 0 },
	[C_MULTI] = { 1, UNIT_INTEGER, 0, 0 }, /* and one per two registers */
	[C_BRANCH] = { 1, UNIT_INTEGER, PAIR_SECOND, 0 },
	[C_JUMP] = { 3, UNIT_INTEGER, 0, 0 },
	[C_LOOP] = { 1, UNIT_INTEGER, 0, 0 },
	[C_SYS] = { 4, UNIT_INTEGER, 0, 0 },
	[C_NOP] = { 1, UNIT_INTEGER, PAIR_FIRST | PAIR_SECOND, 0 },
	[C_FP] = { 1, UNIT_INTEGER, 0, 0 },
	[C_FPDIV] = { 14, UNIT_INTEGER, 0, 0 },
	[C_FPSQRT] = { 14, UNIT_INTEGER, 0, 0 },
	[C_FPMOVE] = { 1, UNIT_INTEGER, 0, 0 },
	[C_FPLOAD] = { 1, UNIT_INTEGER, 0, 0 },
	[C_FPSTORE] = { 1, UNIT_INTEGER, 0, 0 },
	[C_FPMULTI] = { 2, UNIT_INTEGER, 0, 0 },
	[C_FP64] = { 3, UNIT_INTEGER, 0, 0 },
	[C_FP64DIV] = { 28, UNIT_INTEGER, 0, 0 },
	[C_FP64SQRT] = { 28, UNIT_INTEGER, 0, 0 },
	[C_VALU] = { 2, UNIT_VECTOR_ALU, 0, 0 },
	[C_VMUL] = { 2, UNIT_VECTOR_MAC, 0, 0 },
	[C_VMAC] = { 2, UNIT_VECTOR_MAC, 0, 0 },
	[C_VFP] = { 2, UNIT_VECTOR_MAC, 0, 0 },
	[C_VLOAD] = { 2, UNIT_VECTOR_MEMORY, 0, 0 },
	[C_VSTORE] = { 2, UNIT_VECTOR_MEMORY, 0, 0 },
	[C_VGATHER] = { 8, UNIT_VECTOR_MEMORY, 0, 0 },
	[C_VPRED] = { 1, UNIT_VECTOR_ALU, 0, 0 },
	[C_VRED] = { 2, UNIT_VECTOR_MAC, 0, 0 },
};

/* Unconditional branches and calls by an immediate refill the pipeline. */
#define M55_REFILL 1

static u32 registers(unsigned op, const struct slot *s, const u16 use[4])
{
	const u8 number[4] = { s->a, s->b, s->c, s->d };
	u32 set = 0;

	for (unsigned i = 0; i < 4; i++)
		if (op_infos[op].uses & use[i])
			set |= 1u << (number[i] & 15);
	return set;
}

static bool depends(unsigned op, const struct slot *s, unsigned next_op, const struct slot *next)
{
	static const u16 writes[4] = { W_A, W_B, W_C, W_D }, reads[4] = { R_A, R_B, R_C, R_D };

	if (op_infos[op].uses & W_FLAGS && op_infos[next_op].uses & R_FLAGS &&
	    op_infos[next_op].class != C_BRANCH)
		return true;
	return registers(op, s, writes) & registers(next_op, next, reads);
}

u32 timing_cost(const struct cpu *c, unsigned op, const struct slot *s, unsigned next_op, const struct slot *next,
		bool next_pairs)
{
	const struct op_info *info = &op_infos[op];
	const struct class_cost *k = &m55[info->class], *after = &m55[op_infos[next_op].class];

	if (c->config.timing == CPU_TIMING_IPC1)
		return 1;
	u32 cycles = k->cycles;
	if (info->class == C_MULTI)
		cycles += s->d / 8;
	if (info->kind == KIND_GO)
		cycles += M55_REFILL;
	if (!next)
		return cycles;
	bool dependent = depends(op, s, next_op, next);
	if (dependent)
		return cycles + k->latency;
	if (k->pairs & PAIR_FIRST && after->pairs & PAIR_SECOND && !next_pairs)
		return 0;
	if (k->unit != UNIT_INTEGER && after->unit != UNIT_INTEGER && k->unit != after->unit)
		return cycles - (cycles > 1);
	return cycles;
}

u32 timing_taken_extra(const struct cpu *c)
{
	return c->config.timing == CPU_TIMING_IPC1 ? 0 : M55_REFILL;
}
