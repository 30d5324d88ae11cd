/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads and stores are checked together: those off one base register that follow each other in straight code. The first of
 * them checks all bytes. Nobody enters between them from elsewhere. */
#include "cpu/engine/direct.h"
#include "cpu/engine/plan.h"

#define REACH 512 /* bytes from the base: the more, the oftener a page ends between */

static bool is_access(const struct recipe *r)
{
	return r->what >= DO_LOAD && r->operand == AT_IMM;
}

/* Makes the window larger for an access; false: it does not fit. */
static bool include(struct window *w, const struct recipe *r, const struct slot *s)
{
	const i32 from = (i32)s->imm, to = from + r->bytes;
	const bool pair = r->bytes == 8;
	const u8 align = pair ? 3 : (u8)(r->bytes - 1);

	if (from < -REACH || to > REACH || from & align)
		return false;
	w->low = (i16)(from < w->low ? from : w->low);
	w->high = (i16)(to > w->high ? to : w->high);
	w->align |= align;
	w->pairs |= pair;
	w->reads |= r->what == DO_LOAD || r->what == DO_LOAD_PAIR;
	w->writes |= r->what == DO_STORE || r->what == DO_STORE_PAIR;
	return true;
}

/* Steps from k on that share a window; true where it is worth it. */
static bool gather(struct piece *x, unsigned k, struct window *w, u8 number)
{
	const u8 base = x->p->slots[x->step[k].slot].b;
	unsigned count = 0;

	*w = (struct window){ .first = (u16)k, .base = base };
	for (unsigned j = k; j < x->n && x->step[j].how == HOW_DIRECT && (j == k || !x->step[j].label); j++) {
		const unsigned op = x->p->info[x->step[j].slot] & INFO_OP;
		const struct slot *s = &x->p->slots[x->step[j].slot];
		const struct recipe *r = &direct_recipes[op];
		if (is_access(r) && s->b == base && !x->step[j].window && include(w, r, s)) {
			x->step[j].window = number;
			w->last = (u16)j;
			count++;
		}
		if (op_writes(op, s, base))
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
