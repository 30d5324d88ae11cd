/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses stencils. What decoding put into the slots says how each instruction is predicated; a handler that is none
 * of those stays, and nothing is laid over it. */
#include "cpu/engine/plan.h"
#include "cpu/engine/direct.h"
#include "cpu/engine/observed.h"

#include "cpu/sys/protect.h"
#include "memory/host_cpu.h"

static unsigned op_of(const struct piece *x, unsigned k)
{
	return x->p->info[x->step[k].slot] & INFO_OP;
}
static const struct slot *slot_at(const struct piece *x, unsigned k)
{
	return &x->p->slots[x->step[k].slot];
}

static bool has_handler(const struct piece *x, unsigned k, unsigned variant)
{
	bool wide = x->p->info[x->step[k].slot] & INFO_WIDE;
	handler_fn *fn = op_code(op_of(x, k))->handler[variant][wide];

	return fn && slot_at(x, k)->handler == handler_word(fn);
}
/* An end of a block that is told (engine/observed.h), and of a kind that translated code can tell. */
static bool is_told(const struct piece *x, unsigned k)
{
	const struct code_page *p = x->p;
	const unsigned i = x->step[k].slot;

	return observed_marked(p, i) && !p->it[i] && (is_direct(op_of(x, k)) || (direct_is_list(op_of(x, k)) && direct_knows(op_of(x, k), &p->slots[i])));
}
static bool is_plain(const struct piece *x, unsigned k)
{
	return has_handler(x, k, HANDLER_SINGLE) || slot_within(slot_at(x, k)) || (x->alone && k == 0) || is_told(x, k);
}

int piece_find(const struct piece *x, unsigned slot)
{
	unsigned low = 0, high = x->n;

	while (low < high) {
		unsigned k = (low + high) / 2;
		if (x->step[k].slot < slot)
			low = k + 1;
		else
			high = k;
	}
	return low < x->n && x->step[low].slot == slot ? (int)low : -1;
}

static void mark_label(struct piece *x, unsigned slot)
{
	int k = piece_find(x, slot);

	if (k >= 0)
		x->step[k].label = true;
}

/* ---- what operations do --------------------------------------------------------------------- */

static bool is_branch(unsigned op) { return op_infos[op].kind == KIND_BR && op_infos[op].uses & R_FLAGS; }

bool fetch_may_leave(const struct piece *x, unsigned k, unsigned j)
{
	return x->p->waits && line_last(x->p, x->step[k].slot) != line_last(x->p, x->step[j].slot);
}

/* ---- choice --------------------------------------------------------------------------------- */

/* Where code lies is fixed. */
bool reads_pay(const struct piece *x, unsigned k)
{
	const unsigned i = x->step[k].slot;

	return x->p->info[i] & INFO_WIDE && tcm_read_waits(x->c, x->p->addr + 2 * i);
}

static u16 choose(const struct piece *x, unsigned k)
{
	const struct slot *s = slot_at(x, k);
	const unsigned op = op_of(x, k), uses = op_infos[op].uses;
	const bool moves_sp = uses & W_B && s->b == 13 && op < OP_FP_FIRST;

	if (uses & OWN_REGS || op >= OP_MVE_FIRST || (op_infos[op].kind == KIND_BR && x->c->taken_extra))
		return 0;
	if (x->c->caches && uses & (R_MEM | W_MEM) && (uses & R_B || !reads_pay(x, k)))
		return stencil_of[moves_sp ? V_waits_sp : V_waits][op];
	if (moves_sp)
		return stencil_of[V_sp][op];
	return stencil_of[op < OP_FP_FIRST && uses & R_MEM && reads_pay(x, k) ? V_timed : V_plain][op];
}

/* True when the branch of step k leads further down, and the code behind it goes on with what host registers hold. */
static bool leads_down(const struct piece *x, unsigned k)
{
	return slot_index(x->p, slot_linked(slot_at(x, k)->imm)) > x->step[k].slot && !x->step[k].label;
}

/* Host instructions of its own. */
static bool choose_direct(struct piece *x, unsigned k)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	const unsigned op = op_of(x, k);

	if (x->p->it[t->slot])
		return false;
	if (is_direct(op)) {
		if (!direct_branches(op) || x->c->taken_extra || is_told(x, k)) /* which the slot's handler says: it must stay */
			return false;
		if (op == OP_b && slot_index(x->p, slot_linked(s->imm)) > t->slot)
			return false;
		t->how = HOW_DIRECT_BRANCH;
		t->seldom = slot_index(x->p, slot_linked(s->imm)) > t->slot;
		return true;
	}
	if (!direct_knows(op, s))
		return false;
	t->how = HOW_DIRECT;
	if (k + 1 < x->n && is_branch(op_of(x, k + 1)) && is_plain(x, k + 1) && !x->c->taken_extra && !fetch_may_leave(x, k, k + 1)) {
		const unsigned condition = op_of(x, k + 1) - OP_b_eq;
		if (!direct_pairs(op, s, condition))
			return true;
		t->how = HOW_DIRECT_PAIR;
		t->seldom = leads_down(x, k + 1);
		t->condition = (u8)condition;
		x->step[k + 1].how = HOW_PAIRED;
	}
	return true;
}

