/* SPDX-License-Identifier: Apache-2.0 */
/* Lays instructions as host instructions of their own. */
#include "cpu/engine/direct.h"

#include "cpu/exec/body.h"
#include "cpu/exec/ops.h"
#include "memory/host_cpu.h"

void direct_jump(struct direct *d, bool in_cold, unsigned opcode, enum direct_part part, uintptr_t to)
{
	struct host_code *k = in_cold ? &d->cold : &d->hot;

	assert(d->jumps < DIRECT_JUMPS && "an instruction has fewer");
	if (opcode > 0xff)
		put(k, opcode >> 8);
	put(k, opcode & 0xff);
	d->jump[d->jumps++] = (struct direct_jump){ (u16)k->n, in_cold, (u8)part, to };
	put_word(k, 0);
}

unsigned direct_jump_later(struct direct *d, bool in_cold, unsigned opcode)
{
	direct_jump(d, in_cold, opcode, DIRECT_COLD, 0);
	return d->jumps - 1;
}

unsigned direct_jump_over(struct direct *d, unsigned opcode)
{
	direct_jump(d, false, opcode, DIRECT_HOT, 0);
	return d->jumps - 1;
}

/* ---- what can be laid so ------------------------------------------------------------------------ */

/* The host shifts by less than 32. */
static bool shift_fits(const struct recipe *r, const struct slot *s)
{
	return r->what > DO_SBC || r->operand < Y_LSL || r->operand > Y_ROR || (s->imm > 0 && s->imm < 32);
}

bool direct_knows(unsigned op, const struct slot *s)
{
	const struct recipe *r = &direct_recipes[op];
	const unsigned uses = op_infos[op].uses;

	if (!r->what || !shift_fits(r, s) || (r->what == DO_SHIFT_BY && !HOST_HAS(BMI2)))
		return false;
	if ((uses & (R_A | W_A) && s->a > 14) || (uses & R_B && s->b > 14) || (uses & (R_C | W_C) && s->c > 14) ||
	    (uses & (R_D | W_D) && s->d > 14))
		return false;
	if (r->what == DO_LOAD_JUMP)
		return direct_load_jump_knows(s);
	if (uses & W_B && (s->b == 13 || s->a == s->b))
		return false;
	if (uses & W_D && s->a == s->d)
		return false;
	if (direct_is_list(op))
		return direct_list_knows(r, s);
	return r->operand != AT_CONSTANT || (s->imm < 0x80000000u && !(s->imm & (r->bytes - 1u)));
}

/* Conditions behind a subtraction, by the Arm's numbers; those behind an addition have others where C is part of it. */
static const u8 after_subtraction[14] = { IF_E, IF_NE, IF_AE, IF_B, IF_S, IF_NS, IF_O, IF_NO, IF_A, IF_BE, IF_GE, IF_L, IF_G, IF_LE };

static unsigned host_condition(const struct recipe *r, unsigned condition)
{
	return r->what == DO_ADD && (condition == 2 || condition == 3) ? after_subtraction[condition ^ 1] : after_subtraction[condition];
}

bool direct_pairs(unsigned op, const struct slot *s, unsigned condition)
{
	const struct recipe *r = &direct_recipes[op];
	const bool no_order = condition < 2 || condition == 4 || condition == 5;

	if (!direct_knows(op, s) || !(r->flags & SETS) || condition > 13)
		return false;
	switch (r->what) {
	case DO_SUB: case DO_RSB:
		return true;
	case DO_ADD:
		return condition != 8 && condition != 9;
	case DO_MOV: case DO_AND: case DO_ORR: case DO_EOR: case DO_BIC:
		return no_order;
	default:
		return false;
	}
}

bool direct_branches(unsigned op)
{
	return (op >= OP_b_eq && op <= OP_b_vc) || op == OP_cbz || op == OP_cbnz || op == OP_le || op == OP_b;
}

/* ---- laying ------------------------------------------------------------------------------------- */

void direct_begin_one(struct direct *d, const struct slot *s, uintptr_t plain)
{
	d->hot.n = d->cold.n = d->jumps = 0;
	d->slot = s;
	d->plain = plain;
	d->budget = 0;
	hold_begin(&d->hold);
}

