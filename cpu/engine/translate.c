/* SPDX-License-Identifier: Apache-2.0 */
/* Lays stencils side by side.
 *
 * A stencil is a handler that knows its operands, so its address stands in the slot: whatever enters by slots finds
 * it, and whatever has no stencil runs as handler and comes back by the next slot. A branch inside the page goes to its
 * target's stub, which pays for the block there; a stub leads to go_enter until its target is decoded. */
#include "cpu/engine/translation.h"
#include "cpu/engine/emit.h"
#include "cpu/engine/observed.h"


/* ---- instructions --------------------------------------------------------------------------- */

static void lay_part(struct translation *t, enum stencil_part number, const struct emit_values *v)
{
	emit_stencil(t->m, part(number), v);
}

/* A branch to an instruction that is yet to come, where the condition fails. */
static void lay_skip(struct translation *t, struct emit_values *v, unsigned condition, const struct slot *to, bool pays)
{
	u16 number = stencil_of[V_plain][OP_b_eq + (condition ^ 1)];

	v->value[HOLE_TAKEN] = pays ? translate_stub(t, to) : 0;
	struct emit_place at = emit_stencil(t->m, number, v);
	if (pays)
		return;
	fixups_add(&t->fixups, &(struct fixup){ at, number, (u16)slot_index(t->piece->p, to), HOLE_TAKEN, true });
}

void translate_wait(struct translation *t, struct emit_place at, u16 number, unsigned i, unsigned op)
{
	const struct code_page *p = t->piece->p;
	const unsigned to = slot_index(p, slot_linked(p->slots[i].imm));

	if (to > i && piece_find(t->piece, to) >= 0 && !observed_marked(p, i))
		fixups_add(&t->fixups, &(struct fixup){ at, number, (u16)to, op_infos[op].kind == KIND_BR ? HOLE_TAKEN : HOLE_GO, false });
}

/* What must hold for all lanes, by the part of stencils that checks it. */
static void lay_check(struct translation *t, enum stencil_part check, struct emit_values v, unsigned mask)
{
	v.value[HOLE_IMM] = vector_vpr(mask);
	lay_part(t, check, &v);
}

static void lay_vector(struct translation *t, const struct step *x, unsigned op, const struct emit_values *v)
{
	if (x->all_checks)
		lay_check(t, x->mask ? PART_vector_open_block : PART_vector_open, *v, x->mask);
	else if (x->vpr_check)
		lay_check(t, PART_vector_block, *v, x->mask);
	if (x->mask && t->piece->c->caches && op_infos[op].uses & (R_MEM | W_MEM))
		lay_part(t, PART_vector_reaches, v);
	emit_stencil(t->m, x->stencil, v);
	if (x->mask) {
		struct emit_values after = *v;
		after.value[HOLE_IMM] = vector_vpr_after(x->mask);
		lay_part(t, PART_vector_step, &after);
	}
}

static void lay_handler(struct translation *t, struct emit_values *v, uintptr_t handler)
{
	v->value[HOLE_GO] = handler;
	lay_part(t, PART_handler, v);
}

/* What makes the access of step k free, where there are caches. */
static unsigned free_of(const struct translation *t, unsigned k)
{
	const unsigned op = t->piece->p->info[t->piece->step[k].slot] & INFO_OP;

	return op_infos[op].uses & W_MEM ? FREE_WRITE : reads_pay(t->piece, k) ? FREE_READ : FREE_READ | FREE_BESIDE;
}

