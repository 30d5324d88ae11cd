/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses stencils. What decoding put into the slots says how each instruction is predicated; a handler that is none
 * of those stays, and nothing is laid over it. */
#include "cpu/engine/plan.h"
#include "cpu/engine/direct.h"
#include "cpu/engine/list.h"
#include "cpu/engine/observed.h"

#include "cpu/sys/protect.h"

#define NO_REGISTER 16u

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

	return observed_marked(p, i) && !p->it[i] && (is_direct(op_of(x, k)) || list_is_laid(x->c, op_of(x, k), &p->slots[i]));
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

bool op_writes(unsigned op, const struct slot *s, unsigned r)
{
	unsigned uses = op_infos[op].uses;

	return (uses & W_A && s->a == r) || (uses & W_B && s->b == r) || (uses & W_C && s->c == r) ||
	       (uses & W_D && s->d == r) || (uses & W_SP && r == 13) || (uses & W_LR && r == 14);
}

#define SHIFTS(X, name) X(name##_lsl) X(name##_lsr) X(name##_asr) X(name##_ror) X(name##_rrx)
#define CASE(name) case OP_##name:

/* Sets N, Z, C and V. */
static bool sets_all_flags(unsigned op)
{
	switch (op) {
	CASE(adds_ri) CASE(subs_ri) CASE(rsbs_ri) CASE(cmp_ri) CASE(cmn_ri)
	CASE(adds_rr) CASE(subs_rr) CASE(rsbs_rr) CASE(cmp_rr) CASE(cmn_rr)
	SHIFTS(CASE, adds) SHIFTS(CASE, subs) SHIFTS(CASE, rsbs) SHIFTS(CASE, cmp) SHIFTS(CASE, cmn)
		return true;
	default:
		return false;
	}
}
/* Sets N and Z and leaves C and V. */
static bool sets_nz_only(unsigned op)
{
	switch (op) {
	CASE(movs_ri) CASE(ands_ri) CASE(orrs_ri) CASE(eors_ri) CASE(tst_ri) CASE(teq_ri) CASE(muls)
	CASE(movs_rr) CASE(mvns_rr) CASE(ands_rr) CASE(orrs_rr) CASE(eors_rr) CASE(bics_rr) CASE(orns_rr) CASE(tst_rr)
	CASE(teq_rr)
		return true;
	default:
		return false;
	}
}
#undef CASE
#undef SHIFTS

/* True when between steps k and j, its next ones, the budget may end because a line must come. */
static bool fetch_may_leave(const struct piece *x, unsigned k, unsigned j)
{
	return x->p->waits && line_last(x->p, x->step[k].slot) != line_last(x->p, x->step[j].slot);
}

/* True when the flags that step k sets are set again before anything can see them. */
static bool flags_die(const struct piece *x, unsigned k)
{
	bool nz_only = sets_nz_only(op_of(x, k));

	for (unsigned j = k + 1; j < x->n && is_plain(x, j) && !fetch_may_leave(x, k, j); j++) {
		unsigned op = op_of(x, j), kind = op_infos[op].kind;
		if ((kind != KIND_ALU && kind != KIND_ALUA) || op_infos[op].uses & (R_FLAGS | OWN_REGS))
			return false;
		if (op_infos[op].uses & W_FLAGS && (nz_only || sets_all_flags(op)))
			return true;
	}
	return false;
}

/* ---- choice --------------------------------------------------------------------------------- */

/* A stencil of `plain`, or of the variants behind it that take operand B or C from the latest result; `by`: how far
 * those are apart. */
static u16 with_latest(struct step *t, unsigned plain, unsigned by, unsigned op, const struct slot *s, unsigned latest)
{
	unsigned uses = op_infos[op].uses;
	u16 number = 0;

	if (uses & R_B && !(uses & W_B) && s->b == latest)
		number = stencil_of[plain + by][op];
	if (!number && uses & R_C && !(uses & W_C) && s->c == latest)
		number = stencil_of[plain + 2 * by][op];
	t->uses = number != 0;
	return number ? number : stencil_of[plain][op];
}

/* Where code lies is fixed. */
bool reads_pay(const struct piece *x, unsigned k)
{
	const unsigned i = x->step[k].slot;

	return x->p->info[i] & INFO_WIDE && tcm_read_waits(x->c, x->p->addr + 2 * i);
}

static u16 choose(const struct piece *x, unsigned k, unsigned latest)
{
	struct step *t = (struct step *)&x->step[k];
	const struct slot *s = slot_at(x, k);
	unsigned op = op_of(x, k), uses = op_infos[op].uses;

	if (uses & OWN_REGS || op >= OP_MVE_FIRST || (op_infos[op].kind == KIND_BR && x->c->taken_extra))
		return 0;
	if (x->c->caches && uses & (R_MEM | W_MEM) && (uses & R_B || !reads_pay(x, k)))
		return uses & W_B && s->b == 13 && op < OP_FP_FIRST ? stencil_of[V_waits_sp][op] : with_latest(t, V_waits, 1, op, s, latest);
	if (uses & W_B && s->b == 13)
		return op < OP_FP_FIRST ? stencil_of[V_sp][op] : stencil_of[V_plain][op];
	if (op >= OP_FP_FIRST)
		return stencil_of[V_plain][op];
	if (op_infos[op].kind == KIND_ALU && uses & W_FLAGS && flags_die(x, k))
		return with_latest(t, V_noflags, 1, op, s, latest);
	if (uses & R_MEM && reads_pay(x, k))
		return with_latest(t, V_timed, 1, op, s, latest);
	u16 number = with_latest(t, V_plain, 1, op, s, latest);
	if (!t->uses && uses & R_A && !(uses & W_A) && s->a == latest && stencil_of[V_plain_a][op]) {
		t->uses = true;
		return stencil_of[V_plain_a][op];
	}
	return number;
}

