/* SPDX-License-Identifier: Apache-2.0 */
/* Where translated code looks for its lines: in memory with wait states. */
#include "cpu/engine/translation.h"

/* It is one of a loop that has no more lines than the fetch buffer. */
static bool stays(const struct piece *x, u32 number)
{
	const struct code_page *p = x->p;

	for (unsigned k = 0; k < x->n; k++) {
		const unsigned i = x->step[k].slot;
		if (!is_direct(p->info[i] & INFO_OP))
			continue;
		const unsigned to = slot_index(p, slot_linked(p->slots[i].imm));
		if (to <= i && line_first(p, to) <= number && number <= line_last(p, i) && line_last(p, i) - line_first(p, to) < FETCHED)
			return true;
	}
	return false;
}

struct direct_code_line translate_line_of(const struct translation *t, u32 number, bool goes_on)
{
	return (struct direct_code_line){ number, goes_on, t->code_cached, stays(t->piece, number) };
}

u8 *translate_behind_lines(struct translation *t, unsigned i, u8 *code)
{
	struct code_page *p = t->piece->p;
	const u32 first = line_first(p, i), last = line_last(p, i);

	p->behind[i] = handler_word((handler_fn *)(uintptr_t)code);
	if (t->looks && code == t->code)
		return t->looks;
	if (first != last)
		code = direct_enter_line(t->m, &p->slots[i], translate_line_of(t, last, false), code);
	return direct_enter_line(t->m, &p->slots[i], translate_line_of(t, first, first != last), code);
}

void translate_lines(struct translation *t, unsigned i, bool reached, bool entered)
{
	const struct code_page *p = t->piece->p;
	const u32 first = line_first(p, i), last = line_last(p, i);

	if (entered || (reached && first != t->line))
		direct_lay_line(&t->direct, t->m, &p->slots[i], translate_line_of(t, first, first != last));
	if (first != last && (entered || reached))
		direct_lay_line(&t->direct, t->m, &p->slots[i], translate_line_of(t, last, false));
	t->line = line_last(p, i);
}