static void lay_step(struct translation *t, unsigned k, bool reached)
{
	const struct code_page *p = t->piece->p;
	const struct step *x = &t->piece->step[k];
	const struct slot *s = &p->slots[x->slot];
	unsigned op = p->info[x->slot] & INFO_OP;
	bool ends = p->info[x->slot] & INFO_ENDS;

	if (step_is_direct(x)) {
		translate_direct(t, k);
		return;
	}
	struct emit_values v = translate_values(p, x->slot);

	v.value[HOLE_FREE] = free_of(t, k);
	v.skips = t->direct.cost == COST_PAYS && !x->untimed;
	switch (x->how) {
	case HOW_HANDLER:
		if (reached)
			lay_handler(t, &v, (uintptr_t)handler_of(s->handler));
		break;
	case HOW_STENCIL: case HOW_MASKED:
		if (!is_direct(op)) {
			emit_stencil(t->m, x->stencil, &v);
			break;
		}
		v.value[HOLE_TAKEN] = v.value[HOLE_GO] = translate_taken(t, x->slot);
		translate_wait(t, emit_stencil(t->m, x->stencil, &v), x->stencil, x->slot, op);
		break;
	case HOW_WORD:
		lay_part(t, (enum stencil_part)(PART_word_eq + x->condition), &v);
		if (x->stencil)
			emit_stencil(t->m, x->stencil, &v);
		break;
	case HOW_SKIP:
		lay_skip(t, &v, x->condition, slot_linked(s->imm), s->handler == handler_word(handler_it_branch[s->a]));
		break;
	case HOW_IF:
		if (x->condition < 14)
			lay_skip(t, &v, x->condition, &p->slots[next_index(p, x->slot)], ends);
		if (is_direct(op))
			v.value[HOLE_TAKEN] = v.value[HOLE_GO] = translate_taken(t, x->slot);
		if (x->stencil)
			emit_stencil(t->m, x->stencil, &v);
		else
			lay_handler(t, &v, v.value[HOLE_PLAIN]);
		break;
	case HOW_VECTOR:
		lay_vector(t, x, op, &v);
		break;
	default:
		break;
	}
}

/* ---- the piece ---------------------------------------------------------------------------------- */

/* The slot's handler becomes its code, which is all that others know of it. */
static void publish(struct translation *t, unsigned k)
{
	struct code_page *p = t->piece->p;
	const struct step *x = &t->piece->step[k];
	u8 *code = t->code;

	if (!step_can_be_entered(x))
		return;
	if (x->how == HOW_VECTOR && !x->all_checks) {
		struct emit_values v = translate_values(p, x->slot);
		v.value[HOLE_IMM] = vector_vpr(x->mask);
		v.value[HOLE_GO] = (uintptr_t)code;
		code = emit_apart(t->m, part(x->mask ? PART_vector_enter_block : PART_vector_enter), &v, NULL);
	}
	if (t->within || t->piece->alone) {
		if (!t->piece->alone)
			p->slots[x->slot].handler = handler_word(handler_within);
		else if (k == 0 && !p->waits)
			p->behind[x->slot] = handler_word((handler_fn *)(uintptr_t)code);
		return;
	}
	if (p->waits)
		code = translate_behind_lines(t, x->slot, code);
	p->slots[x->slot].handler = handler_word((handler_fn *)(uintptr_t)code);
	if (p->stub[x->slot] && !t->entered)
		translate_link(p, t->m, x->slot);
	translate_found(t, x->slot);
}

/* Room for a unit; if need be elsewhere, with a jump there. False: there is none. */
static bool make_room(struct translation *t, bool flows)
{
	u8 *here = emit_here(t->m);

	if (!emit_room(t->m, UNIT_BYTES)) {
		t->m->full = true;
		return false;
	}
	if (flows && emit_here(t->m) != here) {
		struct emit_values v = { .value = { [HOLE_GO] = (uintptr_t)emit_here(t->m) } };
		emit_over(t->m, here, part(PART_go), &v, NULL);
	}
	return true;
}

/* True when branches may enter step x where it lies: what pays for its block comes before its code, and they need no jump more. What
 * flows into it jumps over that, which is worth it in loops. */
static bool enters_here(const struct step *x, bool flows)
{
	return x->label && step_can_be_entered(x) && (x->how != HOW_VECTOR || x->all_checks) && (x->loop || !flows);
}

