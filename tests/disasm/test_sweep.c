/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding space against objdump: what we take for an instruction must be one for objdump, as
 * far as the bits are as they should be (cores ignore those, objdump does not). All 16-bit
 * encodings, random 32-bit ones, and each row's neighbours (one bit flipped).
 *
 * The other way round objdump knows more than this core: instructions of other profiles, and
 * UNPREDICTABLE operands (SP, PC, equal registers), which are undefined here. What the assembler
 * takes for an instruction of Armv8.1-M is looked at: it must be one of the kinds below.
 * Usage: test_sweep [32-bit samples]. Exit: 0 agree, 1 not, 77 no tool chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/disasm/disasm.h"
#include "cpu/insn/encode.h"
#include "tests/disasm/assembler.h"

#define CHUNK 4096

/* Rows that objdump 2.40 does not know in full. Each entry must be needed. */
static struct { const char *id, *reason; unsigned used; } known[] = {
	{"VCVT_h_fix", "16-bit fixed point of half precision", 0},
	{"VCVT_fix_h", "16-bit fixed point of half precision", 0},
	{"BF", "odd branch points", 0},
	{"VLLDM", "T2", 0},
	{"VLSTM", "T2", 0},
};

/* What the assembler accepts and no row takes: start of the text, a part of it. */
static const struct { const char *start, *part, *reason; } refused[] = {
	{"ldrd\t", "", "UNPREDICTABLE: twice the same register"},
	{"strex", "", "UNPREDICTABLE: status into the register that is stored"},
	{"stlex", "", "UNPREDICTABLE: status into the register that is stored"},
	{"umull\t", "", "UNPREDICTABLE: both results in one register"},
	{"umlal\t", "", "UNPREDICTABLE: both results in one register"},
	{"umaal\t", "", "UNPREDICTABLE: both results in one register"},
	{"smull\t", "", "UNPREDICTABLE: both results in one register"},
	{"smlal", "", "UNPREDICTABLE: both results in one register"},
	{"smlsld", "", "UNPREDICTABLE: both results in one register"},
	{"pl", "[", "UNPREDICTABLE: LDRB or LDRSB of PC with write-back, which objdump takes for a hint"},
	{"mov.w\t", "sp", "UNPREDICTABLE: SP shifted, or as the result of a shift"},
	{"c", ", al", "UNPREDICTABLE: condition AL"},
	{"lda", "\tsp", "UNPREDICTABLE: SP loaded"},
	{"stl", "\tsp", "UNPREDICTABLE: SP stored"},
	{"add\tpc, pc", "", "UNPREDICTABLE"},
	{"bxns\tsp", "", "UNPREDICTABLE"},
	{"blxns\tsp", "", "UNPREDICTABLE"},
	{"vmov", "sp", "UNPREDICTABLE: SP as a core register"},
	{"vmov", "pc", "UNPREDICTABLE: PC as a core register"},
	{"vmov", ", s", "UNPREDICTABLE: twice the same core register"},
	{"vmov", "d", "UNDEFINED: D16 to D31"},
	{"vstm", "pc", "UNPREDICTABLE: PC as the base"},
	{"vldm", "pc", "UNPREDICTABLE: PC as the base"},
	{"vm", "fpsid", "not of this profile"},
	{"vm", "fpexc", "not of this profile"},
	{"vm", "fpinst", "not of this profile"},
	{"vm", "mvfr", "not of this profile: mapped into memory"},
	{"setend\t", "", "not of this profile"},
};

static bool is_refused(const char *text)
{
	for (unsigned i = 0; i < ARRAY_LEN(refused); i++)
		if (!strncmp(refused[i].start, text, strlen(refused[i].start)) && strstr(text, refused[i].part))
			return true;
	return false;
}

