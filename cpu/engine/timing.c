/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle costs. ipc1: one unit per instruction. m55, m85: estimates for in-order cores from timing
 * classes: pairs issued together, delays of dependent instructions, branches, and vector
 * instructions that keep their unit for two cycles while other units go on (cpu/engine/issue.c). Where each number
 * comes from, and the measured error: docs/evidence/timing-cpu.md.
 *
 * An instruction costs what its block takes from it on, less what the block takes from the next one on. Which instructions
 * pair is decided from a block's end. So costs depend only on what follows, and are the same wherever a block is entered. */
#include "cpu/engine/issue.h"
#include "cpu/engine/waits.h"

#include "cpu/sys/protect.h"

#define M55(...) { __VA_ARGS__ }
#define M85(...) { __VA_ARGS__ }
static const struct core_costs m55 = {
	.narrow_pairs = true, .early_shift = 1, .late_data = 1, .late_vector = 1, .base = 1, .store_hazard = true, .taken = 0,
	.of = {
#define T(class, on_m55, on_m85) [C_##class] = on_m55,
#include "cpu/engine/timing.def"
#undef T
	},
}, m85 = {
	.early_address = 1, .early_shift = 1, .late_data = 1, .late = 1, .late_fp = 2, .late_vector = 2, .base = 0, .taken = 0,
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

void timing_operands(const struct cpu *c, struct timed *k)
{
	if (c->config.timing != CPU_TIMING_IPC1)
		k->operands = issue_operands(k);
}

void timing_meet(const struct cpu *c, struct timed *k, unsigned n)
{
	if (c->config.timing != CPU_TIMING_IPC1)
		issue_meet(costs(c), k, n);
}

bool timing_pairs(const struct cpu *c, const struct timed *k, const struct timed *next)
{
	return c->config.timing != CPU_TIMING_IPC1 && !k->fixed && !next->paired && issue_pairs(costs(c), k, next);
}

/* A loop end is charged as the last of its block, and takes no cycle of its own: the one before it costs one less. */
static u32 until_last(const struct timed *k, unsigned n)
{
	return issue_cycles(k, n) + (op_infos[k->op].class == C_LOOP_END);
}

u32 timing_cost(const struct cpu *c, const struct timed *k, unsigned n)
{
	const struct core_costs *core = costs(c);

	if (c->config.timing == CPU_TIMING_IPC1)
		return 1;
	if (n == 1 || k->fixed || op_infos[k->op].class == C_LOOP_END)
		return issue_alone(core, k);
	const u32 from_here = issue_cycles(k, n), from_next = until_last(k + 1, n - 1);
	return from_here > from_next ? from_here - from_next : 0;
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
