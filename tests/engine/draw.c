/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/engine/draw.h"

#include <criterion/criterion.h>
#include <string.h>

#define TRIES 400
#define FEATURES ((1u << FEAT_COUNT) - 1 - (1u << FEAT_PACBTI))

/* A sequence while it is drawn. */
struct sketch {
	struct draw *d;
	u32 pc;
	struct drawn *out;
	bool inside; /* a branch leads into the sequence */
	u8 likely[3]; /* registers that instructions are likely to have in common */
};

void draw_init(struct draw *d, u64 seed)
{
	d->set = insn_set_new(FEATURES);
	d->random = (struct insn_random){ seed };
	cr_assert(d->set);
	d->count = 0;
	for (unsigned i = 0; i < insn_row_count; i++)
		if (insn_rows[i].feature != FEAT_PACBTI)
			d->rows[d->count++] = &insn_rows[i];
	cr_assert_lt(d->count, DRAW_ROWS);
}

void draw_free(struct draw *d)
{
	insn_set_free(d->set);
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

static void put(struct drawn *out, u32 encoding, unsigned length)
{
	if (length == 4)
		out->code[out->halfwords++] = (u16)(encoding >> 16);
	out->code[out->halfwords++] = (u16)encoding;
}

/* True for a branch back into the sequence, which need not end. One forward may lead into an IT block, which is
 * unpredictable: there is either. */
static bool branches_into(struct sketch *s, const struct insn_row *row, u32 pc, const struct slot *slot)
{
	const unsigned kind = op_infos[row->op].kind;
	const u32 target = pc + 4 + slot->imm;

	s->out->branches |= kind == KIND_BR || kind == KIND_BRM || kind == KIND_GO;
	s->inside |= kind == KIND_BR && target >= pc && target - pc < 2 * DRAW_HALFWORDS;
	return (kind == KIND_BR || kind == KIND_BRM || kind == KIND_GO) && target > s->pc && target < pc;
}

/* One instruction behind what is drawn; false: the row's encodings do not suit this place. */
static bool instruction(struct sketch *s, const struct insn_row *row, bool in_it)
{
	const struct insn_pattern *p = insn_pattern_of(s->d->set, row);
	const struct insn_at at = { s->pc + 2 * s->out->halfwords, p->length, in_it };
	struct slot slot = { 0 };
	struct fields f;
	u32 encoding;

	if (p->it == !in_it || !insn_encode(s->d->set, row, &s->d->random, wish, s, &encoding))
		return false;
	insn_fields(p, encoding, &f);
	row->form(&slot, &f, &at);
	if (branches_into(s, row, at.pc, &slot))
		return false;
	put(s->out, encoding, p->length);
	return true;
}

static const struct insn_row *any_row(struct draw *d)
{
	return d->rows[insn_random_below(&d->random, d->count)];
}

/* Instructions that make what follows find its operands in the host's registers, or its flags dead or compared. */
static bool is_companion(unsigned op)
{
	const struct op_info *info = &op_infos[op];
	return info->kind == KIND_ALU || info->kind == KIND_ALUA || info->kind == KIND_BR || info->class == C_LOAD ||
	       info->class == C_STORE;
}
static void companion(struct sketch *s)
{
	for (unsigned attempt = 0; attempt < TRIES; attempt++) {
		const struct insn_row *row = any_row(s->d);
		if (is_companion(row->op) && row->op != OP_it && instruction(s, row, false))
			return;
	}
}

/* An IT block: the row and others, under one condition and its opposite. */
static bool it_block(struct sketch *s, const struct insn_row *row)
{
	struct insn_random *r = &s->d->random;
	const unsigned count = 1 + insn_random_below(r, 4), place = insn_random_below(r, count);
	const u32 condition = insn_random_below(r, 14);
	u32 mask = 1u << (4 - count);
	const bool alike = insn_random_below(r, 2);

	for (unsigned k = 1; k < count; k++)
		mask |= ((condition & 1u) ^ (alike ? 0 : insn_random_below(r, 2))) << (4 - k);
	s->out->it = true;
	put(s->out, 0xbf00 | condition << 4 | mask, 2);
	const unsigned kind = op_infos[row->op].kind;
	if (kind == KIND_BR || kind == KIND_GO || kind == KIND_BRM || kind == KIND_JMP || kind == KIND_SYS)
		return false;
	for (unsigned k = 0; k < count; k++) {
		unsigned attempt = 0;
		if (k == place) {
			if (!instruction(s, row, true))
				return false;
			continue;
		}
		for (; attempt < TRIES; attempt++) {
			const struct insn_row *other = any_row(s->d);
			if ((op_infos[other->op].kind == KIND_ALUA || (op_infos[other->op].class == C_LOAD && !alike)) && instruction(s, other, true))
				break;
		}
		if (attempt == TRIES)
			return false;
	}
	return true;
}

bool draw_sequence(struct draw *d, unsigned number, u32 pc, struct drawn *out)
{
	const struct insn_row *row = d->rows[number];
	const bool only_it = insn_pattern_of(d->set, row)->it == 1;

	for (unsigned attempt = 0; attempt < TRIES; attempt++) {
		struct sketch s = { .d = d, .pc = pc, .out = out };

		*out = (struct drawn){ 0 };
		for (unsigned i = 0; i < ARRAY_LEN(s.likely); i++)
			s.likely[i] = (u8)insn_random_below(&d->random, 8);
		for (unsigned k = insn_random_below(&d->random, 4); k > 0; k--)
			companion(&s);
		if (row->op != OP_it && (only_it || insn_random_below(&d->random, 4) == 0) ? !it_block(&s, row) :
										      !instruction(&s, row, false))
			continue;
		for (unsigned k = row->op == OP_it ? 0 : insn_random_below(&d->random, 4); k > 0; k--)
			companion(&s);
		if (out->it && s.inside)
			continue;
		return true;
	}
	return false;
}

/* Vector instructions of any kind, none of which begins a block. */
static bool some_vectors(struct sketch *s, unsigned count)
{
	for (unsigned attempt = 0; attempt < TRIES && count; attempt++) {
		const struct insn_row *row = any_row(s->d);
		const unsigned kind = op_infos[row->op].kind;
		if ((kind == KIND_MVE || kind == KIND_MVEMEM) && op_infos[row->op].class != C_VPRED && op_infos[row->op].class != C_VCMP)
			count -= instruction(s, row, false);
	}
	return !count;
}

static bool predicated(struct sketch *s)
{
	const u32 mask = 1 + insn_random_below(&s->d->random, 15);

	put(s->out, 0xfe310f4d | mask >> 3 << 22 | (mask & 7) << 13, 4);
	return some_vectors(s, 4 - (unsigned)__builtin_ctz(mask));
}

/* DLSTP or DLS, instructions, LETP or LE back to the first of them. */
static bool loop(struct sketch *s)
{
	struct insn_random *r = &s->d->random;
	const bool tail = insn_random_below(r, 2);
	const u32 counter = insn_random_below(r, 8), size = insn_random_below(r, 4);

	put(s->out, (tail ? 0xf000e001 | size << 20 : 0xf040e001) | counter << 16, 4);
	const unsigned start = s->out->halfwords;
	if (!some_vectors(s, 1 + insn_random_below(r, 3)))
		return false;
	const u32 back = 2 * (s->out->halfwords - start) + 4;
	put(s->out, (tail ? 0xf01fc001 : 0xf00fc001) | back >> 2 << 1 | (back >> 1 & 1) << 11, 4);
	return true;
}

bool draw_vectors(struct draw *d, u32 pc, struct drawn *out)
{
	for (unsigned attempt = 0; attempt < TRIES; attempt++) {
		struct sketch s = { .d = d, .pc = pc, .out = out };

		*out = (struct drawn){ 0 };
		for (unsigned i = 0; i < ARRAY_LEN(s.likely); i++)
			s.likely[i] = (u8)insn_random_below(&d->random, 8);
		if (insn_random_below(&d->random, 2) ? predicated(&s) : loop(&s))
			return true;
	}
	return false;
}
