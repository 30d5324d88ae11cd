/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams: the decoders of all levels of this host must agree with the plain one on every input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "npu/kernels/weights/weights.h"
#include "tests/fuzz/fuzz.h"

enum { CAPACITY = 1 << 18 };

/* The plain decoder's answer. */
static struct answer {
	enum npu_weights_status status;
	size_t count;
	i16 weights[CAPACITY];
} plain;

static void compare(npu_weights_next_fn *next, const u8 *padded, size_t size)
{
	static struct npu_weights_tables tables;
	static i16 weights[CAPACITY];
	size_t count = 0;

	npu_weights_tables_init(&tables);
	const enum npu_weights_status status = npu_weights_decode(NULL, next, &tables, padded, (u32)size, weights, CAPACITY, &count);
	if (status != plain.status ||
	    (status == NPU_WEIGHTS_OK && (count != plain.count || memcmp(plain.weights, weights, count * sizeof *weights) != 0))) {
		fprintf(stderr, "decoders differ\n");
		abort();
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct npu_simd *levels[8];
	const unsigned count = npu_simd_list(levels);
	u8 *padded = calloc(1, size + NPU_WEIGHTS_SLACK);

	if (!padded)
		return 0;
	memcpy(padded, data, size);
	plain.count = 0;
	plain.status = npu_weights_decode_plain(NULL, data, (u32)size, plain.weights, CAPACITY, &plain.count);
	for (unsigned i = 0; i < count; i++)
		if (i == 0 || levels[i]->next != levels[i - 1]->next)
			compare(levels[i]->next, padded, size);
	free(padded);
	return 0;
}

/* The streams of the format's description: palettes, zero runs, uncompressed slices. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const u8 streams[][32] = {
		{ 0x3e, 0x00, 0x64, 0x50, 0x04, 0xaf, 0x34, 0x72, 0x04, 0x53, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff },
		{ 0x0b, 0x00, 0x5c, 0x13, 0x72, 0x1b, 0x64, 0xe2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
		{ 0x4e, 0x00, 0x68, 0x90, 0xfc, 0xef, 0x5f, 0xab, 0x19, 0x08, 0x28, 0x84, 0x21, 0x00, 0xc0, 0x2d,
		  0x58, 0x84, 0xd2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
		{ 0x01, 0x00, 0x40, 0x00, 0x10, 0x00, 0x1e, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
		{ 0x2e, 0x00, 0x64, 0x50, 0xfe, 0xdf, 0x7f, 0x40, 0x7f, 0x02, 0x00, 0xcc, 0x00, 0x6b, 0xff, 0xff },
	};

	if (index >= ARRAY_LEN(streams))
		return 0;
	memcpy(out, streams[index], sizeof streams[index]);
	return index == 2 ? 32 : 16;
}