/* Returns the number of instructions among those that only objdump knows which a row should take. */
static unsigned missing_rows(const struct sample *more, unsigned count)
{
	bool *valid = calloc(count + 1, sizeof(*valid));
	unsigned missing = 0;

	if (!assembler_accepts(more, count, valid)) {
		printf("arm-none-eabi-as fails\n");
		exit(1);
	}
	for (unsigned i = 0; i < count; i++) {
		if (!valid[i] || is_refused(more[i].text))
			continue;
		missing++;
		printf("%0*x  no row: %s\n", more[i].length * 2, more[i].encoding, more[i].text);
	}
	free(valid);
	return missing;
}

static bool is_known(const char *id)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		if (!strncmp(known[i].id, id, strlen(known[i].id))) {
			known[i].used++;
			return true;
		}
	}
	return false;
}

/* Are all ignored bits of the encoding as they should be? */
static bool is_proper(const struct insn_pattern *p, u32 encoding)
{
	u32 fixed = p->mask;

	for (unsigned i = 0; i < p->field_count; i++)
		fixed |= p->field[i].mask;
	u32 ignored = (p->length == 4 ? ~0u : 0xffffu) & ~fixed;
	return (encoding & ignored) == (p->should_be_one & ignored);
}

static unsigned add_wide(struct sample *samples, unsigned at, u32 encoding)
{
	if (insn_is_wide((u16)(encoding >> 16)))
		samples[at++] = (struct sample){.encoding = encoding, .length = 4, .context = SAMPLE_OPENS};
	return at;
}

static unsigned fill(const struct insn_set *set, struct sample *samples, unsigned random_count)
{
	struct insn_random random = {7};
	unsigned count = 0;

	for (u32 e = 0; e < 0xe800; e++)
		samples[count++] = (struct sample){.encoding = e, .length = 2, .context = SAMPLE_OPENS};
	for (unsigned i = 0; i < random_count; i++)
		count = add_wide(samples, count, 0xe8000000u + insn_random_below(&random, 0x18000000));
	for (unsigned i = 0; i < insn_row_count; i++) {
		u32 e;
		if (insn_pattern_of(set, &insn_rows[i])->length != 4 ||
		    !insn_encode(set, &insn_rows[i], &random, NULL, NULL, &e))
			continue;
		for (unsigned bit = 0; bit < 29; bit++)
			count = add_wide(samples, count, e ^ 1u << bit);
	}
	return count;
}

int main(int argc, char **argv)
{
	unsigned random_count = argc > 1 ? (unsigned)atoi(argv[1]) : 20000;
	struct insn_set *set = insn_set_new((1u << FEAT_COUNT) - 1);
	struct sample *samples = calloc(0x10000 + random_count + insn_row_count * 29, sizeof(*samples));
	unsigned count = fill(set, samples, random_count), bad = 0, more = 0;

	for (unsigned i = 0; i < count; i += CHUNK)
		if (!objdump_samples(samples + i, count - i < CHUNK ? count - i : CHUNK))
			return objdump_missing();
	for (unsigned i = 0; i < count; i++) {
		const struct sample kept = samples[i], *s = &kept;
		const struct insn_row *row = insn_find(set, s->encoding, s->length, false);
		bool theirs = !strstr(s->text, "UNDEFINED");
		bool ours = row && row->syntax[0] != '<' && strncmp(row->id, "UDF", 3);
		/* Of coprocessor instructions only those of the FP coprocessor are of interest. */
		bool other = row && row->syntax[0] == '<' && s->text[0] != 'v';
		if (theirs && !ours && !other && strncmp(s->text, "udf", 3))
			samples[more++] = *s;
		if (!ours || theirs || !strcmp(s->text, "OBJDUMP STOPS") ||
		    !is_proper(insn_pattern_of(set, row), s->encoding) || is_known(row->id))
			continue;
		bad++;
		printf("%0*x  ours: %-20s objdump: %s\n", s->length * 2, s->encoding, row->id, s->text);
	}
	bad += missing_rows(samples, more);
	for (unsigned i = 0; i < ARRAY_LEN(known); i++)
		if (!known[i].used) {
			printf("%s, %s: exception not needed\n", known[i].id, known[i].reason);
			bad++;
		}
	printf("%u encodings, %u differences; %u that only objdump knows\n", count, bad, more);
	free(samples);
	insn_set_free(set);
	return bad != 0;
}
