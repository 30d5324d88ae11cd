/* SPDX-License-Identifier: Apache-2.0 */
/* The rows as an array, and the look-up from an encoding to its row. Rows of the same bucket are
 * tried in table order, so a special case stands before the general one. */
#include "cpu/insn/insn.h"

#include <stdlib.h>

#include "cpu/insn/form_int.h"
#include "cpu/insn/form_fp.h"
#include "cpu/insn/form_mve.h"

const struct insn_row insn_rows[] = {
#define I(id, pattern, feature, op, form, syntax) \
	{ #id, pattern, syntax, form_##form, OP_##op, FEAT_##feature },
#include "cpu/insn/t16.def"
#include "cpu/insn/branch.def"
#include "cpu/insn/data.def"
#include "cpu/insn/load_store.def"
#include "cpu/insn/dsp.def"
#include "cpu/insn/pacbti.def"
#include "cpu/insn/system.def"
#include "cpu/insn/fp.def"
#include "cpu/insn/mve.def"
#include "cpu/insn/mve_float.def"
#include "cpu/insn/last.def"
#undef I
};
const unsigned insn_row_count = ARRAY_LEN(insn_rows);

#define BUCKETS 256

struct fixed { u32 mask, value; };

struct insn_set {
	struct insn_pattern *pattern; /* length 0: not parsed yet; a program meets some dozens of the rows */
	struct fixed *fixed;          /* of each row, close together: most rows of a bucket are passed over by these; not parsed: no bits */
	u16 *list;              /* row numbers, bucket after bucket */
	u32 first[2][BUCKETS + 1]; /* [length 4] */
};

/* What of a row's bits tells its buckets. */
struct row_buckets { u8 fixed, any; bool wide; };

static unsigned bucket_of(u32 encoding, unsigned length)
{
	return length == 4 ? encoding >> 21 & 0xff : encoding >> 8 & 0xff;
}

/* Reads the first 17 symbols: behind 16 a pattern ends or is of 32 bits. */
static struct row_buckets buckets_of(const char *pattern)
{
	u32 ones = 0, open = 0;
	unsigned n = 0;

	for (; n < 17 && *pattern && *pattern != ';'; pattern++) {
		if (*pattern == ' ')
			continue;
		ones = ones << 1 | (*pattern == '1');
		open = open << 1 | (*pattern != '0' && *pattern != '1');
		n++;
	}
	const unsigned length = n == 17 ? 4 : 2, shift = n == 17 ? 15 : 0;

	return (struct row_buckets){ (u8)bucket_of(ones << shift, length), (u8)bucket_of(open << shift, length), length == 4 };
}

/* Adds the row to its buckets: counts it, or stores its number where `end` says. */
static void add_row(struct insn_set *set, unsigned row, const struct row_buckets *b, u32 end[2][BUCKETS], bool store)
{
	unsigned bits = b->any;

	/* All values of the bits that the row leaves open. */
	do {
		u32 *at = &end[b->wide][b->fixed | bits];
		if (store)
			set->list[*at] = (u16)row;
		++*at;
		bits = (bits - 1) & b->any;
	} while (bits != b->any);
}

static bool fill(struct insn_set *set, u32 features)
{
	u32 end[2][BUCKETS] = { 0 }, total = 0;
	struct row_buckets buckets[ARRAY_LEN(insn_rows)];

	for (unsigned i = 0; i < insn_row_count; i++) {
		buckets[i] = buckets_of(insn_rows[i].pattern);
		if (features >> insn_rows[i].feature & 1)
			add_row(set, i, &buckets[i], end, false);
	}
	for (unsigned wide = 0; wide < 2; wide++) {
		for (unsigned b = 0; b < BUCKETS; b++) {
			set->first[wide][b] = total;
			total += end[wide][b];
			end[wide][b] = set->first[wide][b];
		}
		set->first[wide][BUCKETS] = total;
	}
	set->list = malloc((total + 1) * sizeof(u16));
	if (!set->list)
		return false;
	for (unsigned i = 0; i < insn_row_count; i++)
		if (features >> insn_rows[i].feature & 1)
			add_row(set, i, &buckets[i], end, true);
	return true;
}

struct insn_set *insn_set_new(u32 features)
{
	struct insn_set *set = calloc(1, sizeof(*set));

	if (!set)
		return NULL;
	set->pattern = calloc(insn_row_count, sizeof(*set->pattern));
	set->fixed = calloc(insn_row_count, sizeof(*set->fixed));
	if (!set->pattern || !set->fixed || !fill(set, features)) {
		insn_set_free(set);
		return NULL;
	}
	return set;
}

void insn_set_free(struct insn_set *set)
{
	if (set) {
		free(set->list);
		free(set->pattern);
		free(set->fixed);
	}
	free(set);
}

static const struct insn_pattern *parsed(const struct insn_set *set, unsigned row)
{
	struct insn_pattern *p = &set->pattern[row];

	if (!p->length) {
		insn_parse(&insn_rows[row], p);
		set->fixed[row] = (struct fixed){ p->mask, p->value };
	}
	return p;
}

void insn_set_complete(const struct insn_set *set)
{
	for (unsigned i = 0; i < insn_row_count; i++)
		parsed(set, i);
}

const struct insn_row *insn_find(const struct insn_set *set, u32 encoding, unsigned length, bool in_it)
{
	const u32 *first = &set->first[length == 4][bucket_of(encoding, length)];

	for (u32 i = first[0]; i < first[1]; i++) {
		const unsigned row = set->list[i];
		const struct fixed *fixed = &set->fixed[row];

		if ((encoding & fixed->mask) != fixed->value)
			continue;

		const struct insn_pattern *p = parsed(set, row);
		if ((p->it < 0 || p->it == in_it) && insn_matches(p, encoding))
			return &insn_rows[row];
	}
	return NULL;
}

const struct insn_pattern *insn_pattern_of(const struct insn_set *set, const struct insn_row *row)
{
	return parsed(set, (unsigned)(row - insn_rows));
}
