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

struct insn_set {
	struct insn_pattern pattern[ARRAY_LEN(insn_rows)];
	u16 *list;              /* row numbers, bucket after bucket */
	u32 first[2][BUCKETS + 1]; /* [length 4] */
};

static unsigned bucket_of(u32 encoding, unsigned length)
{
	return length == 4 ? encoding >> 21 & 0xff : encoding >> 8 & 0xff;
}

static bool in_bucket(const struct insn_pattern *p, unsigned bucket)
{
	unsigned shift = p->length == 4 ? 21 : 8;
	return ((bucket << shift ^ p->value) & p->mask & 0xffu << shift) == 0;
}

static u32 fill(struct insn_set *set, u32 features, unsigned length, u16 *list, u32 at)
{
	for (unsigned b = 0; b < BUCKETS; b++) {
		set->first[length == 4][b] = at;
		for (unsigned i = 0; i < insn_row_count; i++) {
			const struct insn_pattern *p = &set->pattern[i];
			if (p->length != length || !(features >> insn_rows[i].feature & 1) ||
			    !in_bucket(p, b))
				continue;
			if (list)
				list[at] = (u16)i;
			at++;
		}
	}
	set->first[length == 4][BUCKETS] = at;
	return at;
}

struct insn_set *insn_set_new(u32 features)
{
	struct insn_set *set = calloc(1, sizeof(*set));
	if (!set)
		return NULL;
	for (unsigned i = 0; i < insn_row_count; i++)
		insn_parse(&insn_rows[i], &set->pattern[i]);
	u32 total = fill(set, features, 4, NULL, fill(set, features, 2, NULL, 0));
	set->list = malloc((total + 1) * sizeof(u16));
	if (!set->list) {
		free(set);
		return NULL;
	}
	fill(set, features, 4, set->list, fill(set, features, 2, set->list, 0));
	return set;
}

void insn_set_free(struct insn_set *set)
{
	if (set)
		free(set->list);
	free(set);
}

const struct insn_row *insn_find(const struct insn_set *set, u32 encoding, unsigned length, bool in_it)
{
	const u32 *first = &set->first[length == 4][bucket_of(encoding, length)];

	for (u32 i = first[0]; i < first[1]; i++) {
		const struct insn_pattern *p = &set->pattern[set->list[i]];
		if ((p->it < 0 || p->it == in_it) && insn_matches(p, encoding))
			return &insn_rows[set->list[i]];
	}
	return NULL;
}

const struct insn_pattern *insn_pattern_of(const struct insn_set *set, const struct insn_row *row)
{
	return &set->pattern[row - insn_rows];
}
