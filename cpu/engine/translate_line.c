/* SPDX-License-Identifier: Apache-2.0 */
/* Where translated code looks for its lines: in memory with wait states. */
#include "cpu/engine/translation.h"

struct direct_code_line translate_line_of(const struct translation *t, u32 number, bool goes_on)
{
	return (struct direct_code_line){ number, goes_on, t->code_cached };
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
