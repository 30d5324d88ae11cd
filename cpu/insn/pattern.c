/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the bit patterns of the instruction table. Grammar: docs/design/how-to-add-an-instruction.md. */
#include "cpu/insn/insn.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void field_bit(struct insn_pattern *p, char letter, unsigned bit)
{
	unsigned i;

	for (i = 0; i < p->field_count && p->field[i].letter != letter; i++)
		;
	if (i == p->field_count) {
		assert(i < INSN_MAX_FIELDS);
		p->field[i].letter = letter;
		p->field[i].mask = 0;
		p->field_count++;
	}
	p->field[i].mask |= 1u << bit;
}

/* One constraint such as "n!=15", "d==m", "i<4", "it", "!it". */
static void constraint(struct insn_pattern *p, const char *text)
{
	if (!strcmp(text, "it") || !strcmp(text, "!it")) {
		p->it = text[0] != '!';
		return;
	}
	assert(isalpha((unsigned char)text[0]) && p->constraint_count < INSN_MAX_CONSTRAINTS);
	unsigned at = p->constraint_count++;
	const char *right = text + 2 + (text[2] == '=');
	p->constraint[at].letter = text[0];
	switch (text[1]) {
	case '!': p->constraint[at].kind = CONSTRAINT_NE; break;
	case '=': p->constraint[at].kind = CONSTRAINT_EQ; break;
	case '<': p->constraint[at].kind = text[2] == '=' ? CONSTRAINT_LE : CONSTRAINT_LT; break;
	case '>': p->constraint[at].kind = CONSTRAINT_GT; break;
	case '~': p->constraint[at].kind = CONSTRAINT_OUT; break;
	case '#': p->constraint[at].kind = CONSTRAINT_BITS; break;
	case '@': p->constraint[at].kind = CONSTRAINT_IN; break;
	case ':': p->constraint[at].kind = CONSTRAINT_LIST; break;
	default: p->constraint[at].kind = CONSTRAINT_SUM; break;
	}
	if (isalpha((unsigned char)*right))
		p->constraint[at].other = *right++;
	if (p->constraint[at].kind == CONSTRAINT_SUM || p->constraint[at].kind == CONSTRAINT_LIST)
		right++; /* '<' */
	p->constraint[at].value = (u16)strtoul(right, NULL, 0);
}

void insn_parse(const struct insn_row *row, struct insn_pattern *p)
{
	const char *end = strchr(row->pattern, ';');
	size_t width = 0;

	memset(p, 0, sizeof(*p));
	p->it = -1;
	if (!end)
		end = row->pattern + strlen(row->pattern);
	for (const char *q = row->pattern; q < end; q++)
		width += *q != ' ';
	assert(width == 16 || width == 32);
	p->length = (u8)(width / 8);
	unsigned bit = (unsigned)width;
	for (const char *q = row->pattern; q < end; q++) {
		if (*q == ' ')
			continue;
		bit--;
		if (*q == '0' || *q == '1') {
			p->mask |= 1u << bit;
			p->value |= (u32)(*q - '0') << bit;
		} else if (*q == '+') {
			p->should_be_one |= 1u << bit;
		} else if (*q != '-') {
			field_bit(p, *q, bit);
		}
	}
	char text[128];
	snprintf(text, sizeof(text), "%s", *end ? end + 1 : "");
	char *rest = NULL;
	for (char *word = strtok_r(text, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest))
		constraint(p, word);
}

/* Gathers the bits of `mask` into the low end, highest first. */
static u32 gather(u32 encoding, u32 mask)
{
	const u32 first = mask & -mask;
	u32 out = 0;
	unsigned at = 0;

	if (first && !(mask & (mask + first))) /* they stand together, as in most fields */
		return (encoding & mask) / first;
	for (; mask; mask &= mask - 1)
		out |= (encoding >> __builtin_ctz(mask) & 1) << at++;
	return out;
}

static u32 field_value(const struct insn_pattern *p, char letter, u32 encoding)
{
	for (unsigned i = 0; i < p->field_count; i++)
		if (p->field[i].letter == letter)
			return gather(encoding, p->field[i].mask);
	assert(!"constraint on a field that the pattern has not");
	return 0;
}

void insn_fields(const struct insn_pattern *p, u32 encoding, struct fields *out)
{
	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < p->field_count; i++)
		out->v[(unsigned char)p->field[i].letter] = gather(encoding, p->field[i].mask);
}

/* Bit of register n in a list field; 32-bit encodings leave out SP, so LR is bit 13 there. */
static bool in_list(u32 list, u32 n)
{
	return n < 13 ? list >> n & 1 : n == 14 && list >> 13 & 1;
}

bool insn_matches(const struct insn_pattern *p, u32 encoding)
{
	if ((encoding & p->mask) != p->value)
		return false;
	for (unsigned i = 0; i < p->constraint_count; i++) {
		u32 left = field_value(p, p->constraint[i].letter, encoding);
		u32 value = p->constraint[i].value;
		u32 right = p->constraint[i].other ?
			field_value(p, p->constraint[i].other, encoding) : value;
		bool ok = false;
		switch (p->constraint[i].kind) {
		case CONSTRAINT_NE: ok = left != right; break;
		case CONSTRAINT_EQ: ok = left == right; break;
		case CONSTRAINT_LT: ok = left < right; break;
		case CONSTRAINT_LE: ok = left <= right; break;
		case CONSTRAINT_GT: ok = left > right; break;
		case CONSTRAINT_IN: ok = in_list(right, left); break;
		case CONSTRAINT_OUT: ok = !in_list(right, left); break;
		case CONSTRAINT_BITS: ok = (u32)__builtin_popcount(left) > right; break;
		case CONSTRAINT_SUM: ok = left + right < value; break;
		case CONSTRAINT_LIST: ok = insn_sreg(left) + right < value; break;
		}
		if (!ok)
			return false;
	}
	return true;
}