struct emit_place direct_finish(struct direct *d, struct emit_memory *m)
{
	const struct emit_place at = emit_take(m, d->hot.n, d->cold.n);

	for (unsigned i = 0; i < d->jumps; i++) {
		const struct direct_jump *j = &d->jump[i];
		const u8 *from = (j->in_cold ? at.cold : at.hot) + j->at + 4;
		const uintptr_t to = j->part == DIRECT_AWAY ? j->to : (uintptr_t)(j->part == DIRECT_COLD ? at.cold : at.hot) + j->to;
		const u32 distance = (u32)(to - (uintptr_t)from);
		memcpy((j->in_cold ? d->cold.byte : d->hot.byte) + j->at, &distance, 4);
	}
	emit_bytes(m, at.hot, d->hot.byte, d->hot.n);
	emit_bytes(m, at.cold, d->cold.byte, d->cold.n);
	return at;
}

static void lay(struct direct *d, unsigned op, bool flags)
{
	const struct recipe *r = &direct_recipes[op];

	flags = flags && r->flags & SETS;
	if (r->what <= DO_SBC) {
		direct_data(d, r, flags ? SETS_ALL : SETS_NONE);
	} else if (r->what <= DO_REV16) {
		direct_bits(d, r);
	} else if (r->what <= DO_UMAAL) {
		direct_product(d, r);
		if (flags)
			put_movslq(&d->hot, R9, d->hold.host[d->slot->a]);
	} else if (r->what == DO_HALVES) {
		direct_halves(d, r);
	} else if (r->what == DO_SHIFT_BY) {
		direct_shift_by(d, r);
	} else if (r->what == DO_STACK) {
		direct_stack(d, r);
	} else if (r->what == DO_LOAD_LIST || r->what == DO_STORE_LIST) {
		direct_list(d, r);
	} else if (r->what == DO_JUMP) {
		direct_branch_register(d, r);
	} else if (r->what == DO_TABLE_JUMP) {
		direct_table_jump(d, r);
	} else if (r->what == DO_LOAD_JUMP) {
		direct_load_jump(d);
	} else {
		direct_memory(d, r);
	}
}

void direct_lay(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, uintptr_t plain, bool flags)
{
	direct_begin_one(d, s, plain);
	lay(d, op, flags);
	direct_finish(d, m);
}

/* A comparison with zero needs no subtraction. */
static bool compares_with_zero(const struct recipe *r, const struct slot *s)
{
	return r->what == DO_SUB && r->flags & NO_RESULT && r->operand == Y_IMM && !s->imm;
}

static u8 *finish_branch(struct direct *d, struct emit_memory *m, const struct direct_branch *b)
{
	if (b->again) {
		const unsigned over = direct_jump_over(d, JUMP_IF(b->condition ^ 1u));
		direct_loop_again(d, b);
		direct_patch(d, over, d->hot.n);
		direct_finish(d, m);
		return NULL;
	}
	if (!b->seldom) {
		hold_save(&d->hold, &d->hot);
		if (b->pays_for) {
			direct_jump(d, false, JUMP_IF(b->condition), DIRECT_COLD, d->cold.n);
			direct_go_near(d, true, b);
			direct_finish(d, m);
			return NULL;
		}
		direct_jump(d, false, JUMP_IF(b->condition), DIRECT_AWAY, b->taken);
		return direct_finish(d, m).hot + d->jump[d->jumps - 1].at;
	}
	direct_jump(d, false, JUMP_IF(b->condition), DIRECT_COLD, d->cold.n);
	hold_put_saves(&d->hold, &d->cold);
	direct_put_flags(d);
	direct_jump(d, true, JUMP, DIRECT_AWAY, b->taken);
	return direct_finish(d, m).cold + d->jump[d->jumps - 1].at;
}

u8 *direct_lay_pair(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, bool flags, struct direct_branch branch)
{
	const struct recipe *r = &direct_recipes[op];
	struct host_code *k = &d->hot;

	direct_begin_one(d, s, 0);
	if (!flags) {
		direct_data(d, r, SETS_HOST);
		d->flags[d->flags_count++] = (struct direct_flags){ (u16)op, s };
	} else if (compares_with_zero(r, s)) {
		const unsigned x = hold_get(&d->hold, k, s->b);
		put_movslq(k, R9, x);
		put_test(k, x, x);
		put_set(k, IF_AE, R8);
		put_set(k, IF_O, RCX);
	} else {
		lay(d, op, true);
		if (r->what == DO_MOV) /* which sets no flags of the host */
			put_test(k, R9, R9);
	}
	branch.condition = (u8)host_condition(r, branch.condition);
	return finish_branch(d, m, &branch);
}

