/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/disasm/objdump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_one(FILE *f, struct sample *s, u32 *pc)
{
	if (s->context == SAMPLE_IN_IT) {
		fprintf(f, ".inst.n 0xbf08\n"); /* it eq */
		*pc += 2;
	} else if (s->context == SAMPLE_IN_VPT) {
		fprintf(f, ".inst.w 0xfe710f4d\n"); /* vpst */
		*pc += 4;
	}
	s->pc = *pc;
	fprintf(f, s->length == 4 ? ".inst.w 0x%08x\n" : ".inst.n 0x%04x\n", s->encoding);
	*pc += s->length;
	if (s->context == SAMPLE_OPENS) {
		fprintf(f, ".rept 4\n.inst.n 0xbf00\n.endr\n.rept 4\n.inst.w 0xef000150\n.endr\n"); /* vand */
		*pc += 24;
	}
}

/* Cuts "\t@ ...", "\t; ..." and " <symbol>" off, and blanks at the end. */
static void cut_comments(char *text)
{
	static const char *const marks[] = {"\t@", "\t;", " @", " ;"};

	for (char *open; (open = strstr(text, " <")) != NULL && strchr(open, '>');) {
		char *close = strchr(open, '>') + 1;
		memmove(open, close, strlen(close) + 1);
	}
	for (unsigned i = 0; i < ARRAY_LEN(marks); i++) {
		char *at = strstr(text, marks[i]);
		if (at && at != text)
			*at = 0;
	}
	for (size_t n = strlen(text); n && strchr(" \t\n", text[n - 1]); n--)
		text[n - 1] = 0;
}

/* Lines read "   c:\tf8df f004 \tldr.w\tpc, [pc, #4]\t@ ...", in order of address. */
static void read_listing(FILE *f, struct sample *samples, unsigned count)
{
	char line[256];
	unsigned next = 0;

	while (next < count && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');
		if (!colon || colon[1] != '\t')
			continue;
		u32 address = (u32)strtoul(line, NULL, 16);
		char *text = strchr(colon + 2, '\t');
		if (!text)
			continue;
		while (next < count && samples[next].pc < address)
			next++;
		if (next < count && samples[next].pc == address) {
			snprintf(samples[next].text, sizeof(samples[next].text), "%s", text + 1);
			/* An unknown encoding is all comment: keep it. */
			if (!strstr(text, "UNDEFINED"))
				cut_comments(samples[next].text);
			next++;
		}
	}
}

static bool list_samples(struct sample *samples, unsigned count)
{
	char dir[] = "/tmp/fvp-sim-objdump-XXXXXX";
	char path[64], command[256];
	u32 pc = 0;

	if (!mkdtemp(dir))
		return false;
	snprintf(path, sizeof(path), "%s/a.s", dir);
	FILE *f = fopen(path, "w");
	fprintf(f, ".syntax unified\n.arch armv8.1-m.main\n.arch_extension dsp\n"
		".arch_extension mve.fp\n.arch_extension fp.dp\n.thumb\n.text\n");
	for (unsigned i = 0; i < count; i++)
		write_one(f, &samples[i], &pc);
	fclose(f);
	snprintf(command, sizeof(command), "arm-none-eabi-as -o %s/a.o %s/a.s >&2 && "
		 "arm-none-eabi-objdump -d -marmv8.1-m.main %s/a.o 2>&1", dir, dir, dir);
	f = popen(command, "r");
	read_listing(f, samples, count);
	bool ok = pclose(f) == 0;
	snprintf(path, sizeof(path), "%s/a.s", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/a.o", dir);
	unlink(path);
	rmdir(dir);
	return ok;
}

int objdump_missing(void)
{
	enum { SKIPPED = 77 }; /* meson's */

	printf("skipped: there is no arm-none-eabi-objdump, or no arm-none-eabi-as\n");
	return SKIPPED;
}

bool objdump_samples(struct sample *samples, unsigned count)
{
	if (count == 0 || list_samples(samples, count))
		return true;
	/* objdump has assertions that some encodings trip: find them. */
	if (count == 1) {
		snprintf(samples->text, sizeof(samples->text), "OBJDUMP STOPS");
		return system("arm-none-eabi-objdump --version >/dev/null 2>&1") == 0;
	}
	return objdump_samples(samples, count / 2) && objdump_samples(samples + count / 2, count - count / 2);
}
