/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations of Ethos-U85, alone and in sequences: chains of elementwise operations behind
 * another operation, and accumulators that are kept for the next operation. */
#ifndef TESTS_KERNELS_RANDOM_OP85_H
#define TESTS_KERNELS_RANDOM_OP85_H

#include "npu/config.h"
#include "npu/op.h"
#include "tests/kernels/random_parts.h"

/* What operations of one sequence have in common. */
struct sequence {
	const struct npu_config *config;
	struct arena *arena;
	u32 height, width, depth;      /* of every OFM */
	struct npu_fm chain[3];        /* type and zero point of each buffer */
	unsigned chains;               /* buffers filled so far */
	bool kept;                     /* accumulators wait for the next operation */
	bool acc48;                    /* of which width */
};

void sequence_start(struct rng *r, struct sequence *s, const struct npu_config *config, struct arena *a);

/* An operation of `kind`; its views point into the arena. Fills chain buffers and keeps
 * accumulators only when `more` follow; s->kept then asks for an operation of the same kind. */
void random_op85(struct rng *r, struct sequence *s, enum npu_kind kind, bool more, struct npu_op *op,
		 struct npu_view *view);

/* One line that tells the operation apart, for failures. */
const char *op85_text(const struct npu_op *op, char *buffer, size_t bytes);

#endif
