/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the timing model as it was called once, with other constants: replay [NAME=VALUE]... FILE... prints each file's
 * cycles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/npu/calibration/stream.h"

#define CONSTANT(name, value) unsigned long name = value;
#include "npu/timing/constants.def"
#undef CONSTANT

static const struct { const char *name; unsigned long *value; } constants[] = {
#define CONSTANT(name, value) { #name, &name },
#include "npu/timing/constants.def"
#undef CONSTANT
};

static bool set(const char *word)
{
	const size_t length = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_LEN(constants); i++)
		if (strlen(constants[i].name) == length && !strncmp(constants[i].name, word, length)) {
			*constants[i].value = strtoul(word + length + 1, NULL, 0);
			return true;
		}
	return false;
}

static u64 replay(FILE *f)
{
	static struct stream_op s;
	struct npu_timing t = { 0 };
	struct npu_cost cost;
	struct stream_wait w;
	u64 cycles = 0;
	int call;

	while ((call = fgetc(f)) != EOF) {
		if (call == STREAM_START) {
			npu_timing_start(&t);
		} else if (call == STREAM_WAIT && fread(&w, sizeof w, 1, f) == 1) {
			npu_timing_wait(&t, w.dma, w.n);
		} else if (call == STREAM_OP && fread(&s, sizeof s, 1, f) == 1) {
			npu_timing_op(&t, NULL, &s.config, &s.ports, &s.op, s.bytes, &cost);
			cycles += cost.cycles;
		}
	}
	return cycles;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *f;

		if (strchr(argv[i], '=')) {
			if (set(argv[i]))
				continue;
			fprintf(stderr, "there is no constant %s\n", argv[i]);
			return 1;
		}
		f = fopen(argv[i], "rb");
		if (!f) {
			perror(argv[i]);
			return 1;
		}
		printf("%lu\n", (unsigned long)replay(f));
		fclose(f);
	}
	return 0;
}