static unsigned variant_by_word(unsigned condition, bool otherwise)
{
	return otherwise != flags_word_inverts(condition) ? V_otherwise : V_then;
}

static u16 vector_stencil(const struct piece *x, unsigned op)
{
	if (x->c->caches && op_infos[op].uses & (R_MEM | W_MEM))
		return stencil_of[V_waits][op];
	if (!HOST_HAS(AVX2) || !HOST_HAS(FMA))
		return 0;
	return stencil_of[V_plain][op] || op_infos[op].kind == KIND_MVEMEM ? stencil_of[V_plain][op] : stencil_part[PART_vector_call];
}

/* An IT with a mask: all of its block, or none, are stencils. */
static void choose_mask(struct piece *x, unsigned k)
{
	unsigned end = k + 1, condition = slot_at(x, k)->a;

	for (u8 it = slot_at(x, k)->d; it; it = it_advance(it), end++)
		if (end >= x->n || !has_handler(x, end, HANDLER_PRED) || !stencil_of[V_then][op_of(x, end)])
			return;
	x->step[k].how = HOW_WORD;
	x->step[k].condition = (u8)condition;
	for (unsigned j = k + 1; j < end; j++) {
		x->step[j].how = HOW_MASKED;
		x->step[j].condition = (u8)condition;
	}
}

static void choose_it(struct piece *x, unsigned k)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	bool skips = s->handler == handler_word(handler_it_skip[s->a]);

	if (s->handler == handler_word(handler_it_mask[s->a])) {
		choose_mask(x, k);
	} else if (is_plain(x, k) || (skips && s->a == 14)) {
		t->how = HOW_NOTHING;
	} else if (skips || s->handler == handler_word(handler_it_branch[s->a])) {
		t->how = HOW_SKIP;
		t->condition = s->a;
		if (skips)
			mark_label(x, slot_index(x->p, slot_linked(s->imm)));
	}
}

/* True when the instruction tests its condition alone. */
static bool choose_if(struct piece *x, unsigned k)
{
	struct step *t = &x->step[k];
	slot_handler h = slot_at(x, k)->handler;
	unsigned condition = x->p->it[t->slot] >> 4;

	if (!x->p->it[t->slot] ||
	    (h != handler_word(handler_if[condition]) && h != handler_word(handler_if_end[condition])))
		return false;
	t->how = HOW_IF;
	t->condition = (u8)condition;
	t->stencil = choose(x, k);
	mark_label(x, next_index(x->p, t->slot));
	return true;
}

static void choose_step(struct piece *x, unsigned k, const struct vectors *v)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	unsigned op = op_of(x, k);

	if (t->how == HOW_PAIRED)
		return;
	if (t->how == HOW_MASKED) {
		t->stencil = stencil_of[variant_by_word(t->condition, s->d)][op];
	} else if (op == OP_it) {
		choose_it(x, k);
	} else if (choose_if(x, k) || !is_plain(x, k)) {
		return;
	} else if (op >= OP_MVE_FIRST) {
		t->stencil = vector_stencil(x, op);
		if (t->stencil && !vector_choose(v, t, op))
			t->stencil = 0;
	} else if (op_infos[op].uses & SELECTS) {
		t->how = HOW_WORD;
		t->condition = s->imm < 14 ? (u8)s->imm : 14;
		t->stencil = stencil_of[variant_by_word(t->condition, false)][op];
	} else if (!choose_direct(x, k)) {
		t->stencil = choose(x, k);
		t->how = t->stencil ? HOW_STENCIL : HOW_HANDLER;
	}
}

void piece_plan(struct piece *x)
{
	struct vectors v = { 0 };

	for (unsigned k = 0; k < x->n; k++) {
		if (!is_direct(op_of(x, k)))
			continue;
		unsigned to = slot_index(x->p, slot_linked(slot_at(x, k)->imm));
		mark_label(x, to);
		if (to <= x->step[k].slot && piece_find(x, to) >= 0)
			x->step[piece_find(x, to)].loop = true;
	}
	for (unsigned k = 0; k < x->n; k++) {
		struct step *t = &x->step[k];
		if (t->label)
			v = (struct vectors){ 0 };
		choose_step(x, k, &v);
		vector_after(&v, t, op_of(x, k), slot_at(x, k), op_writes(op_of(x, k), slot_at(x, k), 14));
	}
	vector_rely(x->step, x->n);
	flags_plan(x);
	if (x->cost != COST_NOTHING)
		reach_plan(x);
	if (!x->alone)
		windows_plan(x);
}
