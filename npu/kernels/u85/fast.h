/* SPDX-License-Identifier: Apache-2.0 */
/* The fast format of U85's weights (npu/u85/weights_fast.c) in pieces, as a decoder delivers the standard format's slices. */
#ifndef NPU_KERNELS_U85_FAST_H
#define NPU_KERNELS_U85_FAST_H

#include "npu/kernels/weights/weights.h"
#include "npu/u85/u85.h"

/* A decoder at the first of the weights that are `stream`'s; *f stays. */
void npu85_fast_start(struct npu_weights_decoder *d, const struct npu85_fast *f, unsigned stream);

/* For decoders started so. */
npu_weights_next_fn npu85_fast_next;

#endif
