/* SPDX-License-Identifier: Apache-2.0 */
/* Translates from slots on that only code before them entered until now, and what must be checked one by one. */
#include "cpu/engine/translation.h"

/* True when slot i is the branch of a pair. */
static bool is_paired(const struct code_page *p, unsigned before, unsigned i)
{
	const unsigned op = p->info[i] & INFO_OP;

	return op >= OP_b_eq && op <= OP_b_le && !p->it[i] && p->slots[i].handler == plain_of(p, i) &&
	       direct_pairs(p->info[before] & INFO_OP, &p->slots[before], op - OP_b_eq);
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
	} while (slot_within(&p->slots[i]) || (n && is_paired(p, list[n - 1], i)));
	translate_list(c, p, list, n, p->info[list[n - 1]] & INFO_ENDS ? next_index(p, i) : i, alone);
}

void translate_within(struct cpu *c, const struct slot *s)
{
	struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);

	translate_from(c, p, i, false);
	if (slot_within(s))
		p->slots[i].handler = plain_of(p, i);
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