/* True when branches enter here. */
static bool lay_entry(struct translation *t, const struct step *x, bool flows, bool pays)
{
	struct code_page *p = t->piece->p;
	const bool enters = enters_here(x, flows && !pays);

	t->entered = false;
	t->over = NULL;
	if (!enters && !pays)
		return false;
	struct emit_values v = translate_values(p, x->slot);
	if (enters && flows && !pays) {
		v.value[HOLE_GO] = (uintptr_t)emit_here(t->m) + emit_hot_size(part(PART_go)) + emit_hot_size(part(PART_charge));
		t->over = emit_here(t->m);
		lay_part(t, PART_go, &v);
	}
	if (enters) {
		fixups_resolve(&t->fixups, t->m, x->slot, false);
		t->entered = !p->stub[x->slot];
		if (t->entered)
			p->stub[x->slot] = (i32)((uintptr_t)emit_here(t->m) - (uintptr_t)slot_base);
		p->has_stubs = true;
	}
	if (pays && !enters && (t->direct.hold.held || t->direct.flags_count))
		direct_lay_charge(&t->direct, t->m, &p->slots[x->slot]);
	else if (enters || pays)
		lay_part(t, PART_charge, &v);
	return enters;
}

/* What the piece runs into. */
static void lay_end(struct translation *t, bool pays)
{
	const struct code_page *p = t->piece->p;
	unsigned after = t->piece->after;
	struct emit_values v = translate_values(p, after);
	u8 *code = translate_laid_at(p, t->m, after);

	fixups_resolve(&t->fixups, t->m, after, true);
	if (pays || code) {
		v.value[HOLE_GO] = pays ? translate_stub(t, &p->slots[after]) : (uintptr_t)code;
		lay_part(t, PART_go, &v);
	} else {
		lay_part(t, PART_dispatch, &v);
	}
}

/* No more room: the rest stays with handlers. */
static void lay_rest(struct translation *t, unsigned k)
{
	if (t->direct.hold.held || t->direct.flags_count) {
		const struct slot *s = &t->piece->p->slots[t->piece->step[k].slot];
		direct_lay_leave(&t->direct, t->m, s, (uintptr_t)handler_of(s->handler));
		return;
	}
	struct emit_values v = translate_values(t->piece->p, t->piece->step[k].slot);

	emit_over(t->m, emit_here(t->m), part(PART_dispatch), &v, NULL);
}

/* Where step k begins a loop that keeps registers. Each iteration looks for the head's lines. */
static void open_loop(struct translation *t, unsigned k)
{
	const unsigned i = t->piece->step[k].slot;
	u16 set, changes;

	if (!loop_keeps(t->piece, k, &set, &changes))
		return;
	direct_lay_loop(&t->direct, t->m, &t->piece->p->slots[i], set, changes);
	t->loop_code = emit_here(t->m);
	if (t->piece->p->waits)
		translate_lines(t, i, true, true);
	t->loop_behind = emit_here(t->m);
}

/* What flows into an entry in the line that it is in goes over the test as well. */
static void lay_lines(struct translation *t, const struct step *x, bool reached, bool entered)
{
	const unsigned i = x->slot;
	const bool same = translate_in_line(t, i), looks = !t->direct.hold.held && !t->direct.flags_count && (entered || !reached) && step_can_be_entered(x);

	t->looks = looks ? emit_here(t->m) : NULL;
	translate_lines(t, i, reached, entered || looks);
	if (!t->over || !same)
		return;
	struct emit_values v = { .value = { [HOLE_GO] = (uintptr_t)emit_here(t->m) } };
	emit_over(t->m, t->over, part(PART_go), &v, NULL);
}

