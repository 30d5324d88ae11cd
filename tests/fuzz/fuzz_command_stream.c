/* SPDX-License-Identifier: Apache-2.0 */
/* Command streams: the fast host code and the generic path must end alike and leave the same
 * memory. Input: a byte that chooses the accelerator, then the stream; memory holds the input
 * over and over, so that weights and tables are arbitrary too. The fast code does the job again and again, as it does what it knows
 * in another way. An OFM that lies on itself is
 * exempt: which element lands last is not defined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npu/view.h"
#include "tests/fuzz/npu_seed.h"

#define BASE 0x10000000u

enum { BYTES = 1 << 17, TIMES = 4 };

struct arena {
	u8 *stream;
	u32 stream_bytes;
	u8 memory[BYTES];
	u8 written[BYTES]; /* by the present operation */
	bool overlap;      /* an operation wrote a byte twice */
};

static u8 *span(void *ctx, u64 addr, u64 size, bool write)
{
	struct arena *a = ctx;
	u64 at = addr - BASE;

	if (at <= BYTES && size <= BYTES - at)
		return a->memory + at;
	at = addr - 2 * (u64)BASE;
	return !write && at <= a->stream_bytes && size <= a->stream_bytes - at ? a->stream + at : NULL;
}

/* The stream. */
static u64 constant(void *ctx, u64 addr)
{
	const struct arena *a = ctx;
	const u64 at = addr - 2 * (u64)BASE;

	return at < a->stream_bytes ? a->stream_bytes - at : 0;
}

static void mark(struct arena *a, const struct npu_fm *fm, u32 y, u32 x, u32 c)
{
	unsigned t = npu_tile_of(fm, &y, &x);
	u64 at = fm->base[t] + (u64)npu_offset_of(fm, y, x, c) - BASE;

	for (u64 i = at; i < at + fm->bytes && i < BYTES; i++) {
		a->overlap |= a->written[i];
		a->written[i] = 1;
	}
}

static void look_for_overlap(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct arena *a = ctx;
	const struct npu_fm *fm = npu_stored(op);

	if (op->kind == NPU_DMA || !fm->used)
		return;
	memset(a->written, 0, BYTES);
	for (u32 y = 0; y < fm->height; y++)
		for (u32 x = 0; x < fm->width; x++)
			for (u32 c = 0; c < fm->depth; c++)
				mark(a, fm, y, x, c);
}

/* Not at memory. */
static bool looks(void *ctx)
{
	(void)ctx;
	return false;
}

static enum npu_end run(struct arena *a, const struct npu_config *config, const char *simd, unsigned times)
{
	struct npu_options o = { .config = config, .memory = { .span = span, .constant = constant, .ctx = a, .still = true },
				 .work_limit = 1 << 19, .host_simd = simd,
				 .listener = { .operation = look_for_overlap, .looks = looks, .ctx = a } };
	struct npu *n = npu_new(&o);
	u64 base[8];

	a->overlap = false;

	for (unsigned i = 0; i < 8; i++)
		base[i] = BASE + 0x1000 * i;
	while (times--) {
		for (u32 i = 0; i < BYTES; i++)
			a->memory[i] = a->stream[i % a->stream_bytes];
		npu_reset(n);
		npu_start(n, NPU_MEMORY_SHARED, 2 * (u64)BASE, a->stream_bytes, base, 8);
	}
	enum npu_end end = npu_result(n)->end;
	npu_free(n);
	return end;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct arena fast, slow;

	if (size < 8)
		return 0;
	const struct npu_config *config = &npu_configs[data[0] % 11];
	fast.stream_bytes = slow.stream_bytes = (u32)(size - 4) & ~3u;
	fast.stream = slow.stream = malloc(size);
	memcpy(fast.stream, data + 4, size - 4);
	bool same_end = run(&fast, config, "auto", TIMES) == run(&slow, config, "generic", 1);
	if (!fast.overlap && (!same_end || memcmp(fast.memory, slow.memory, BYTES) != 0)) {
		fprintf(stderr, "%s: fast and generic path differ\n", config->name);
		abort();
	}
	free(fast.stream);
	return 0;
}

/* The streams of compiled networks. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	const struct npu_config *config;
	const size_t size = npu_seed_stream(index, out + 4, FUZZ_MAX_BYTES - 4, &config);

	memset(out, 0, 4);
	if (size)
		out[0] = (u8)(config - npu_configs);
	return size ? size + 4 : 0;
}
