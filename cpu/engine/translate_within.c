/* SPDX-License-Identifier: Apache-2.0 */
/* Translates from slots on that only code before them entered until now, and what must be checked one by one. */
#include "cpu/engine/translation.h"

/* True when slot i is the branch of a pair. */
static bool is_paired(struct code_page *p, unsigned before, unsigned i)
{
	const unsigned op = p->info[i] & INFO_OP;

	return op >= OP_b_eq && op <= OP_b_le && !p->it[i] && *slot_behind(p, i) == plain_of(p, i) &&
	       direct_pairs(p->info[before] & INFO_OP, &p->slots[before], op - OP_b_eq);
}

static bool is_within(struct code_page *p, unsigned i)
{
	const slot_handler h = *slot_behind(p, i);

	return h == handler_word(handler_within) || h == handler_word(handler_within_again);
}

/* As it was decoded, before its lines were looked for. */
static void unwatch(struct code_page *p, unsigned i)
{
	if (!p->waits || p->slots[i].handler != handler_word(go_fetch))
		return;
	p->slots[i].handler = p->behind[i];
	p->behind[i] = 0;
}

/* What is laid together from slot i on, where others than the code before it enter: as far as nobody else has entered. */
static void translate_from(struct cpu *c, struct code_page *p, unsigned i, bool alone)
{
	u16 list[PIECE_MAX];
	unsigned n = 0;

	do {
		list[n++] = (u16)i;
		if (p->info[i] & INFO_ENDS)
			break;
		i = next_index(p, i);
	} while (is_within(p, i) || (n && is_paired(p, list[n - 1], i)));
	for (unsigned k = 0; k < n; k++)
		unwatch(p, list[k]);
	translate_list(c, p, list, n, p->info[list[n - 1]] & INFO_ENDS ? next_index(p, i) : i, alone);
	code_watch_fetches(p, list, n);
}

void translate_within(struct cpu *c, const struct slot *s)
{
	struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);

	translate_from(c, p, i, false);
	if (is_within(p, i))
		*slot_behind(p, i) = plain_of(p, i);
}

slot_handler translate_alone(struct cpu *c, const struct slot *s)
{
	struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);

	if (!p->behind[i])
		translate_from(c, p, i, true);
	if (!p->behind[i])
		p->behind[i] = plain_of(p, i);
	return p->behind[i];
}

