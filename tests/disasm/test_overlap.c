/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that can match the same encoding: allowed only where the table's order is meant to decide,
 * which is written down here. Exit: 0 as expected, 1 not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/insn/encode.h"

#define TRIES 400

/* Earlier row (a special case) and the later one it is cut out of. "*": any id with that start. */
static struct { const char *special, *general; unsigned used; } allowed[] = {
#include "tests/disasm/overlap.def"
};

static bool matches(const char *pattern, const char *id)
{
	size_t n = strlen(pattern);
	return n && pattern[n - 1] == '*' ? !strncmp(pattern, id, n - 1) : !strcmp(pattern, id);
}

static bool is_allowed(const char *special, const char *general)
{
	for (unsigned i = 0; i < ARRAY_LEN(allowed); i++) {
		if (matches(allowed[i].special, special) && matches(allowed[i].general, general)) {
			allowed[i].used++;
			return true;
		}
	}
	return false;
}

/* Does the fixed part leave room for both? */
static bool can_meet(const struct insn_pattern *a, const struct insn_pattern *b)
{
	return a->length == b->length && ((a->value ^ b->value) & a->mask & b->mask) == 0 &&
	       (a->it < 0 || b->it < 0 || a->it == b->it);
}

static u32 random_bits(const struct insn_pattern *p, struct insn_random *r)
{
	u32 width = p->length == 4 ? 0xffffffffu : 0xffff;
	return (p->value | (insn_random_u32(r) & ~p->mask)) & width;
}

/* Looks for an encoding that satisfies both rows with their constraints. */
static bool overlap(const struct insn_pattern *a, const struct insn_pattern *b, struct insn_random *r)
{
	for (unsigned i = 0; i < TRIES; i++) {
		u32 e = random_bits(a, r);
		e = (e & ~b->mask) | (b->value & b->mask) | (e & b->mask & a->mask);
		if (insn_matches(a, e) && insn_matches(b, e))
			return true;
	}
	return false;
}

int main(void)
{
	struct insn_set *set = insn_set_new((1u << FEAT_COUNT) - 1);
	struct insn_random random = {3};
	unsigned pairs = 0, bad = 0;

	for (unsigned i = 0; i < insn_row_count; i++) {
		for (unsigned k = i + 1; k < insn_row_count; k++) {
			const struct insn_pattern *a = insn_pattern_of(set, &insn_rows[i]);
			const struct insn_pattern *b = insn_pattern_of(set, &insn_rows[k]);
			if (!can_meet(a, b) || !overlap(a, b, &random))
				continue;
			pairs++;
			if (!is_allowed(insn_rows[i].id, insn_rows[k].id)) {
				printf("\t{\"%s\", \"%s\", 0},\n", insn_rows[i].id, insn_rows[k].id);
				bad++;
			}
		}
	}
	for (unsigned i = 0; i < ARRAY_LEN(allowed); i++)
		if (!allowed[i].used) {
			printf("%s over %s: entry is not used\n", allowed[i].special, allowed[i].general);
			bad++;
		}
	printf("%u overlapping pairs, %u not allowed or stale\n", pairs, bad);
	insn_set_free(set);
	return bad != 0;
}
