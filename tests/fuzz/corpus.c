/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAX_PACKED = 1 << 20, MAX_BYTES = 16 << 20, MAX_INPUTS = 1 << 14 };

static u8 bytes[MAX_BYTES];
static struct { u32 at, size; } inputs[MAX_INPUTS];
static unsigned count;

/* All of the file, unpacked; returns the size. */
static size_t unpack(FILE *f)
{
	static u8 packed[MAX_PACKED];
	const size_t size = fread(packed, 1, sizeof packed, f);
	const size_t unpacked = ZSTD_decompress(bytes, sizeof bytes, packed, size);

	return ZSTD_isError(unpacked) ? 0 : unpacked;
}

/* The input whose size stands at `at`; returns the place behind it, 0 if there is no such input. */
static size_t add_input(size_t at, size_t end)
{
	size_t size = 0;

	for (; at < end && bytes[at] >= '0' && bytes[at] <= '9' && size <= FUZZ_MAX_BYTES; at++)
		size = 10 * size + bytes[at] - '0';
	if (at == end || bytes[at] != '\n' || !size || size > FUZZ_MAX_BYTES || size > end - at - 1 || count == MAX_INPUTS)
		return 0;
	inputs[count].at = (u32)at + 1;
	inputs[count++].size = (u32)size;
	return at + 1 + size;
}

unsigned corpus_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	const size_t end = f ? unpack(f) : 0;
	size_t at = 0;

	if (!f) {
		perror(path);
		return 0;
	}
	fclose(f);
	do
		at = add_input(at, end);
	while (at && at < end);
	if (!at) {
		fprintf(stderr, "%s is damaged: tests/fuzz/corpus.sh makes it again\n", path);
		exit(1);
	}
	return count;
}

size_t corpus_input(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	memcpy(out, bytes + inputs[index].at, inputs[index].size);
	return inputs[index].size;
}
