/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads and stores are checked together: those off one base register that follow each other in straight code. The first of
 * them checks all bytes. Nobody enters between them from elsewhere. */
#include "cpu/engine/direct.h"
#include "cpu/engine/plan.h"
#include "cpu/sys/protect.h"

#define REACH 512 /* bytes from the base: the more, the oftener a page ends between */

static bool is_access(const struct recipe *r)
{
	return r->what >= DO_LOAD && r->operand == AT_IMM;
}

/* Makes the window larger for an access; false: it does not fit. Where lines are looked at, it has two at most; what is paid by the beat lies
 * in one. */
static bool include(struct window *w, const struct piece *x, unsigned k, const struct recipe *r)
{
	const i32 from = (i32)x->p->slots[x->step[k].slot].imm, to = from + r->bytes;
	const bool exact = w->cost == COST_LINES && !(w->reads + w->writes); /* else the base is one of the bytes */
	const i32 low = exact || from < w->low ? from : w->low, high = exact || to > w->high ? to : w->high;
	const bool pair = r->bytes == 8;
	const u8 align = pair && w->cost != COST_PAYS ? 3 : (u8)(r->bytes - 1);

	if (from < -REACH || to > REACH || from & align || w->reads + w->writes == WINDOW_ACCESSES)
		return false;
	if (w->cost == COST_LINES && high - low > (i32)CACHE_LINE)
		return false;
	w->low = (i16)low;
	w->high = (i16)high;
	w->align |= align;
	w->pairs |= pair;
	w->access[w->reads + w->writes] = (struct window_access){ (i16)from, r->bytes, direct_loads(r) };
	w->posted[!direct_loads(r)] = x->step[k].posted;
	w->reads += direct_loads(r);
	w->writes += !direct_loads(r);
	w->words += direct_loads(r) && reads_pay(x, k) ? (r->bytes + 3) / 4 : 0;
	return true;
}

/* True when all accesses of a window are paid, or lines looked for, by the first of them: nothing between may leave, or bring other lines. */
static bool is_strict(const struct piece *x, const struct window *w)
{
	return w->cost != COST_NOTHING || tcm_read_waits(x->c, x->p->addr);
}

/* What a window refuses is translated once more, without it. */
static bool refused_goes_alone(const struct piece *x) { return !x->p->waits; }

/* Steps from k on that share a window; true where it is worth it. */
static bool gather(struct piece *x, unsigned k, struct window *w, u8 number)
{
	const u8 base = x->p->slots[x->step[k].slot].b;
	unsigned count = 0;

	*w = (struct window){ .first = (u16)k, .base = base, .cost = refused_goes_alone(x) && x->step[k].untimed ? COST_NOTHING : x->cost };
	for (unsigned j = k; j < x->n && x->step[j].how == HOW_DIRECT && (j == k || !x->step[j].label); j++) {
		const unsigned op = x->p->info[x->step[j].slot] & INFO_OP;
		const struct slot *s = &x->p->slots[x->step[j].slot];
		const struct recipe *r = &direct_recipes[op];
		const bool other_line = x->p->waits && line_last(x->p, x->step[j].slot) != line_last(x->p, x->step[k].slot);
		if (!other_line && is_access(r) && s->b == base && !x->step[j].window && include(w, x, j, r)) {
			x->step[j].window = number;
			w->last = (u16)j;
			count++;
		} else if (is_strict(x, w) && (other_line || r->what >= DO_LOAD)) {
			break;
		}
		if (op_writes(op, s, base) || op_infos[op].kind == KIND_JMP)
			break;
	}
	if (count >= (w->reads && w->writes ? 3 : 2))
		return true;
	for (unsigned j = k; j <= w->last; j++)
		if (x->step[j].window == number)
			x->step[j].window = 0;
	return false;
}

void windows_plan(struct piece *x)
{
	for (unsigned k = 0; k < x->n && x->windows < WINDOWS; k++) {
		const unsigned op = x->p->info[x->step[k].slot] & INFO_OP;
		if (x->step[k].how != HOW_DIRECT || x->step[k].window || !is_access(&direct_recipes[op]))
			continue;
		if (gather(x, k, &x->window[x->windows], (u8)(x->windows + 1)))
			x->windows++;
	}
}
