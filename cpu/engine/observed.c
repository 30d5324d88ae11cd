/* SPDX-License-Identifier: Apache-2.0 */
/* Records of instructions and of the program's course. Registers that an instruction reads and writes are those of its
 * operation's row (exec/ops_*.def); what rows do not name (floating point, vectors, system registers) is found by
 * comparing before and after. Accesses are told by cpu_load and cpu_store. */
#include "cpu/engine/observed.h"
#include "cpu/engine/count.h"

#include <string.h>

static const u16 others[] = { CPU_REG_FPSCR, CPU_REG_VPR };
static const u16 system_registers[OBSERVED_SYSTEM] = {
	CPU_REG_PRIMASK, CPU_REG_BASEPRI, CPU_REG_FAULTMASK, CPU_REG_CONTROL, CPU_REG_MSPLIM, CPU_REG_PSPLIM,
	CPU_REG_MSP_S, CPU_REG_PSP_S, CPU_REG_MSP_NS, CPU_REG_PSP_NS, CPU_REG_MSP, CPU_REG_PSP,
};
enum { FLAGS = 15 }; /* the place of r15 among the core registers, which does not count */

static bool is_system(unsigned op) { return op_infos[op].kind == KIND_SYS; }

/* Does the operation write core registers only? Exception returns and ends of loops write others, and so does all that has its
 * effects outside the fast path. */
static bool is_core(unsigned op)
{
	const u32 kinds = 1u << KIND_ALU | 1u << KIND_ALUA | 1u << KIND_MEM | 1u << KIND_BR | 1u << KIND_GO | 1u << KIND_SKIP;

	return op < OP_FP_FIRST && kinds >> op_infos[op].kind & 1;
}

/* And none but those that its row names, SP, LR and the flags? */
static bool is_named(unsigned op) { return is_core(op) && !(op_infos[op].uses & OWN_REGS); }

/* MRS, MSR and CPS leave the floating-point registers alone. */
static bool touches_fp(const struct cpu *c, unsigned op)
{
	return (c->config.fpu || c->config.mve_int) && !is_core(op) && op != OP_mrs && op != OP_msr && op != OP_cps;
}

/* Does the operation write system registers? */
static bool writes_system(unsigned op) { return is_system(op) && op != OP_mrs; }

/* Those that an operation writes are few: wide copies would wait for the stores of the instruction before. */
static void take_core(const struct cpu *c, struct observed_state *out)
{
	if (!out->may)
		memcpy(out->core, c->core.r, sizeof out->core);
	for (u32 mask = out->may & ((1u << FLAGS) - 1); mask; mask &= mask - 1) {
		const unsigned i = (unsigned)__builtin_ctz(mask);

		out->core[i] = c->core.r[i];
	}
	out->core[FLAGS] = c->core.apsr;
}

static void take(const struct cpu *c, unsigned op, struct observed_state *out)
{
	take_core(c, out);
	if (touches_fp(c, op)) {
		memcpy(out->fp, c->fp.q, sizeof out->fp);
		for (unsigned i = 0; i < ARRAY_LEN(others); i++)
			out->others[i] = cpu_get_reg(c, others[i]);
	}
	for (unsigned i = 0; writes_system(op) && i < OBSERVED_SYSTEM; i++)
		out->system[i] = cpu_get_reg(c, system_registers[i]);
}

/* A bit for each of n values, a multiple of 4, that differs. In fours by hand: the compiler would branch at each. */
ALWAYS_INLINE u32 differing(const u32 *a, const u32 *b, unsigned n)
{
	typedef u32 fours __attribute__((vector_size(16)));
	fours mask = { 0 }, bits = { 1, 2, 4, 8 };

	for (unsigned i = 0; i < n; i += 4, bits <<= 4) {
		fours x, y;

		memcpy(&x, a + i, sizeof x);
		memcpy(&y, b + i, sizeof y);
		mask |= (fours)(x != y) & bits;
	}
	return mask[0] | mask[1] | mask[2] | mask[3];
}

static void add_read(struct cpu_record *r, u16 reg, u32 value)
{
	if (r->reads < CPU_RECORD_READS)
		r->read[r->reads++] = (struct cpu_value){ reg, value };
}

static void add_reads(const struct cpu *c, const struct observed_instruction *k, struct cpu_record *r)
{
	const u8 number[] = { k->s->a, k->s->b, k->s->c, k->s->d };
	const u32 uses = op_infos[k->op].uses;

	for (unsigned i = 0; i < ARRAY_LEN(number); i++)
		if (uses & R_A << i && number[i] < 16)
			add_read(r, number[i], c->core.r[number[i]]);
	if (uses & R_FLAGS)
		add_read(r, CPU_REG_XPSR, c->core.apsr);
}