/* The way to where a branch leads. */
static void put_way(struct direct *d, const struct direct_branch *b)
{
	if (b->again) {
		direct_loop_again(d, b);
		return;
	}
	hold_put_saves(&d->hold, &d->hot);
	if (b->pays_for) {
		direct_go_near(d, false, b);
		return;
	}
	direct_jump(d, false, JUMP, DIRECT_AWAY, b->taken);
}

/* The end of a low-overhead loop. */
static void lay_loop_end(struct direct *d, struct emit_memory *m, const struct direct_branch *b)
{
	const unsigned over = direct_jump_over(d, JUMP_IF(direct_loop_end(d) ^ 1u));

	direct_loop_count(d);
	put_way(d, b);
	direct_patch(d, over, d->hot.n);
	direct_finish(d, m);
}

/* B, which leads back: nothing runs into what lies behind it. */
static void lay_back(struct direct *d, struct emit_memory *m, const struct direct_branch *b)
{
	put_way(d, b);
	direct_finish(d, m);
	hold_nothing(&d->hold);
}

/* The host's condition of a conditional branch. */
static enum host_condition test(struct direct *d, unsigned op, const struct slot *s)
{
	struct host_code *k = &d->hot;
	const unsigned condition = op - OP_b_eq;

	if (op == OP_cbz || op == OP_cbnz) {
		const unsigned x = hold_get(&d->hold, k, s->a);
		put_test(k, x, x);
		return op == OP_cbz ? IF_E : IF_NE;
	}
	if (condition < 2) {
		put_test(k, R9, R9);
		return condition ? IF_NE : IF_E;
	}
	if (condition == 4 || condition == 5) {
		put_op(k, FORM_WIDE, 0x85, R9, in_register(R9));
		return condition == 4 ? IF_S : IF_NS;
	}
	const unsigned flag = condition < 4 ? R8 : RCX;
	put_test(k, flag, flag);
	return condition & 1 ? IF_E : IF_NE;
}

u8 *direct_lay_branch(struct direct *d, struct emit_memory *m, unsigned op, const struct slot *s, uintptr_t plain, struct direct_branch branch)
{
	direct_begin_one(d, s, plain);
	if (op == OP_le) {
		lay_loop_end(d, m, &branch);
		return NULL;
	}
	if (op == OP_b) {
		lay_back(d, m, &branch);
		return NULL;
	}
	branch.condition = (u8)test(d, op, s);
	return finish_branch(d, m, &branch);
}

void direct_lay_charge(struct direct *d, struct emit_memory *m, const struct slot *s)
{
	direct_begin_one(d, s, (uintptr_t)go_horizon);
	put_alu_imm(&d->hot, ALU_SUB, RDX, s->cost);
	direct_jump(d, false, JUMP_IF(IF_S), DIRECT_COLD, direct_refused(d));
	direct_finish(d, m);
}

void direct_lay_leave(struct direct *d, struct emit_memory *m, const struct slot *s, uintptr_t handler)
{
	direct_begin_one(d, s, handler);
	direct_jump(d, false, JUMP, DIRECT_COLD, direct_refused(d));
	direct_finish(d, m);
}

void direct_lay_loop(struct direct *d, struct emit_memory *m, const struct slot *s, u16 set, u16 changes)
{
	direct_begin_one(d, s, 0);
	hold_bring(&d->hold, &d->hot, set, changes);
	direct_finish(d, m);
	d->loop = (struct direct_loop){ s, d->hold };
}

void direct_end(struct direct *d, struct emit_memory *m)
{
	d->loop.head = NULL;
	if (d->hold.unsaved) {
		direct_begin_one(d, NULL, 0);
		hold_save(&d->hold, &d->hot);
		direct_finish(d, m);
	}
	hold_nothing(&d->hold);
}

void direct_begin(struct direct *d)
{
	hold_nothing(&d->hold);
	d->flags_count = 0;
	d->window = NULL;
	d->loop.head = NULL;
}
