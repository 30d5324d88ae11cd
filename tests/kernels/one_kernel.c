/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/one_kernel.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/simd/simd.h"

void one_kernel_open(struct one_kernel *b, one_kernel_fn *run, const char *accelerator)
{
	*b = (struct one_kernel){ .run = run, .config = npu_config_find(accelerator), .arena = { .bytes = malloc(ARENA_BYTES), .used = ARENA_BYTES },
				  .expected = malloc(ARENA_BYTES), .actual = malloc(ARENA_BYTES) };
}

void one_kernel_close(struct one_kernel *b)
{
	for (unsigned l = 0; l < b->levels; l++)
		npu_kernels_free(b->fast[l]);
	free(b->arena.bytes);
	free(b->expected);
	free(b->actual);
}

void one_kernel_add_levels_that(struct one_kernel *b, bool (*have)(const struct npu_simd *simd))
{
	const struct npu_simd *simd[8];
	const unsigned levels = npu_simd_list(simd);

	for (unsigned l = 0; l < levels; l++)
		if (have(simd[l]))
			b->fast[b->levels++] = npu_kernels_new(b->config, simd[l]->name);
}

static bool is_any(const struct npu_simd *simd)
{
	return simd;
}

void one_kernel_add_levels(struct one_kernel *b)
{
	one_kernel_add_levels_that(b, is_any);
}

bool one_kernel_is_idle(const struct npu_op *op, const struct npu_view *view)
{
	const i64 most = INT64_C(1) << (op->acc_bits - 1);
	const u32 records = op->abreast.pixels ? op->ofm.depth / op->abreast.pixels : op->ofm.depth;

	for (u32 c = 0; op->per_channel && c < records; c++) {
		const u8 *const record = view->scales[c % op->cores] + (size_t)10 * (c / op->cores);
		struct npu_scale s = op->ofm_scale;
		memcpy(&s.scale, record + 5, sizeof(s.scale));
		s.shift = record[9] & 63;
		if (!npu_scale_round(most, s) && !npu_scale_round(-most, s))
			return true;
	}
	return false;
}

void one_kernel_compare(struct one_kernel *b, unsigned round, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_view slow = view_moved(view, b->arena.bytes, b->expected), fast = view_moved(view, b->arena.bytes, b->actual);
	struct npu_exec e = { .config = b->config, .op = op, .view = &slow };
	char text[512];

	memcpy(b->expected, b->arena.bytes, b->arena.used);
	const enum npu_exec_status status = npu_exec_op(&e);
	for (unsigned l = 0; l < b->levels; l++) {
		memcpy(b->actual, b->arena.bytes, b->arena.used);
		const bool done = b->run(b->fast[l], op, &fast);
		cr_assert_eq(memcmp(b->actual, done ? b->expected : b->arena.bytes, b->arena.used), 0, "round %u level %s done %d: %s", round,
			     npu_kernels_name(b->fast[l]), done, op_text(op, text, sizeof(text)));
		cr_assert(!done || (status == NPU_EXEC_OK && (!e.wraps || one_kernel_is_idle(op, &slow))));
		b->done[l] += done;
	}
}

void one_kernel_random(struct one_kernel *b, const struct one_kernel_draws *d)
{
	struct rng r = { d->seed };

	for (unsigned i = 0; i < d->rounds; i++) {
		struct npu_op op;
		struct npu_view view;
		do
			random_op(&r, b->config, d->kind, &b->arena, &op, &view);
		while (!d->is_wanted(&op));
		if ((!d->change || d->change(&r, &b->arena, &op, &view)) && op.lo <= op.hi)
			one_kernel_compare(b, i, &op, &view);
	}
	for (unsigned l = 0; l < b->levels; l++) {
		cr_log_info("kind %d level %s: %u of %u", d->kind, npu_kernels_name(b->fast[l]), b->done[l], d->rounds);
		cr_assert_gt(b->done[l], d->least);
	}
}