static bool choose_pair(struct piece *x, unsigned k, unsigned latest)
{
	unsigned op = op_of(x, k);
	struct step *t = &x->step[k];

	if (op >= OP_FP_FIRST || k + 1 == x->n || !is_branch(op_of(x, k + 1)) || !is_plain(x, k + 1) || x->p->it[t->slot] || x->c->taken_extra)
		return false;
	if (fetch_may_leave(x, k, k + 1))
		return false;
	unsigned condition = op_of(x, k + 1) - OP_b_eq;
	t->stencil = with_latest(t, V_pair_eq + condition, V_pair_b_eq - V_pair_eq, op, slot_at(x, k), latest);
	if (!t->stencil)
		return false;
	t->how = HOW_PAIR;
	x->step[k + 1].how = HOW_PAIRED;
	return true;
}

/* True when the branch of step k leads further down, and the code behind it goes on with what host registers hold. */
static bool leads_down(const struct piece *x, unsigned k)
{
	return slot_index(x->p, slot_linked(slot_at(x, k)->imm)) > x->step[k].slot && !x->step[k].label;
}

/* Host instructions of its own: not where accesses or fetches may take time that is not known. */
static bool choose_direct(struct piece *x, unsigned k)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	const unsigned op = op_of(x, k);

	if (x->c->caches || x->p->waits || x->p->it[t->slot])
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
	if (!direct_knows(op, s) || (op_infos[op].uses & R_MEM && reads_pay(x, k)))
		return false;
	t->how = HOW_DIRECT;
	if (k + 1 < x->n && is_branch(op_of(x, k + 1)) && is_plain(x, k + 1) && !x->c->taken_extra) {
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

static u16 vector_stencil(const struct piece *x, unsigned op, const struct vectors *v)
{
	if (x->c->caches && op_infos[op].uses & (R_MEM | W_MEM))
		return stencil_of[v->mask ? V_waits_block : V_waits][op];
	return stencil_of[__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? V_avx2 : V_plain][op];
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
	t->stencil = choose(x, k, NO_REGISTER);
	mark_label(x, next_index(x->p, t->slot));
	return true;
}

static void choose_step(struct piece *x, unsigned k, unsigned latest, const struct vectors *v)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	unsigned op = op_of(x, k);

	if (t->how == HOW_PAIRED)
		return;
	if (t->how == HOW_MASKED) {
		t->stencil = with_latest(t, variant_by_word(t->condition, s->d), 1, op, s, latest);
	} else if (op == OP_it) {
		choose_it(x, k);
	} else if (choose_if(x, k) || !is_plain(x, k)) {
		return;
	} else if (op >= OP_MVE_FIRST) {
		t->stencil = vector_stencil(x, op, v);
		if (t->stencil && !vector_choose(v, t, op))
			t->stencil = 0;
	} else if (list_is_laid(x->c, op, s)) {
		t->how = HOW_LIST;
	} else if (op_infos[op].uses & SELECTS) {
		t->how = HOW_WORD;
		t->condition = s->imm < 14 ? (u8)s->imm : 14;
		t->stencil = with_latest(t, variant_by_word(t->condition, false), 1, op, s, latest);
	} else if (!choose_direct(x, k) && !choose_pair(x, k, latest)) {
		t->stencil = choose(x, k, latest);
		t->how = t->stencil ? HOW_STENCIL : HOW_HANDLER;
	}
}

/* The register that the host's register holds after step k. */
static unsigned latest_after(struct piece *x, unsigned k, unsigned latest)
{
	struct step *t = &x->step[k];
	const struct slot *s = slot_at(x, k);
	unsigned op = op_of(x, k);

	switch (t->how) {
	case HOW_NOTHING: case HOW_SKIP: case HOW_PAIRED:
		return latest;
	case HOW_LIST:
		return op == OP_push && latest != 13 ? latest : NO_REGISTER;
	case HOW_WORD:
		if (op == OP_it)
			return latest;
		break;
	case HOW_HANDLER: case HOW_IF: case HOW_DIRECT: case HOW_DIRECT_PAIR: case HOW_DIRECT_BRANCH:
		return NO_REGISTER;
	default:
		break;
	}
	if (op_infos[op].uses & W_A) /* the last that a body writes */
		return s->a;
	return op_writes(op, s, latest) ? NO_REGISTER : latest;
}

void piece_plan(struct piece *x)
{
	unsigned latest = NO_REGISTER;
	struct vectors v = { 0 };
	bool wanted = false;

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
		if (t->label) {
			latest = NO_REGISTER;
			v = (struct vectors){ 0 };
		}
		t->latest = (u8)latest;
		choose_step(x, k, latest, &v);
		unsigned next = latest_after(x, k, latest);
		vector_after(&v, t, op_of(x, k), slot_at(x, k), op_writes(op_of(x, k), slot_at(x, k), 14));
		t->sets = next != latest || op_infos[op_of(x, k)].uses & W_A;
		latest = next;
	}
	for (unsigned k = x->n; k-- > 0;) {
		struct step *t = &x->step[k];
		wanted = t->uses || (wanted && !t->sets);
		t->wants = wanted;
	}
	vector_rely(x->step, x->n);
	flags_plan(x);
	if (!x->alone)
		windows_plan(x);
}
