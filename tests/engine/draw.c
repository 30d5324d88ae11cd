/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine/draw.h"

#include <criterion/criterion.h>
#include <string.h>

#define TRIES_SEQUENCE 4000
#define TRIES_INSTRUCTION 400
#define FEATURES ((1u << FEAT_COUNT) - 1 - (1u << FEAT_PACBTI))

/* A sequence while it is drawn. */
struct sketch {
	struct draw *d;
	u32 pc;
	struct drawn *out;
	struct slot slot[FUSED_LEN];
	struct fuse_at at[FUSED_LEN];
	unsigned n;
	u8 likely[4]; /* registers that instructions are likely to have in common */
};

void draw_init(struct draw *d, u64 seed)
{
	d->set = insn_set_new(FEATURES);
	d->index = fused_index_new(fused, fused_count);
	d->random = (struct insn_random){ seed };
	cr_assert(d->set && d->index);
}

void draw_free(struct draw *d)
{
	insn_set_free(d->set);
	fused_index_free(d->index);
}

/* Operands are often the same few registers, so that sequences whose operands must be the same come about; branches
 * are short, and so are offsets. */
static i32 wish(void *ctx, char letter, unsigned width)
{
	struct sketch *s = ctx;
	struct insn_random *r = &s->d->random;

	if (letter == 'i' && width > 7)
		return insn_random_below(r, 2) ? (i32)insn_random_below(r, 64) * 4 : -1;
	if ((width == 3 || width == 4) && insn_random_below(r, 8))
		return s->likely[insn_random_below(r, ARRAY_LEN(s->likely))];
	return -1;
}

/* A row of that operation and length, by chance. */
static const struct insn_row *row_of(struct draw *d, u16 op, u8 length, bool in_it)
{
	const struct insn_row *found = NULL;
	unsigned seen = 0;

	for (unsigned i = 0; i < insn_row_count; i++) {
		const struct insn_row *row = &insn_rows[i];
		const struct insn_pattern *p = insn_pattern_of(d->set, row);
		if (row->op == op && p->length == length && p->it != !in_it && row->feature != FEAT_PACBTI &&
		    insn_random_below(&d->random, ++seen) == 0)
			found = row;
	}
	cr_assert_not_null(found, "%s, %u bytes", op_infos[op].name, length);
	return found;
}

static void put(struct drawn *out, u32 encoding, unsigned length)
{
	if (length == 4)
		out->code[out->halfwords++] = (u16)(encoding >> 16);
	out->code[out->halfwords++] = (u16)encoding;
}

/* A branch back into the sequence, perhaps into an IT block: unpredictable, and the engines may differ. */
static bool branches_into(const struct sketch *s, const struct insn_row *row, u32 pc, const struct slot *slot)
{
	const unsigned kind = op_infos[row->op].kind;
	const u32 target = pc + 4 + slot->imm;

	return (kind == KIND_BR || kind == KIND_BRM || kind == KIND_GO) && target > s->pc && target < pc;
}

/* One instruction behind what is drawn; its operands go to `slot`. */
static bool instruction(struct sketch *s, const struct insn_row *row, bool in_it, struct slot *slot)
{
	const u8 length = insn_pattern_of(s->d->set, row)->length;
	const struct insn_at at = { s->pc + 2 * s->out->halfwords, length, in_it };
	struct fields f;
	u32 encoding;

	if (!insn_encode(s->d->set, row, &s->d->random, wish, s, &encoding))
		return false;
	*slot = (struct slot){ 0 };
	insn_fields(insn_pattern_of(s->d->set, row), encoding, &f);
	row->form(slot, &f, &at);
	if (branches_into(s, row, at.pc, slot))
		return false;
	put(s->out, encoding, length);
	return true;
}

/* The IT of a block: conditions behind the first have its lowest bit, or the other for "else". */
static u32 it_encoding(const struct fused_it *x)
{
	u32 mask = 1u << (4 - x->count);

	for (unsigned k = 1; k < x->count; k++)
		mask |= ((x->cond & 1u) ^ x->otherwise[k]) << (4 - k);
	return 0xbf00 | (u32)x->cond << 4 | mask;
}

/* The block of an IT whose handler is `x`. */
static bool it_block(struct sketch *s, const struct fused_it *x)
{
	const unsigned begin = s->out->halfwords;
	const struct insn_row *row[FUSED_IT_LEN];

	for (unsigned k = 0; k < x->count; k++)
		row[k] = row_of(s->d, x->op[k], x->length[k], true);
	for (unsigned attempt = 0; attempt < TRIES_INSTRUCTION; attempt++) {
		struct slot slot[FUSED_IT_LEN];
		struct fuse_at at[FUSED_IT_LEN];
		unsigned k = 0;

		s->out->halfwords = begin;
		put(s->out, it_encoding(x), 2);
		for (; k < x->count && instruction(s, row[k], true, &slot[k]); k++)
			at[k] = (struct fuse_at){ &slot[k], x->op[k], x->length[k] };
		if (k == x->count && fused_it_handler(x->cond, at, x->otherwise, k) == x->handler)
			return true;
	}
	return false;
}

/* The operands of the last of n that are the same as in earlier ones. */
static u64 of_last(u64 same, unsigned n)
{
	const u64 before = ((u64)1 << FUSED_SAME_SHIFT(n - 1, 0)) - 1;
	const u64 all = n < FUSED_LEN ? ((u64)1 << FUSED_SAME_SHIFT(n, 0)) - 1 : ~(u64)0;

	return same & all & ~before;
}

/* Operation k of the row, with the operands that must be the same. */
static bool operation(struct sketch *s, const struct fused *row, unsigned k)
{
	const unsigned begin = s->out->halfwords;
	const struct insn_row *insn;

	s->at[k] = (struct fuse_at){ &s->slot[k], row->op[k], row->length[k] };
	if (row->op[k] >= OP_COUNT)
		return it_block(s, &fused_it[row->op[k] - OP_COUNT]);
	insn = row_of(s->d, row->op[k], row->length[k], false);
	for (unsigned attempt = 0; attempt < TRIES_INSTRUCTION; attempt++) {
		s->out->halfwords = begin;
		if (!instruction(s, insn, false, &s->slot[k]))
			return false;
		if (!(of_last(row->same, k + 1) & ~fused_same_all(s->at, k + 1)))
			return true;
	}
	return false;
}

bool draw_sequence(struct draw *d, unsigned number, u32 pc, struct drawn *out)
{
	const struct fused *row = &fused[number];

	for (unsigned attempt = 0; attempt < TRIES_SEQUENCE; attempt++) {
		struct sketch s = { .d = d, .pc = pc, .out = out };
		u16 chosen[FUSED_LEN];
		unsigned k = 0;

		out->halfwords = 0;
		for (unsigned i = 0; i < ARRAY_LEN(s.likely); i++)
			s.likely[i] = (u8)insn_random_below(&d->random, 8);
		while (k < row->count && operation(&s, row, k))
			k++;
		if (k < row->count)
			continue;
		fused_divide(d->index, s.at, k, chosen);
		if (chosen[0] == number + 1)
			return true;
	}
	return false;
}
