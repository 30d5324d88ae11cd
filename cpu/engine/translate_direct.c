/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are laid as host instructions of their own. */
#include "cpu/engine/observed.h"
#include "cpu/engine/translation.h"

/* A distance in code that is laid as host instructions: as translate_wait. */
static void wait(struct translation *t, u8 *distance, unsigned i)
{
	translate_wait(t, (struct emit_place){ distance, NULL }, 0, i, OP_b_eq);
}

void translate_flags_at(struct translation *t, unsigned k)
{
	struct direct *d = &t->direct;
	unsigned kept = 0;

	for (unsigned i = 0; i < d->flags_count; i++)
		if (t->flags_until[i] > k) {
			t->flags_until[kept] = t->flags_until[i];
			d->flags[kept++] = d->flags[i];
		}
	d->flags_count = kept;
}

static void lay_one(struct translation *t, unsigned k)
{
	const struct step *x = &t->piece->step[k];
	struct code_page *p = t->piece->p;
	struct direct *d = &t->direct;
	const unsigned op = p->info[x->slot] & INFO_OP;
	const bool waits = x->flags_until && direct_flags_need(op, &p->slots[x->slot]) && d->flags_count < DIRECT_FLAGS;
	/* what cannot be computed later is not asked for before it is set again */
	const bool unseen = waits || (x->flags_until && !direct_flags_need(op, &p->slots[x->slot]));

	d->window = x->window ? &t->piece->window[x->window - 1] : NULL;
	d->opens = d->window && d->window->first == k;
	d->reads_pay = reads_pay(t->piece, k);
	d->untimed = x->untimed;
	d->posted = x->posted;
	if (d->opens) {
		if (!p->waits)
			p->behind[x->slot] = 0;
		t->window_last = t->window_last > d->window->last ? t->window_last : d->window->last;
	}
	const bool told = observed_marked(p, x->slot);
	d->told = told ? translate_told(t, x->slot, handler_observed_jumped) : 0;
	direct_lay(d, t->m, op, &p->slots[x->slot], told ? (uintptr_t)handler_observed_end : (uintptr_t)handler_of(plain_of(p, x->slot)), !unseen);
	if (waits) {
		t->flags_until[d->flags_count] = x->flags_until;
		d->flags[d->flags_count++] = (struct direct_flags){ (u16)op, &p->slots[x->slot] };
	}
}

/* The branch at slot i leads back to the head of the loop that is being laid, and nobody is told. */
static bool goes_again(const struct translation *t, unsigned i)
{
	const struct code_page *p = t->piece->p;

	return t->direct.loop.head && slot_linked(p->slots[i].imm) == t->direct.loop.head && !observed_marked(p, i);
}

/* The code of slot i behind the test of its line; NULL: it is not laid. */
static u8 *near_code(const struct translation *t, unsigned i)
{
	const struct code_page *p = t->piece->p;

	if (!p->waits || !translate_laid_at(p, t->m, i) || line_first(p, i) != line_last(p, i))
		return NULL;
	u8 *code = (u8 *)(uintptr_t)handler_of(p->behind[i]);
	return emit_contains(t->m, code) ? code : NULL;
}

/* How the branch at slot i is laid. Its own line is there, so that what leads back to it needs no test; another one is looked for on the way, which
 * is shorter so than by the target's stub. */
static struct direct_branch branch_at(struct translation *t, unsigned i, const struct step *x)
{
	const struct code_page *p = t->piece->p;
	const struct slot *to = slot_linked(p->slots[i].imm);
	const unsigned target = slot_index(p, to);
	struct direct_branch b = { .pays_for = to, .condition = x->condition, .seldom = x->seldom, .again = goes_again(t, i) };

	if (b.again) {
		b.taken = (uintptr_t)(translate_in_line(t, target) ? t->loop_behind : t->loop_code);
		return b;
	}
	b.taken = b.seldom || observed_marked(p, i) ? 0 : (uintptr_t)near_code(t, target);
	if (!b.taken) {
		b.pays_for = NULL;
		b.taken = translate_taken(t, i);
	} else if (!translate_in_line(t, target)) {
		b.looks = true;
		b.line = translate_line_of(t, line_first(p, target), false);
	}
	return b;
}

static void lay_pair(struct translation *t, unsigned k)
{
	const struct step *x = &t->piece->step[k];
	const struct code_page *p = t->piece->p;
	struct direct *d = &t->direct;
	const bool unseen = x->flags_until && d->flags_count < DIRECT_FLAGS;
	const struct direct_branch branch = branch_at(t, x[1].slot, x);

	if (unseen)
		t->flags_until[d->flags_count] = x->flags_until;
	wait(t, direct_lay_pair(d, t->m, p->info[x->slot] & INFO_OP, &p->slots[x->slot], !unseen, branch), x[1].slot);
}

static void lay_branch(struct translation *t, const struct step *x)
{
	const struct code_page *p = t->piece->p;
	const unsigned op = p->info[x->slot] & INFO_OP;
	u8 *distance = direct_lay_branch(&t->direct, t->m, op, &p->slots[x->slot], (uintptr_t)handler_of(plain_of(p, x->slot)), branch_at(t, x->slot, x));

	wait(t, distance, x->slot);
}

void translate_direct(struct translation *t, unsigned k)
{
	switch (t->piece->step[k].how) {
	case HOW_DIRECT:
		lay_one(t, k);
		break;
	case HOW_DIRECT_PAIR:
		lay_pair(t, k);
		break;
	case HOW_DIRECT_BRANCH:
		lay_branch(t, &t->piece->step[k]);
		break;
	default: /* HOW_PAIRED: done with the instruction before it */
		break;
	}
}