static void lay_piece(struct translation *t)
{
	const struct piece *x = t->piece;
	const struct code_page *p = x->p;
	bool pays = false, flows = false;

	for (unsigned k = 0; k < x->n; k++) {
		unsigned i = x->step[k].slot, kind = op_infos[p->info[i] & INFO_OP].kind;
		if (!t->fixups.skips && x->step[k].how != HOW_MASKED && x->step[k].how != HOW_PAIRED && !make_room(t, flows)) {
			if (flows)
				lay_rest(t, k);
			return;
		}
		bool reached = flows || t->fixups.skips;
		if (x->step[k].label || !step_is_direct(&x->step[k]) || observed_marked(p, i)) /* whose slot must be entered */
			direct_end(&t->direct, t->m);
		if (!reached)
			emit_align(t->m);
		const bool entered = lay_entry(t, &x->step[k], reached, pays);
		fixups_resolve(&t->fixups, t->m, i, true);
		if (p->waits)
			lay_lines(t, &x->step[k], reached, entered);
		t->code = emit_here(t->m);
		translate_flags_at(t, k);
		t->within = t->direct.hold.held || t->direct.flags_count || (k && t->window_last >= k);
		open_loop(t, k);
		lay_step(t, k, reached);
		publish(t, k);
		pays = p->info[i] & INFO_ENDS && x->step[k].how != HOW_HANDLER && (kind == KIND_BR || kind == KIND_BRM);
		flows = x->step[k].how != HOW_HANDLER && (!(p->info[i] & INFO_ENDS) || pays);
	}
	direct_end(&t->direct, t->m);
	if (flows || t->fixups.skips)
		lay_end(t, pays);
}

/* Not all of it is cleared: lists as long as a page would take longer to clear than most pieces to translate. */
static void translation_begin(struct translation *t, struct piece *x, struct emit_memory *m)
{
	t->piece = x;
	t->m = m;
	t->fixups.count = t->fixups.skips = 0;
	t->entered = false;
	t->line = 0;
	t->looks = NULL;
	t->window_last = 0;
	direct_begin(&t->direct);
	t->direct.cost = x->cost;
	t->code_cached = x->c->caches && !caches_code_off(x->c);
	t->direct.goes_alone = !x->p->waits;
}

void translate_list(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after, bool alone)
{
	struct emit_memory *m = c->engine->translated;
	struct piece x;
	struct translation t;

	if (!m || m->off || m->full || !n)
		return;
	/* In the middle of a piece flags may be nowhere: its end must come first. */
	m->full = !emit_reserve(m, n * STEP_BYTES < EMIT_CHUNK ? n * STEP_BYTES : EMIT_CHUNK);
	if (m->full)
		return;
	x.c = c;
	x.p = p;
	x.n = n;
	x.after = after;
	x.alone = alone;
	x.cost = !c->caches ? COST_NOTHING : caches_data_off(c) ? COST_PAYS : COST_LINES;
	x.windows = 0;
	translation_begin(&t, &x, m);
	for (unsigned k = 0; k < n; k++)
		x.step[k] = (struct step){ .slot = list[k] };
	piece_plan(&x);
	lay_piece(&t);
}

void translate_piece(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after)
{
	translate_list(c, p, list, n, after, false);
}

struct emit_memory *translate_new(struct cpu *c)
{
	return c->config.engine == CPU_ENGINE_TAIL ? emit_new(c->jumps) : NULL;
}
void translate_free(struct emit_memory *m) { emit_free(m); }
bool translate_full(const struct emit_memory *m) { return m && m->full; }
void translate_forget(struct emit_memory *m)
{
	if (m && !m->off)
		m->full = true;
}
void translate_drop_all(struct emit_memory *m)
{
	if (m)
		emit_drop_all(m);
}
const char *translate_kind(void)
{
	struct emit_memory *m = emit_new(NULL);
	const char *kind = !m ? "handlers, as memory is short" : m->off ? "handlers, as the host refuses executable memory" : "translated code";

	emit_free(m);
	return kind;
}
