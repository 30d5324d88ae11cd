/* SPDX-License-Identifier: Apache-2.0 */
/* Every host level against the generic path over random operations: all of memory must be
 * equal afterwards, so stray writes show as well. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/simd.h"
#include "tests/kernels/random_op.h"

/* FVPSIM_TEST_ROUNDS multiplies the number of operations for long runs. */
static unsigned rounds_of(unsigned usual)
{
	const char *more = getenv("FVPSIM_TEST_ROUNDS");
	return usual * (more ? (unsigned)atoi(more) : 1);
}

static bool compare(enum npu_kind kind, unsigned round, struct npu_kernels *const *fast,
		    unsigned levels, const struct npu_config *config, const struct npu_op *op,
		    const struct npu_view *view, const struct arena *a, u8 *expected, u8 *actual)
{
	struct npu_view slow_view = view_moved(view, a->bytes, expected);
	struct npu_exec e = { .config = config, .op = op, .view = &slow_view };
	bool mine = false;
	char text[512];

	memcpy(expected, a->bytes, a->used);
	enum npu_exec_status status = npu_exec_op(&e);
	for (unsigned l = 0; l < levels; l++) {
		struct npu_view v = view_moved(view, a->bytes, actual);
		memcpy(actual, a->bytes, a->used);
		mine = npu_kernels_execute(fast[l], op, &v);
		const u8 *right = mine ? expected : a->bytes;
		if (mine)
			cr_assert_eq(status, NPU_EXEC_OK, "kind %d round %u: %s", kind, round,
				     op_text(op, text, sizeof(text)));
		cr_assert_eq(memcmp(actual, right, a->used), 0, "kind %d round %u level %s mine %d: %s",
			     kind, round, npu_kernels_name(fast[l]), mine, op_text(op, text, sizeof(text)));
		cr_assert(!mine || e.wraps == 0, "kind %d round %u: wraps", kind, round);
	}
	return mine;
}

static void run(enum npu_kind kind, unsigned rounds, u64 seed, unsigned least_percent)
{
	static const char *const names[] = { "ethos-u55-32", "ethos-u55-128", "ethos-u65-512" };
	struct rng r = { seed };
	struct arena a = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	u8 *expected = malloc(ARENA_BYTES), *actual = malloc(ARENA_BYTES);
	const struct npu_simd *simd[8];
	unsigned levels = npu_simd_list(simd), mine = 0;

	rounds = rounds_of(rounds);
	for (unsigned n = 0; n < ARRAY_LEN(names); n++) {
		const struct npu_config *config = npu_config_find(names[n]);
		struct npu_kernels *fast[8];
		for (unsigned l = 0; l < levels; l++)
			fast[l] = npu_kernels_new(config, simd[l]->name);
		for (unsigned i = 0; i < rounds; i++) {
			struct npu_op op;
			struct npu_view view;
			random_op(&r, config, kind, &a, &op, &view);
			mine += compare(kind, i, fast, levels, config, &op, &view, &a, expected, actual);
		}
		for (unsigned l = 0; l < levels; l++)
			npu_kernels_free(fast[l]);
	}
	/* else the test compares the generic path with itself */
	cr_log_info("kind %d: %u of %u by the kernels", kind, mine, rounds * 3);
	cr_assert_gt(mine * 100, rounds * 3 * least_percent, "only %u of %u", mine, rounds * 3);
	free(a.bytes);
	free(expected);
	free(actual);
}

/* Decoded weights are kept from run to run; the guest may change the streams under them. */
Test(ops, weights_changed_in_memory)
{
	const struct npu_config *config = npu_config_find("ethos-u55-128");
	struct rng r = { 15 };
	struct arena a = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	u8 *expected = malloc(ARENA_BYTES), *actual = malloc(ARENA_BYTES);
	const struct npu_simd *simd[8];
	struct npu_kernels *fast[8];
	unsigned levels = npu_simd_list(simd), changed = 0;

	for (unsigned l = 0; l < levels; l++)
		fast[l] = npu_kernels_new(config, simd[l]->name);
	for (unsigned i = 0; i < rounds_of(30); i++) {
		struct npu_op op;
		struct npu_view view;
		random_op(&r, config, i % 2 ? NPU_CONV : NPU_DEPTHWISE, &a, &op, &view);
		for (unsigned k = 0; k < 4; k++) {
			u32 at = (u32)op.weights[0].addr + rng_below(&r, op.weights[0].length);
			changed += compare(op.kind, i, fast, levels, config, &op, &view, &a, expected, actual);
			a.bytes[at] ^= (u8)(1u << rng_below(&r, 8));
		}
	}
	cr_assert_gt(changed, 40);
	for (unsigned l = 0; l < levels; l++)
		npu_kernels_free(fast[l]);
	free(a.bytes);
	free(expected);
	free(actual);
}

/* Streams that never change are not copied but read where they lie, and known by their address. */
Test(ops, weights_in_constant_memory)
{
	const struct npu_config *config = npu_config_find("ethos-u65-512");
	struct rng r = { 16 };
	struct arena a = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES };
	u8 *expected = malloc(ARENA_BYTES), *actual = malloc(ARENA_BYTES), *fixed[60];
	struct npu_kernels *k = npu_kernels_new(config, NULL), *other = npu_kernels_new(config, NULL);

	for (unsigned i = 0; i < ARRAY_LEN(fixed); i++) {
		struct npu_op op;
		struct npu_view view;
		random_op(&r, config, i % 2 ? NPU_CONV : NPU_DEPTHWISE, &a, &op, &view);
		fixed[i] = malloc(ARENA_BYTES);
		memcpy(fixed[i], a.bytes, ARENA_BYTES);
		for (unsigned again = 0; again < 3; again++) {
			struct npu_view usual = view_moved(&view, a.bytes, expected);
			struct npu_view constant = view_moved(&view, a.bytes, actual);
			for (unsigned core = 0; core < op.cores; core++) {
				size_t at = (size_t)(view.weights[core] - a.bytes);
				constant.weights[core] = fixed[i] + at;
				/* too few bytes behind it: copied all the same */
				constant.constant[core] = i % 3 ? ARENA_BYTES - at : op.weights[core].length;
			}
			memcpy(expected, a.bytes, ARENA_BYTES);
			memcpy(actual, a.bytes, ARENA_BYTES);
			cr_assert_eq(npu_kernels_execute(k, &op, &constant), npu_kernels_execute(other, &op, &usual));
			cr_assert_eq(memcmp(actual, expected, ARENA_BYTES), 0, "round %u", i);
		}
	}
	npu_kernels_free(k);
	npu_kernels_free(other);
	for (unsigned i = 0; i < ARRAY_LEN(fixed); i++)
		free(fixed[i]);
	free(a.bytes);
	free(expected);
	free(actual);
}

Test(ops, convolution)
{
	run(NPU_CONV, 150, 11, 60);
}

Test(ops, depthwise)
{
	run(NPU_DEPTHWISE, 200, 12, 60);
}

Test(ops, pool)
{
	run(NPU_POOL, 300, 13, 40);
}

Test(ops, elementwise)
{
	run(NPU_ELEMENTWISE, 400, 14, 60);
}