/* The core registers that the operation's row says are written, a bit each; bit FLAGS: the flags. */
static u32 written_by_row(const struct slot *s, unsigned op)
{
	const u8 number[] = { s->a, s->b, s->c, s->d };
	const struct op_info *info = &op_infos[op];
	u32 mask = info->uses & W_FLAGS ? 1u << FLAGS : 0;

	for (unsigned i = 0; i < ARRAY_LEN(number); i++)
		if (info->uses & W_A << i && number[i] < FLAGS)
			mask |= 1u << number[i];
	if (info->class == C_MULTI && info->uses & LIST && info->uses & R_MEM)
		mask |= (s->imm & 0x7fff) | (op == OP_pop || op == OP_pop_pc ? 1u << 13 : 0);
	if (op == OP_bl || op == OP_blx)
		mask |= 1u << 14;
	return mask;
}

void observed_instruction_begins(struct cpu *c, const struct observed_instruction *k)
{
	struct observed *o = c->observed;
	struct cpu_record *r = &o->record;

	observed_head(c, k);
	if (k->executed && o->reads)
		add_reads(c, k, r);
	o->before.row = written_by_row(k->s, k->op);
	o->before.may = is_named(k->op) ? o->before.row | 1u << 13 | 1u << 14 | 1u << FLAGS : 0;
	take(c, k->op, &o->before);
	o->recording = true;
}

static void add_fp_writes(const struct cpu *c, const struct observed_state *before, struct cpu_record *r)
{
	u32 now[32];

	memcpy(now, c->fp.q, sizeof now);
	for (u32 mask = differing(now, before->fp, ARRAY_LEN(now)); mask; mask &= mask - 1) {
		const unsigned i = (unsigned)__builtin_ctz(mask);

		observed_write(r, (u16)(CPU_REG_S0 + i), now[i]);
	}
	for (unsigned i = 0; i < ARRAY_LEN(others); i++) {
		const u32 value = cpu_get_reg(c, others[i]);

		if (value != before->others[i])
			observed_write(r, others[i], value);
	}
}

ALWAYS_INLINE u32 core_value(const struct cpu *c, unsigned i) { return i == FLAGS ? c->core.apsr : c->core.r[i]; }

/* Core registers that are not what they were before, a bit each. */
static u32 changed(const struct cpu *c, const struct observed_state *before)
{
	u32 now[16], bits = 0;

	for (u32 mask = before->may; mask; mask &= mask - 1) {
		const unsigned i = (unsigned)__builtin_ctz(mask);

		bits |= (u32)(core_value(c, i) != before->core[i]) << i;
	}
	if (before->may)
		return bits;
	memcpy(now, c->core.r, sizeof now);
	now[FLAGS] = c->core.apsr;
	return differing(now, before->core, ARRAY_LEN(now));
}

static void add_writes(const struct cpu *c, const struct observed_instruction *k, const struct observed_state *before,
		       struct cpu_record *r)
{
	const u32 row = k->executed && !r->abandoned ? before->row : 0;

	for (u32 mask = row | changed(c, before); mask; mask &= mask - 1) {
		const unsigned i = (unsigned)__builtin_ctz(mask);

		observed_write(r, (u16)(i == FLAGS ? CPU_REG_XPSR : i), core_value(c, i));
	}
	if (touches_fp(c, k->op))
		add_fp_writes(c, before, r);
	for (unsigned i = 0; writes_system(k->op) && i < OBSERVED_SYSTEM; i++) {
		const u32 value = cpu_get_reg(c, system_registers[i]);

		if (value != before->system[i])
			observed_write(r, system_registers[i], value);
	}
}

void observed_instruction_ends(struct cpu *c, const struct observed_instruction *k)
{
	add_writes(c, k, &c->observed->before, &c->observed->record);
	observed_tell(c);
}

/* Branches are frequent: only what can be a return is asked whether it is one. */
static enum cpu_turn turn_of(unsigned op, const struct slot *s)
{
	if (LIKELY(op_infos[op].kind != KIND_JMP && op_infos[op].kind != KIND_SYS))
		return op == OP_bl ? CPU_TURN_CALL : CPU_TURN_BRANCH;
	if (op == OP_blx || op == OP_blxns)
		return CPU_TURN_CALL;
	return op_returns(op, s) ? CPU_TURN_RETURN : CPU_TURN_BRANCH;
}

void observed_done(struct cpu *c, unsigned op, const struct slot *s, u32 pc, u32 end, u32 next, i64 left)
{
	struct observed *o = c->observed;
	u64 cycle, number;

	o->record.abandoned = next == OBSERVED_ABANDONED;
	o->in_operation = false;
	if (!o->is_pending && (o->record.abandoned || !o->course || next == end))
		return;
	engine_time(c, left, &cycle, &number);
	if (UNLIKELY(o->is_pending)) {
		if (o->pending.turn == CPU_TURN_BRANCH)
			o->pending.turn = turn_of(op, s);
		observed_pending(c, pc, end, cycle, number);
		return;
	}
	struct cpu_course t = { .turn = turn_of(op, s), .at = pc, .end = end, .to = next };
	observed_course(c, &t, cycle, number);
}

