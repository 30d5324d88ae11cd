/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the instruction table, with random operands, must read as objdump prints it.
 * Usage: test_rows [samples per row] [row id]. Exit: 0 equal, 1 differences, 77 no tool chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/disasm/disasm.h"
#include "cpu/insn/encode.h"
#include "tests/disasm/objdump.h"

/* What objdump 2.40 itself prints wrong, or differently for a reason. Rows by the start of their
 * id; the text must hold `needle` on objdump's side. Each entry must be needed. */
static struct { const char *id, *needle, *reason; unsigned used; } known[] = {
	{"LDR", "t\t", "literal with U = 0 taken for an unprivileged load", 0},
	{"LDR", "teq\t", "literal with U = 0 taken for an unprivileged load", 0},
	{"PLDW_lit", "pldw", "printed as an LDRH of PC when U = 0 only", 0},
	{"PLH_lit", "ldrsht", "as LDR*_lit", 0},
	{"VLLDM", "UNDEFINED", "T2 is not known", 0},
	{"VLSTM", "UNDEFINED", "T2 is not known", 0},
	{"VLD", "fldmiax", "deprecated odd lists have their own name", 0},
	{"VST", "fstmiax", "deprecated odd lists have their own name", 0},
	{"VLDMDB_D", "fldmdbx", "as above", 0},
	{"VSTMDB_D", "fstmdbx", "as above", 0},
	{"VLDR_", "#-0]", "a zero offset loses its !", 0},
	{"VSTR_", "#-0]", "a zero offset loses its !", 0},
	{"VLDR_", "]", "a zero post-index offset is left out", 0},
	{"VSTR_", "]", "a zero post-index offset is left out", 0},
	{"VCVT_h_fix", "UNDEFINED", "16-bit fixed point of half precision is not known", 0},
	{"VCVT_fix_h", "UNDEFINED", "16-bit fixed point of half precision is not known", 0},
	{"VQABS", ", q", "prints a third register", 0},
	{"VQSHRN", "#", "prints the encoded in place of the real shift", 0},
	{"VQRSHRN", "#", "prints the encoded in place of the real shift", 0},
	{"VQSHRUN", "#", "prints the encoded in place of the real shift", 0},
	{"VQRSHRUN", "#", "prints the encoded in place of the real shift", 0},
	{"BFX", "UNDEFINED", "wrong mask: odd branch points are not known", 0},
	{"BFLX", "UNDEFINED", "wrong mask: odd branch points are not known", 0},
	{"MRS", "", "registers of other profiles", 0},
	{"MSR", "", "registers of other profiles", 0},
};

static bool is_known(const char *id, const char *theirs)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		if (!strncmp(known[i].id, id, strlen(known[i].id)) && strstr(theirs, known[i].needle)) {
			known[i].used++;
			return true;
		}
	}
	return false;
}

/* Operands that are UNPREDICTABLE and printed anyhow: register lists beyond the end, more fraction
 * bits than bits; and rows that stand for no instruction. */
static bool is_senseless(const struct insn_set *set, const struct insn_row *row, u32 encoding)
{
	struct slot s = {0};
	struct fields f;
	struct insn_at at = {.length = 4};

	if (row->syntax[0] == '<')
		return true;
	insn_fields(insn_pattern_of(set, row), encoding, &f);
	if (!strcmp(row->id, "BFCSEL") && f.v['c'] >= 14)
		return true;
	row->form(&s, &f, &at);
	if (strstr(row->syntax, "slist") || strstr(row->syntax, "dlist") || strstr(row->syntax, "clrm_"))
		return s.d == 0;
	return strstr(row->syntax, "{fbits}") && (f.v['i'] << 1 | f.v['j']) > (f.v['z'] ? 32u : 16u);
}

/* Short lists, which mostly fit. */
static i32 short_lists(void *ctx, char letter, unsigned width)
{
	struct insn_random *r = ctx;
	return letter == 'i' ? (i32)insn_random_below(r, 16) : -1;
}

/* A zero offset of an FP or MVE access, which objdump prints in its own way. */
static i32 zero_immediate(void *ctx, char letter, unsigned width)
{
	(void)ctx, (void)width;
	return letter == 'i' ? 0 : -1;
}

static bool encode_sample(const struct insn_set *set, const struct insn_row *row, struct insn_random *random,
			  unsigned k, u32 *encoding)
{
	bool list = strstr(row->syntax, "slist") || strstr(row->syntax, "dlist");

	if (k < 4 && row->id[0] == 'V' && insn_encode(set, row, random, zero_immediate, NULL, encoding))
		return true;
	return insn_encode(set, row, random, list ? short_lists : NULL, random, encoding);
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
	if (!strcmp(ours, s->text) || is_known(row->id, s->text))
		return true;
	printf("%-24s %0*x  ours: %-40s objdump: %s\n", row->id, s->length * 2, s->encoding, ours, s->text);
	return false;
}

int main(int argc, char **argv)
{
	unsigned each = argc > 1 ? (unsigned)atoi(argv[1]) : 120;
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
			if (!encode_sample(set, row, &random, k, &s->encoding)) {
				printf("%-24s no encoding found\n", row->id);
				unreached++;
				break;
			}
			if (is_senseless(set, row, s->encoding))
				continue;
			s->length = p->length;
			s->context = (u8)context_of(row, p, k);
			rows[count++] = row;
		}
	}
	if (!objdump_samples(samples, count))
		return objdump_missing();
	for (unsigned i = 0, seen = 0; i < count; i++) {
		if (i == 0 || rows[i] != rows[i - 1])
			seen = 0;
		if (!compare(set, rows[i], &samples[i])) {
			bad++;
			bad_rows += !seen++;
		}
	}
	for (unsigned i = 0; i < ARRAY_LEN(known) && argc < 3; i++)
		if (!known[i].used) {
			printf("%s, %s: exception not needed\n", known[i].id, known[i].reason);
			bad++;
		}
	printf("%u rows, %u samples, %u differences in %u rows, %u rows without an encoding\n",
	       insn_row_count, count, bad, bad_rows, unreached);
	free(samples);
	free(rows);
	insn_set_free(set);
	return bad || unreached;
}
