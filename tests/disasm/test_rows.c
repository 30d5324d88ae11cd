/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the instruction table, with random operands, must read as objdump prints it.
 * Usage: test_rows [samples per row] [row id]. Exit: 0 equal, 1 differences, 77 no tool chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/disasm/disasm.h"
#include "cpu/insn/encode.h"
#include "tests/disasm/objdump.h"

/* Rows that objdump 2.40 itself prints wrong or does not know. Each entry must be needed. */
static struct { const char *id, *reason; unsigned used; } known[] = {
	{"", "", 1},
};

static bool is_known(const char *id)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		if (!strcmp(known[i].id, id)) {
			known[i].used++;
			return true;
		}
	}
	return false;
}

static enum sample_context context_of(const struct insn_row *row, const struct insn_pattern *p, unsigned k)
{
	if (p->it == 1)
		return SAMPLE_IN_IT;
	if (strstr(row->syntax, "{vp}") && k % 4 == 3)
		return SAMPLE_IN_VPT;
	if (p->it < 0 && strstr(row->syntax, "{c}") && k % 4 == 3)
		return SAMPLE_IN_IT;
	if (!strncmp(row->syntax, "{it}", 4) || !strncmp(row->syntax, "vpt", 3) ||
	    !strncmp(row->syntax, "vpst", 4))
		return SAMPLE_OPENS;
	return SAMPLE_PLAIN;
}

static bool compare(const struct insn_set *set, const struct insn_row *row, const struct sample *s)
{
	char ours[128];
	const char *cond = s->context == SAMPLE_IN_IT ? "eq" : NULL;
	const char *vpt = s->context == SAMPLE_IN_VPT ? "t" : "";

	disasm_text(set, s->pc, s->encoding, s->length, cond, vpt, ours, sizeof(ours));
	char *comment = strstr(ours, "\t@");
	if (comment)
		*comment = 0;
	if (!strcmp(ours, s->text) || is_known(row->id))
		return true;
	printf("%-24s %0*x  ours: %-40s objdump: %s\n", row->id, s->length * 2, s->encoding, ours, s->text);
	return false;
}

int main(int argc, char **argv)
{
	unsigned each = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
	struct insn_set *set = insn_set_new((1u << FEAT_COUNT) - 1);
	struct sample *samples = calloc((size_t)insn_row_count * each, sizeof(*samples));
	const struct insn_row **rows = calloc((size_t)insn_row_count * each, sizeof(*rows));
	struct insn_random random = {1};
	unsigned count = 0, bad = 0, bad_rows = 0, unreached = 0;

	for (unsigned i = 0; i < insn_row_count; i++) {
		const struct insn_row *row = &insn_rows[i];
		const struct insn_pattern *p = insn_pattern_of(set, row);
		if (argc > 2 && strcmp(argv[2], row->id))
			continue;
		for (unsigned k = 0; k < each; k++) {
			struct sample *s = &samples[count];
			if (!insn_encode(set, row, &random, NULL, NULL, &s->encoding)) {
				printf("%-24s no encoding found\n", row->id);
				unreached++;
				break;
			}
			s->length = p->length;
			s->context = (u8)context_of(row, p, k);
			rows[count++] = row;
		}
	}
	if (!objdump_samples(samples, count))
		return 77;
	for (unsigned i = 0, seen = 0; i < count; i++) {
		if (i == 0 || rows[i] != rows[i - 1])
			seen = 0;
		if (!compare(set, rows[i], &samples[i])) {
			bad++;
			bad_rows += !seen++;
		}
	}
	for (unsigned i = 0; i < ARRAY_LEN(known) && argc < 3; i++)
		if (!known[i].used)
			printf("%s: exception no longer needed\n", known[i].id), bad++;
	printf("%u rows, %u samples, %u differences in %u rows, %u rows without an encoding\n",
	       insn_row_count, count, bad, bad_rows, unreached);
	free(samples);
	free(rows);
	insn_set_free(set);
	return bad || unreached;
}
