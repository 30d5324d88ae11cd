/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of constants are known as long as nothing is written over them, and no longer. */
#include <criterion/criterion.h>

#include "npu/origin.h"

#define CONSTANTS 0x1000u /* bus addresses */
#define FAST 0x8000u
#define BYTES 0x400u

static u8 constants[BYTES], fast[BYTES];

static u64 constant(void *ctx, u64 addr)
{
	(void)ctx;
	return addr >= CONSTANTS && addr < CONSTANTS + BYTES ? CONSTANTS + BYTES - addr : 0;
}

static void copy(struct npu_origins *o, u64 from, u64 to, u64 bytes)
{
	const struct npu_memory m = { .constant = constant };
	const struct npu_dma d = { .src = from, .dst = to, .length = bytes, .rows = 1, .planes = 1 };
	const struct npu_view v = { .dma_src = constants + (from - CONSTANTS), .dma_dst = fast + (to - FAST) };

	npu_origins_wrote(o, to, bytes);
	npu_origins_copied(o, &d, &v, &m);
}

/* Offset in the constants of what a stream of the fast memory is known to be; -1: not known. */
static long known(const struct npu_origins *o, u64 at, u32 length)
{
	struct npu_op op = { .cores = 1, .weights = { { .addr = at, .length = length } } };
	struct npu_view v = { .weights = { fast + (at - FAST) } };

	npu_origins_apply(o, &op, &v);
	if (v.weights[0] == fast + (at - FAST)) {
		cr_expect_eq(v.constant[0], 0u);
		return -1;
	}
	cr_expect_eq(v.constant[0], (u64)(constants + BYTES - v.weights[0]));
	return v.weights[0] - constants;
}

Test(npu_origin, parts_of_a_copy)
{
	struct npu_origins o = { 0 };

	cr_expect_eq(known(&o, FAST, 16), -1);
	copy(&o, CONSTANTS + 0x40, FAST + 0x100, 0x80);
	cr_expect_eq(known(&o, FAST + 0x100, 0x80), 0x40);
	cr_expect_eq(known(&o, FAST + 0x130, 0x50), 0x70);
	cr_expect_eq(known(&o, FAST + 0x130, 0x51), -1);
	cr_expect_eq(known(&o, FAST + 0xff, 2), -1);
	cr_expect_eq(known(&o, FAST + 0x100, 0), -1, "no stream");
	npu_origins_clear(&o);
	cr_expect_eq(known(&o, FAST + 0x100, 0x80), -1);
}

Test(npu_origin, written_over)
{
	static const struct { u64 first, bytes; bool over; } rows[] = {
		{ FAST + 0xf0, 0x10, false }, { FAST + 0xf0, 0x11, true }, { FAST + 0x17f, 1, true },
		{ FAST + 0x180, 8, false }, { FAST, BYTES, true },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		struct npu_origins o = { 0 };
		copy(&o, CONSTANTS, FAST + 0x100, 0x80);
		npu_origins_wrote(&o, rows[i].first, rows[i].bytes);
		cr_expect_eq(known(&o, FAST + 0x100, 8), rows[i].over ? -1 : 0, "%u", i);
	}
}

Test(npu_origin, only_of_constants)
{
	struct npu_origins o = { 0 };

	copy(&o, CONSTANTS, FAST + 0x100, 0x80);
	copy(&o, CONSTANTS + BYTES - 0x10, FAST + 0x140, 0x20); /* runs over their end */
	cr_expect_eq(known(&o, FAST + 0x140, 8), -1);
	cr_expect_eq(known(&o, FAST + 0x100, 8), -1, "part of it was written over");
	for (unsigned i = 0; i < 2 * NPU_ORIGINS; i++)
		copy(&o, CONSTANTS + i, FAST + 8 * i, 8);
	cr_expect_eq(known(&o, FAST + 8 * (2 * NPU_ORIGINS - 1), 8), 2 * NPU_ORIGINS - 1);
	cr_expect_eq(known(&o, FAST, 8), -1, "forgotten, as there are too many");
}
