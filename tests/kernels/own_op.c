/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/own_op.h"

#include <stdlib.h>
#include <string.h>

#include "tests/kernels/random_op85.h"

void own_op_draw(struct rng *r, const struct npu_config *config, struct arena *a, struct own_op *own)
{
	const enum npu_kind kind = rng_below(r, 3) ? NPU_CONV : NPU_DEPTHWISE;
	struct npu_view view;

	if (config->product == NPU_U85) {
		struct sequence s;
		a->used = 1 << 16;
		arena_fill(a, r);
		sequence_start(r, &s, config, a);
		random_op85(r, &s, kind, false, &own->op, &view);
	} else {
		random_op(r, config, kind, a, &own->op, &view);
	}
	own->bytes = a->used;
	own->memory = malloc(a->used);
	memcpy(own->memory, a->bytes, a->used);
	own->view = view_moved(&view, a->bytes, own->memory);
}