static bool may_branch(unsigned op)
{
	const unsigned kind = op_infos[op].kind;

	return kind == KIND_BR || kind == KIND_GO || kind == KIND_BRM || kind == KIND_JMP || op == OP_bxns || op == OP_blxns;
}

static u8 work_of(unsigned op)
{
	static const struct { u8 first, last; } classes[CPU_WORKS] = {
#define WORK(id, name, first, last) [CPU_WORK_##id] = { first, last },
#include "cpu/work.def"
#undef WORK
	};
	u8 work = 0;

	while (op_infos[op].class < classes[work].first || op_infos[op].class > classes[work].last)
		work++; /* each class is in a row */
	return work;
}

/* The cost of a decoded instruction is what the block costs from it on, less what it costs from the next on. */
static u32 kept_units(const struct code_page *p, unsigned i, unsigned next)
{
	const bool last = p->info[i] & INFO_ENDS || leads_out(p, next);

	return (last ? p->slots[i].cost : p->slots[i].cost - p->slots[next].cost) >> 16;
}

struct cpu_instruction cpu_instruction_at(struct cpu *c, u32 pc)
{
	const struct code_page *p = c->code[pc >> BUS_PAGE_SHIFT];
	const unsigned i = pc >> 1 & (PAGE_SLOTS - 1);
	u16 halfwords[2] = { 0, 0 };
	struct slot s;

	if (p && p->info[i] & INFO_KNOWN && p->slots[i].handler != handler_word(handler_uncached)) {
		const u8 length = p->info[i] & INFO_WIDE ? 4 : 2;

		return (struct cpu_instruction){ (u16)kept_units(p, i, i + length / 2), length, may_branch(p->info[i] & INFO_OP),
						  work_of(p->info[i] & INFO_OP) };
	}
	cpu_peek(c, pc, halfwords, 2);
	if (insn_is_wide(halfwords[0]))
		cpu_peek(c, pc + 2, halfwords + 1, 2);
	const struct decoded d = decode_one(c->engine, halfwords, pc, false, &s);
	const struct timed timed = { .s = &s, .op = d.op, .narrow = d.length == 2 };
	return (struct cpu_instruction){ (u16)timing_cost(c, &timed, 1), d.length, may_branch(d.op), work_of(d.op) };
}

static void mark(struct code_page *p, unsigned i, handler_fn *handler)
{
	if (p->slots[i].handler == handler_word(handler_uncached) || slot_breaks(&p->slots[i]))
		return;
	if (p->slots[i].handler == handler_word(handler_crossing))
		p->crossing = handler_word(handler);
	else
		p->slots[i].handler = handler_word(handler);
}

void observed_mark_ends(struct code_page *p, const u16 *list, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (p->info[list[k]] & INFO_ENDS)
			mark(p, list[k], handler_observed_end);
}

void observed_mark_each(struct code_page *p, const u16 *list, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		const unsigned i = list[k], op = p->info[i] & INFO_OP;

		p->shape[i] = written_by_row(&p->slots[i], op) | (is_named(op) ? SHAPE_NAMED : 0);
		mark(p, i, handler_observed_each);
	}
	p->has_stubs = true;
}

bool observed_tells(unsigned op)
{
	switch (op) {
	case OP_ldrex: case OP_ldrexh: case OP_ldrexb: case OP_strex: case OP_strexh: case OP_strexb: /* the monitor */
	case OP_pac: case OP_pac_bti: case OP_aut: case OP_bxaut:                                     /* keys */
		return true;
	default:
		return is_system(op) || op_infos[op].uses & INTERLEAVES;
	}
}

static handler_fn *outline_handler(unsigned op)
{
	if (observed_tells(op))
		return handler_observed_step;
	return op_infos[op].uses & R_MEM ? handler_observed_load : NULL;
}

void observed_mark_outline(struct cpu *c, struct code_page *p, const u16 *list, unsigned n)
{
	struct cpu_code code[PAGE_SLOTS + PAGE_TAIL];
	u64 cycle, number;

	engine_time(c, c->engine->left, &cycle, &number);
	for (unsigned k = 0; k < n; k++) {
		const unsigned i = list[k], op = p->info[i] & INFO_OP;
		const u8 length = p->info[i] & INFO_WIDE ? 4 : 2;
		handler_fn *handler = outline_handler(op);

		code[k] = (struct cpu_code){ p->addr + i * 2, observed_encoding(c, p->addr + i * 2, length), length, p->it[i] };
		if (handler)
			mark(p, i, handler);
	}
	c->observed->outline->code(c->observed->outline_ctx, code, n, number);
}
