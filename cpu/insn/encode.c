/* SPDX-License-Identifier: Apache-2.0 */
/* Random encodings from the patterns of the instruction table. */
#include "cpu/insn/encode.h"

u32 insn_random_u32(struct insn_random *r)
{
	u64 z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (u32)((z ^ z >> 31) >> 16);
}

u32 insn_random_below(struct insn_random *r, u32 n)
{
	return (u32)((u64)insn_random_u32(r) * n >> 32);
}

/* Spreads the low bits of `value` over the bits of `mask`, lowest first. */
static u32 scatter(u32 value, u32 mask)
{
	u32 out = 0;

	for (; mask; mask &= mask - 1, value >>= 1)
		out |= (value & 1) << __builtin_ctz(mask);
	return out;
}

static u32 candidate(const struct insn_pattern *p, struct insn_random *r, insn_wish *wish, void *ctx)
{
	u32 encoding = p->value | p->should_be_one;

	for (unsigned i = 0; i < p->field_count; i++) {
		unsigned width = (unsigned)__builtin_popcount(p->field[i].mask);
		i32 wanted = wish ? wish(ctx, p->field[i].letter, width) : -1;
		u32 value = wanted < 0 ? insn_random_u32(r) : (u32)wanted;
		encoding |= scatter(value, p->field[i].mask);
	}
	return encoding;
}

/* Meets the constraints of the form "field == number", which chance seldom does. */
static u32 with_equalities(const struct insn_pattern *p, u32 encoding)
{
	for (unsigned i = 0; i < p->constraint_count; i++) {
		if (p->constraint[i].kind != CONSTRAINT_EQ || p->constraint[i].other)
			continue;
		for (unsigned k = 0; k < p->field_count; k++)
			if (p->field[k].letter == p->constraint[i].letter)
				encoding = (encoding & ~p->field[k].mask) |
					   scatter(p->constraint[i].value, p->field[k].mask);
	}
	return encoding;
}

bool insn_encode(const struct insn_set *set, const struct insn_row *row, struct insn_random *r,
		 insn_wish *wish, void *ctx, u32 *encoding)
{
	const struct insn_pattern *p = insn_pattern_of(set, row);

	for (unsigned attempt = 0; attempt < 1000; attempt++) {
		/* Wishes that never fit the constraints are dropped in the end. */
		u32 e = with_equalities(p, candidate(p, r, attempt < 900 ? wish : NULL, ctx));
		if (p->length == 4 && !insn_is_wide((u16)(e >> 16)))
			continue;
		if (insn_find(set, e, p->length, p->it == 1) == row) {
			*encoding = e;
			return true;
		}
	}
	return false;
}
