/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the fast format; see fast.h. */
#include "npu/kernels/u85/fast.h"

#include "npu/kernels/weights/decoder.h"

void npu85_fast_start(struct npu_weights_decoder *d, const struct npu85_fast *f, unsigned stream)
{
	d->fast = f;
	d->stream = stream;
	d->pos = 0;
	d->bits = 0;
	d->narrow = false;
}

enum npu_weights_status npu85_fast_next(struct npu_weights_decoder *d, const void **weights, size_t *count)
{
	*weights = d->expanded;
	*count = npu85_fast_read(d->fast, d->stream, d->pos, SLICE_MAX, d->expanded);
	d->pos += *count;
	d->bits |= npu_weights_bits(d->expanded, *count);
	if (d->narrow)
		npu_weights_to_bytes(d->expanded, *count);
	return NPU_WEIGHTS_OK;
}
