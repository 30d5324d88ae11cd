/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel, which may refuse what it is given, on several levels of the host against the generic path: all of memory must be equal afterwards. */
#ifndef TESTS_KERNELS_ONE_KERNEL_H
#define TESTS_KERNELS_ONE_KERNEL_H

#include "npu/kernels/private.h"
#include "tests/kernels/random_op.h"

#define MOST_LEVELS 9

typedef bool one_kernel_fn(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

struct one_kernel {
	one_kernel_fn *run;
	const struct npu_config *config;
	struct arena arena;
	u8 *expected, *actual;
	struct npu_kernels *fast[MOST_LEVELS]; /* to be added by npu_kernels_new(), and counted in `levels` */
	unsigned levels, done[MOST_LEVELS];
};

/* Whether nothing is left of some channel's sums by its scale: those may wrap. */
bool one_kernel_is_idle(const struct npu_op *op, const struct npu_view *view);

void one_kernel_open(struct one_kernel *b, one_kernel_fn *run, const char *accelerator);
void one_kernel_close(struct one_kernel *b);

/* All levels of the host. */
void one_kernel_add_levels(struct one_kernel *b);
/* Those that have what is asked for. */
void one_kernel_add_levels_that(struct one_kernel *b, bool (*have)(const struct npu_simd *simd));

/* Does the operation, whose memory is the arena's, on every level; what is refused changes nothing. */
void one_kernel_compare(struct one_kernel *b, unsigned round, const struct npu_op *op, const struct npu_view *view);

/* Random operations, and how many of them each level must have done. */
struct one_kernel_draws {
	enum npu_kind kind;
	u64 seed;
	unsigned rounds, least;
	bool (*is_wanted)(const struct npu_op *op);
	bool (*change)(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view); /* of one that is wanted; false: it is left out. NULL: none */
};

void one_kernel_random(struct one_kernel *b, const struct one_kernel_draws *d);

#endif
