/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding space against objdump: an encoding is an instruction for us exactly if it is one
 * for objdump. All 16-bit encodings, random 32-bit ones, and each row's neighbours (one bit
 * flipped). Usage: test_sweep [32-bit samples]. Exit: 0 agree, 1 not, 77 no tool chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/disasm/disasm.h"
#include "cpu/insn/encode.h"
#include "tests/disasm/objdump.h"

/* Encodings on which we differ from objdump on purpose. Each entry must be needed. */
static struct { u32 mask, value; u8 length; const char *reason; unsigned used; } known[] = {
	{0, 1, 4, "", 1},
};

static bool is_known(const struct sample *s)
{
	for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].length == s->length && (s->encoding & known[i].mask) == known[i].value) {
			known[i].used++;
			return true;
		}
	}
	return false;
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
	unsigned count = fill(set, samples, random_count), bad = 0;

	if (!objdump_samples(samples, count))
		return 77;
	for (unsigned i = 0; i < count; i++) {
		const struct sample *s = &samples[i];
		const struct insn_row *row = insn_find(set, s->encoding, s->length, false);
		bool theirs = !strstr(s->text, "UNDEFINED");
		bool ours = row && strncmp(row->id, "UDF", 3) && strncmp(row->id, "NOCP", 4);
		if (ours == theirs || is_known(s))
			continue;
		if (bad++ < 200)
			printf("%0*x  ours: %-20s objdump: %s\n", s->length * 2, s->encoding,
			       row ? row->id : "-", s->text);
	}
	for (unsigned i = 0; i < ARRAY_LEN(known); i++)
		if (!known[i].used)
			printf("%s: exception no longer needed\n", known[i].reason), bad++;
	printf("%u encodings, %u differences\n", count, bad);
	free(samples);
	insn_set_free(set);
	return bad != 0;
}
